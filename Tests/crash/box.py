"""The box that is tried: its folders, the real program on them, and what is read back."""
import base64
import json
import os
import random
import shutil
import signal
import subprocess
import time
import zlib

# A sit of no length is kept, so that one takes no time.
CONFIGURATION = "[sit]\nminimum = 0\npreparation = 0\n"
# No file of a store is larger.
CAP = 1048576
SCRATCH = ".syncthing.timerbox-"


class Result:
  """How a process ended, and what it printed."""

  def __init__(self, process, out, err):
    self.status = process.returncode
    self.out = out.decode(errors="replace")
    self.err = err.decode(errors="replace")

  @property
  def is_crash(self):
    """Whether a signal of its own making ended it; a shell's 128 + n for one is the same."""
    faults = (signal.SIGILL, signal.SIGTRAP, signal.SIGABRT, signal.SIGBUS, signal.SIGSEGV)
    return self.status in [-fault for fault in faults] + [128 + fault for fault in faults]


class Box:
  """One device. What it keeps is under `root`, and what only its service has beside it."""

  # `beside`: where the service's socket and configuration are; `store`: the shared folder.
  def __init__(self, program, root, beside=None, store=None):
    self.program = program
    self.root = root
    self.state = os.path.join(root, "state")
    self.store = store or os.path.join(root, "store")
    self.runtime = (beside or root) + ".runtime"
    self.settings = (beside or root) + ".conf"

  def command(self, *words):
    """The command line of a verb that looks at the folders."""
    return [self.program, *words, "--state", self.state, "--store", self.store]

  def run(self, *words, under=(), environment=None):
    """Runs a verb to its end, perhaps under another program."""
    return self.finish(self.begin(*words, under=under, environment=environment))

  def begin(self, *words, under=(), environment=None):
    """Starts a verb."""
    whole = dict(os.environ, RUNTIME_DIRECTORY=self.runtime, LANG="C.UTF-8", **environment or {})
    return subprocess.Popen([*under, *self.command(*words)], env=whole, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)

  @staticmethod
  def finish(process, seconds=60):
    """Waits for a process; one that does not end is killed, and that is its status."""
    try:
      out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
      process.kill()
      out, err = process.communicate()
      err += b"did not end"
    return Result(process, out, err)

  def read(self):
    """What is kept, as the program tells it: a dictionary of the keys, and the set of the sits'
    ids. A second value says what was wrong, or is empty."""
    # Before the first start there is no folder, and who asks for what is in one is refused.
    if not os.path.isdir(self.state): return ({}, frozenset()), ""
    wrong = []

    def ask(*words):
      result = self.run(*words)
      if result.status != 0 or result.err:
        wrong.append("%s: status %d: %s" % (" ".join(words), result.status, result.err.strip()))
      return result.out

    # The months' buckets are the sits again.
    names = [name for name in ask("kv", "list").split() if not name.startswith("sits.")]
    keys = {name: ask("kv", "get", name).strip() for name in names}
    try:
      sits = frozenset(sit["id"] for sit in json.loads(ask("history", "--json") or "[]"))
    except ValueError as error:
      sits = frozenset()
      wrong.append("history: %s" % error)
    return (keys, sits), "; ".join(wrong)

  def names(self):
    """Every file below the root and in the shared folder, by its path from the root."""
    found = set()
    for folder in (self.root, self.store):
      for place, _, names in os.walk(folder):
        found.update(os.path.relpath(os.path.join(place, name), self.root) for name in names)
    return sorted(found)

  def leftovers(self):
    """What no start may leave: files half made, and damaged ones set aside where none was."""
    return [name for name in self.names() if SCRATCH in name or ".damaged-" in name]

  def next_start(self, acknowledged, change, probe="probe"):
    """Starts once more and changes something: that must work without a complaint, everything that
    was acknowledged must be there, at most `change` with it, and nothing may lie about.
    Returns what is wrong, or nothing."""
    again = self.run("kv", "set", probe, "1")
    if again.status != 0 or again.err:
      return "the next start: status %d: %s" % (again.status, again.err.strip())
    (keys, sits), wrong = self.read()
    if wrong: return "the next start: " + wrong
    if keys.pop(probe, None) != "1": return "a further change is not there"
    if not is_between((keys, sits), acknowledged, change):
      return "read %s %s after the next start" % (keys, sorted(sits))
    left = self.leftovers()
    if left: return "left over: " + " ".join(left)
    return None

  def fill(self):
    """Puts sits before those that the truth has, two a day since 2016, until not one more fits
    under the cap of a file. The form is that of Sources/Sessions/ReplicaLine.swift."""
    path = os.path.join(self.state, "truth.kv")
    with open(path, "rb") as file: lines = file.read().splitlines()[:-1]
    chance, start = random.Random(5), 1451631600000
    room, sits = CAP - sum(len(line) + 1 for line in lines) - len(trailer(lines)) - 8, []
    while True:
      identity = base64.urlsafe_b64encode(chance.randbytes(16)).decode().rstrip("=")
      sit = line_of('s {"b":%d,"d":1200,"e":%d,"g":"simple","i":"%s","p":1200}' % (
          start, start + 1200000, identity))
      room -= len(sit) + 1
      if room < 0: break
      sits.append(sit)
      start += 12 * 3600 * 1000
    first = next(index for index, line in enumerate(lines) if line[9:10] == b"s")
    lines[first:first] = sits
    with open(path, "wb") as file: file.write(b"\n".join(lines + [trailer(lines)]) + b"\n")

  def serve(self, under=(), environment=None):
    """Starts the service."""
    os.makedirs(os.path.dirname(self.settings), exist_ok=True)
    with open(self.settings, "w") as file: file.write(CONFIGURATION)
    return self.begin("run", "--board", "simulated", "--config", self.settings, under=under,
                      environment=environment)

  def sit(self, under=(), environment=None):
    """Runs the service, sits, and ends it. Returns its result; status 0 says that all is saved."""
    service = self.serve(under, environment)
    self.drive(service)
    if service.poll() is None: self.terminate(service)
    return self.finish(service)

  def leave(self, under=(), environment=None):
    """Begins a sit and stops the service, which leaves the sit to the next start."""
    service = self.serve(under, environment)
    self.drive(service, ends=False)
    if service.poll() is None: self.terminate(service)
    return self.finish(service)

  def is_on(self):
    """Whether the journal holds a sit that is on. One that is over may wait there for its date, on
    a machine that does not know the time."""
    try:
      with open(os.path.join(self.state, "journal"), "rb") as file: text = file.read()
      return b'"timer":' in text
    except FileNotFoundError:
      return False

  def take_up(self):
    """Starts the service and ends the sit that it takes up, if there is one. Returns what is wrong,
    or nothing, and whether there was one."""
    service = self.serve()
    phase = self.drive(service, begins=False)
    if service.poll() is None: self.terminate(service)
    end = self.finish(service)
    wrong = "taken up: status %d: %s" % (end.status, end.err) if end.status else None
    if self.is_on(): wrong = wrong or "a journal is left"
    return wrong, phase == "running"

  def remove(self):
    """Takes everything away."""
    for folder in (self.root, self.runtime): shutil.rmtree(folder, ignore_errors=True)
    if os.path.exists(self.settings): os.unlink(self.settings)

  def drive(self, service, begins=True, ends=True):
    """Begins a sit and stops it, as soon as the service lets that happen. Returns the phase in
    between, where there was time to look."""
    limit = time.monotonic() + 30

    def ask(*words):
      return subprocess.run([self.program, *words], capture_output=True, stdin=subprocess.DEVNULL,
                            env=dict(os.environ, RUNTIME_DIRECTORY=self.runtime))

    def until(holds):
      while service.poll() is None and time.monotonic() < limit:
        if holds(): return True
        time.sleep(0.01)
      return False

    def phase():
      for name in ("running", "idle"):
        if b'"phase":"%s"' % name.encode() in ask("status", "--json").stdout: return name
      return None

    if not until(lambda: ask("status").returncode == 0): return None
    if begins and not until(lambda: ask("start", "1m").returncode == 0): return None
    if not until(lambda: phase() == "running" if begins else phase()): return None
    seen = phase()
    # What is left is on the disk before anything else is done.
    if not ends: until(self.is_on)
    if ends and seen == "running": until(lambda: ask("stop").returncode == 0)
    return seen

  @staticmethod
  def terminate(service):
    """SIGTERM for the service itself, also where strace stands before it: a service of its own may
    have a child too, that keeps the machine awake."""
    below = []
    try:
      with open("/proc/%d/comm" % service.pid) as file: name = file.read().strip()
      children = "/proc/%d/task/%d/children" % (service.pid, service.pid)
      if name == "strace":
        with open(children) as file: below = [int(word) for word in file.read().split()]
    except OSError:
      pass
    for process in below or [service.pid]:
      try:
        os.kill(process, signal.SIGTERM)
      except ProcessLookupError:
        pass


def line_of(text):
  """A line of a replica."""
  return b"%08x %s" % (zlib.crc32(text.encode()), text.encode())


def trailer(lines):
  """The last line of a replica."""
  return line_of("z %d %08x" % (len(lines), zlib.crc32(b"".join(line[:8] for line in lines))))


def is_between(found, before, change):
  """Whether `found` is the contents before, or those with the change made: a dictionary of keys,
  where None deletes one, and where `sit` is one more sit, whatever its id."""
  (keys, sits), more = found, found[1] - before[1]
  if not sits >= before[1] or len(more) > ("sit" in change): return False
  return keys in (before[0], changed(before[0], change))


def changed(keys, change):
  """The keys after a change."""
  after = {**keys, **{key: value for key, value in change.items() if key != "sit"}}
  return {key: value for key, value in after.items() if value is not None}
