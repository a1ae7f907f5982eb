"""Faults at every system call of the real program that touches its folders, by strace.

Each scenario is run once and watched: every call whose arguments name a file or a descriptor below
the box's root is a place. Then it is run once for each place and fault, on folders made anew.
"""
import collections
import concurrent.futures
import os
import re
import shutil
import threading

from box import Box, is_between

# What strace 6.1 prints for a call at which a fault was put in its way.
INJECTED = "(INJECTED)"
CHANGING = ["write", "pwrite64", "fsync", "fdatasync", "rename", "renameat", "renameat2", "link",
            "linkat", "unlink", "unlinkat", "mkdir", "mkdirat", "ftruncate", "fallocate"]
LINE = re.compile(r"^(\d+) +(\w+)\((.*)$")


class Scenario:
  """Something that a box does, between what it had and what it has then."""

  def __init__(self, name, act, change, prepare=None, again=False, promised=None,
               left_out=(), is_thin=False, is_left=False):
    self.name = name
    self.act = act
    self.change = change
    self.prepare = prepare
    # Whether the same must be done once more before everything is as it should be.
    self.again = again
    # Says what is wrong with a box whose status was 0, or nothing.
    self.promised = promised
    # The names of faults that are not tried.
    self.left_out = left_out
    # Whether only calls that change something are places: a kill elsewhere leaves the same.
    self.is_thin = is_thin
    # Whether it leaves a sit that the next start takes up, so that nothing is kept till then.
    self.is_left = is_left

  def make(self, program, root, template):
    """A box that is ready for it, from a copy of one that was."""
    shutil.copytree(template, root, symlinks=True)
    return Box(program, root)


def keys_prepared(box):
  # Twice, so that there is an earlier generation too.
  for value in ("1", "2"):
    result = box.run("kv", "set", "word", value)
    assert result.status == 0 and not result.err, result.err


def sit_prepared(box):
  keys_prepared(box)
  result = box.sit()
  assert result.status == 0, result.err


def full_prepared(box):
  """A box whose next sit sends the oldest months to the archive."""
  assert box.sit().status == 0
  box.fill()


def sync_prepared(box):
  """A box, and a folder on a stick with the copy of another box."""
  keys_prepared(box)
  peer = Box(box.program, os.path.join(box.root, "peer"))
  os.makedirs(stick_of(box))
  # Whoever has sits is whose store it becomes.
  assert peer.sit().status == 0
  for words in (("kv", "set", "theirs", "1"), ("sync", stick_of(box))):
    result = peer.run(*words)
    assert result.status == 0 and not result.err, result.err
  peer.remove()


def stick_of(box):
  return os.path.join(box.root, "stick")


def copy_is_there(box):
  """After a sync that says so, the stick has the box's copy: the bytes of its truth."""
  with open(os.path.join(box.state, "truth.kv"), "rb") as file: truth = file.read()
  for name in os.listdir(stick_of(box)):
    with open(os.path.join(stick_of(box), name), "rb") as file:
      if file.read() == truth: return None
  return "status 0, and the stick has not got the copy"


def sync(box, **how):
  return box.run("sync", stick_of(box), **how)


def verb(*words):
  return lambda box, **how: box.run(*words, **how)


SCENARIOS = [
    Scenario("first start", verb("kv", "set", "word", "1"), {"word": "1"},
             left_out=["EIO for good"]),
    Scenario("set", verb("kv", "set", "word", "3"), {"word": "3"}, keys_prepared),
    Scenario("delete", verb("kv", "delete", "word"), {"word": None}, keys_prepared,
             left_out=["EIO for good"]),
    Scenario("add", verb("add", "--start", "2026-11-30T06:00:00Z", "--duration", "20m"),
             {"sit": True}, keys_prepared),
    Scenario("service", lambda box, **how: box.sit(**how), {"sit": True}, sit_prepared,
             left_out=["EIO for good"]),
    Scenario("sync", sync, {"theirs": "1", "sit": True}, sync_prepared,
             again=True, promised=copy_is_there, left_out=["EIO for good"]),
    Scenario("left sit", lambda box, **how: box.leave(**how), {"sit": True}, sit_prepared,
             left_out=["EIO for good"], is_thin=True,
             is_left=True),
    # Each of these runs reads and writes megabytes, several times.
    Scenario("archive", lambda box, **how: box.sit(**how), {"sit": True}, full_prepared,
             left_out=["EIO for good"], is_thin=True),
]


def paths_below(root, text):
  """The paths below a root in what strace printed, also of the names beside a folder's number."""
  below = re.escape(root) + r'(?:/[^>"]*)?'
  found = set(re.findall(r'[<"](%s)[>"]' % below, text))
  for folder, name in re.findall(r'\d+<(%s)>, "([^/"][^"]*)"' % below, text):
    found.add(os.path.join(folder, name))
  return found


class Place:
  """The `number`-th call of a name, among those of one thread that strace is told to see."""

  def __init__(self, call, number, text):
    self.call = call
    self.number = number
    self.text = text

  @property
  def changes(self):
    """Whether the call can change what is on the disk."""
    return self.call in CHANGING or "O_CREAT" in self.text


class Trial:
  """One scenario, with all its places."""

  def __init__(self, program, shim, folder, scenario, lie=None):
    self.program = program
    self.environment = {"LD_PRELOAD": shim, "SHIM": lie} if lie else {}
    self.shim = shim
    self.folder = os.path.join(folder, scenario.name.replace(" ", "-"))
    self.scenario = scenario
    self.counter = 0
    self.guard = threading.Lock()
    self.template = os.path.join(self.folder, "template")
    os.makedirs(self.template)
    box = Box(program, self.template)
    if scenario.prepare: scenario.prepare(box)
    self.before, wrong = box.read()
    assert not wrong, wrong
    self.paths = ()
    self.places = self.watch()

  def fresh(self):
    """A box of its own for one run. All stand at paths of one length, so that nothing differs."""
    with self.guard:
      self.counter += 1
      root = os.path.join(self.folder, "%05d" % self.counter)
    return self.scenario.make(self.program, root, self.template)

  def watch(self):
    """The places, from a run with nothing in its way."""
    box = self.fresh()
    log = box.root + ".strace"
    result = self.scenario.act(box, under=("strace", "-f", "-y", "-o", log),
                               environment=self.environment)
    assert result.status == 0, result.err
    with open(log) as file: lines = file.read().splitlines()
    threads = {line.split()[0] for line in lines}
    counts, places = collections.Counter(), {}
    for line in lines:
      match = LINE.match(line)
      if not match: continue
      thread, call, _ = match.groups()
      is_ours = call != "execve" and bool(paths_below(box.root, line))
      # With more than one thread strace must be told the paths, or it would count what each
      # thread does otherwise; with one its count is that of the whole process.
      if len(threads) == 1 or is_ours: counts[thread, call] += 1
      if is_ours: places[call, counts[thread, call]] = Place(call, counts[thread, call], line)
    if len(threads) > 1:
      found = set().union(*(paths_below(box.root, line) for line in lines))
      # As they were written: strace compares them so, also one that ends in `/..`.
      self.paths = sorted(path[len(box.root):] for path in found)
    os.unlink(log)
    box.remove()
    return [place for place in places.values() if place.changes or not self.scenario.is_thin]

  def strace(self, box, place, fault, lasting):
    """strace's words for a fault at a place."""
    # strace 6.1 puts no signal in the way of a program that it stops by such a filter.
    quick = [] if "signal" in fault else ["--seccomp-bpf"]
    words = ["strace", "-f", *quick, "-y", "-o", box.root + ".strace", "-e", "trace=" + place.call]
    for path in self.paths: words += ["-P", box.root + path]
    return words + ["-e", "inject=%s:%s:when=%d%s" % (place.call, fault, place.number, lasting)]

  def run(self, place, fault, lasting, judge):
    """Runs one fault. Returns whether it happened, and what is wrong or nothing."""
    box = self.fresh()
    log = box.root + ".strace"
    how = {"environment": self.environment}
    if fault.startswith("SHIM="):
      how["environment"] = {"LD_PRELOAD": self.shim, "SHIM": fault[5:]}
    else:
      how["under"] = self.strace(box, place, fault, lasting)
    result = self.scenario.act(box, **how)
    # A disk that refuses every write from here on is, to strace, also a terminal that does.
    is_mute = place.call == "write" and lasting
    wrong = judge(self, box, result, is_mute)
    happened = True
    if "under" in how:
      with open(log) as file: text = file.read()
      happened = INJECTED in text or "killed by SIGKILL" in text
      os.unlink(log)
    box.remove()
    if wrong: wrong = "%s at %s %d, %s: %s" % (
        fault, place.call, place.number, place.text[:160], wrong)
    return happened, wrong

  def judge_killed(self, box, result, is_mute):
    """After a kill: what a reader sees, and the next start."""
    found, wrong = box.read()
    if wrong: return "a reader: " + wrong
    if not is_between(found, self.before, self.scenario.change): return "read %s %s" % found
    return self.recover(box)

  def recover(self, box):
    """What comes after the fault. Returns what is wrong, or nothing."""
    if self.scenario.again:
      result = self.scenario.act(box)
      if result.status != 0 or result.err:
        return "done again: status %d: %s" % (result.status, result.err.strip())
    if self.scenario.is_left:
      wrong, was_on = box.take_up()
      if wrong: return wrong
      # Kept once if it was there, and not at all if it was not.
      (_, sits), wrong = box.read()
      if wrong: return "a reader: " + wrong
      if was_on and len(sits) != len(self.before[1]) + 1: return "kept %s" % sorted(sits)
    return box.next_start(self.before, self.scenario.change)

  def judge_faulty(self, box, result, is_mute):
    """After a fault that the program saw: it may go on or say what is wrong, and never lies."""
    if result.is_crash: return "it crashed: status %d: %s" % (result.status, result.err)
    if "did not end" in result.err: return result.err
    found, wrong = box.read()
    if wrong: return "a reader: " + wrong
    if not is_between(found, self.before, self.scenario.change): return "read %s %s" % found
    if result.status == 0:
      if found == self.before and not self.scenario.is_left:
        return "status 0, and the change is not there"
      wrong = self.scenario.promised and self.scenario.promised(box)
      if wrong: return wrong
    elif not result.err and not is_mute:
      return "status %d and not a word" % result.status
    wrong = self.recover(box)
    if wrong: return wrong
    if result.status == 0 and not box.read()[0][1] >= found[1]: return "a sit is gone"
    return None


# What is put in the way, and whether it stays there from its place on.
FAULTS = [
    ("kill", "signal=SIGKILL", "", Trial.judge_killed),
    ("EIO", "error=EIO", "", Trial.judge_faulty),
    ("EIO for good", "error=EIO", "+", Trial.judge_faulty),
    ("ENOSPC", "error=ENOSPC", "", Trial.judge_faulty),
    ("EINTR", "error=EINTR", "", Trial.judge_faulty),
]


def short_writes(trial):
  """For each write that takes bytes, one run in which it takes half of them."""
  writes = sum(place.call == "write" for place in trial.places)
  return [(place, "SHIM=short %d" % (index + 1), "")
          for index, place in enumerate([trial.places[0]] * writes)]


def family(trial, jobs, judge, workers):
  """Runs jobs at once. Returns how many faults happened and what is wrong."""
  with concurrent.futures.ThreadPoolExecutor(workers) as pool:
    ends = list(pool.map(lambda job: trial.run(*job, judge), jobs))
  missed = ["never came to %s" % job[0].text[:200] for job, end in zip(jobs, ends) if not end[0]]
  wrong = [text for _, text in ends if text]
  # How often a service looks at its folders hangs on the time too, so one or another of its places
  # may not come again.
  if trial.paths and 20 * len(missed) <= len(jobs): return len(jobs) - len(missed), wrong
  return len(jobs) - len(missed), missed + wrong


def run(program, shim, folder, only="", workers=4):
  """Every scenario with every fault. Yields (family, how many faults, what is wrong)."""
  for scenario in SCENARIOS:
    if only not in scenario.name: continue
    trial = Trial(program, shim, folder, scenario)
    for name, fault, lasting, judge in FAULTS:
      if name in scenario.left_out: continue
      jobs = [(place, fault, lasting) for place in trial.places]
      yield ("%s, %s" % (scenario.name, name), *family(trial, jobs, judge, workers))
    if "short write" not in scenario.left_out:
      jobs = short_writes(trial)
      yield ("%s, short write" % scenario.name, *family(trial, jobs, Trial.judge_faulty, workers))
    shutil.rmtree(trial.folder)


def control(program, shim, folder, workers=4):
  """The same kills where a rename is made to write in place. Returns how many were found wrong: a
  harness that finds none of them finds nothing."""
  trial = Trial(program, shim, folder, SCENARIOS[1], lie="in place")
  jobs = [(place, "signal=SIGKILL", "") for place in trial.places]
  count, wrong = family(trial, jobs, Trial.judge_killed, workers)
  shutil.rmtree(trial.folder)
  return count, wrong
