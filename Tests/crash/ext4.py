"""Power cuts on ext4 without its heuristics: the real program's series of changes, and every state
that the disk below may be left in. What was acknowledged must be there, whole, in each of them."""
import collections
import hashlib
import multiprocessing
import os
import shutil
import subprocess
import tempfile
import time

import blocks
from box import Box

SIZE = 16 << 20
OPTIONS = "noauto_da_alloc,commit=1"
MAKE = ["mkfs.ext4", "-q", "-b", "1024", "-J", "size=1",
        "-E", "lazy_itable_init=0,lazy_journal_init=0,nodiscard"]


def changes(sets, sits):
  """What the box does, one acknowledged change after the other. No two leave equal contents."""
  words = [("set", "count", "0")]
  for number in range(1, sets + 1):
    words += [("set", "word.%d" % number, '"%s"' % ("é" * number)), ("set", "count", str(number)),
              ("delete", "word.%d" % number)]
  middle = len(words) // 2
  return words[:middle] + [("sit",)] * sits + words[middle:]


def archiving(sits):
  """A box that is full after its first sit, so that later ones send months to the archive."""
  return [("sit",), ("fill",)] + [("sit",)] * sits


class Series:
  """A series of changes on a disk that is watched. `known[n]` is what is kept after n of them."""

  def __init__(self, program, server, folder, words, shares, environment, pause, begin):
    self.program = program
    self.folder = folder
    self.log = os.path.join(folder, "log")
    self.shares = shares
    self.known = [({}, frozenset())]
    disk = blocks.Disk(server, folder, SIZE)
    device = blocks.loop_device(disk.image)
    mounted = os.path.join(folder, "mounted")
    os.makedirs(mounted)
    subprocess.run(MAKE + [device], check=True)
    blocks.mount(device, mounted, "ext4", OPTIONS)
    try:
      box = Box(program, os.path.join(mounted, "box"), beside=os.path.join(folder, "service"),
                store=None if shares else os.path.join(folder, "elsewhere"))
      for number, change in enumerate(words):
        if number >= begin: disk.say(done=number, begun=number + 1)
        self.do(box, change, environment)
        if number >= begin: disk.say(done=number + 1, begun=number + 1)
        time.sleep(pause)
      disk.say(end=True)
    finally:
      blocks.unmount(mounted)
      subprocess.run(["losetup", "--detach", device], check=True)
      disk.close()

  def do(self, box, change, environment):
    if change[0] == "fill":
      # Nothing that the box does itself: it counts once the disk has it.
      box.fill()
      subprocess.run(["sync", "--file-system", box.state], check=True)
      result = box.run("sync")
    elif change[0] == "sit":
      result = box.sit(environment=environment)
    else:
      result = box.run("kv", *change, environment=environment)
    assert result.status == 0, "%s: %s" % (change, result.err)
    contents, wrong = box.read()
    assert not wrong and contents not in self.known, (change, wrong)
    self.known.append(contents)


class Judge:
  """Looks at states one after the other, with the real program."""

  def __init__(self, series, folder):
    self.series = series
    self.builder = blocks.Builder(series.log, SIZE, folder)
    # Where the copy was elsewhere, nothing of it may help now.
    self.nowhere = None if series.shares else folder + ".elsewhere"
    self.box = Box(series.program, os.path.join(self.builder.folder, "box"), store=self.nowhere)
    self.copies = {}
    self.started = set()
    self.counts = collections.Counter()
    self.wrong = []

  def judge(self, state):
    self.builder.build(state)
    try:
      blocks.mount(self.builder.device, self.builder.folder, "ext4", OPTIONS)
    except OSError as error:
      self.count("unmountable", state, str(error))
      return
    try:
      self.look(state)
    finally:
      blocks.unmount(self.builder.folder)

  def look(self, state):
    done, begun = state.promise["done"], state.promise["begun"]
    truth = os.path.join(self.box.state, "truth.kv")
    if done > 0 and not (os.path.exists(truth) and os.path.getsize(truth) > 0):
      self.count("empty", state, truth)
      return
    contents, wrong = self.box.read()
    what = self.verdict(contents, wrong, done, begun)
    if what:
      self.count(what, state, wrong or "%s %s" % contents)
      return
    copies = self.copies_verdict(done, begun) if self.series.shares else None
    if copies:
      self.count("copy", state, copies)
      return
    fault = self.start(contents, done)
    self.count("start" if fault else "right", state, fault)

  def verdict(self, contents, wrong, done, begun):
    """What is wrong with contents, or nothing."""
    if wrong or contents not in self.series.known: return "torn"
    found = self.series.known.index(contents)
    if found < done: return "older"
    return "torn" if found > begun else None

  def copies_verdict(self, done, begun):
    """The copy in the shared folder, read as if it were a truth. Equal files are read once."""
    names = [name for name in self.box.names() if name.startswith("store/")]
    main = [name for name in names if name.count("/") == 1 and name.count(".") == 1]
    if len(main) != 1: return "%d copies" % len(main) if done > 0 or main else None
    device = os.path.basename(main[0])[:-len(".kv")]
    files = []
    for name in names:
      if not name.endswith(".kv"): continue
      # The names of volumes in a state folder, without the device.
      place = os.path.join(os.path.dirname(name)[len("store/"):],
                           os.path.basename(name).replace(device + ".", "", 1))
      with open(os.path.join(self.box.root, name), "rb") as file:
        files.append(("truth.kv" if place == "kv" else place, file.read()))
    files = tuple(files)
    if files not in self.copies: self.copies[files] = self.read_copy(files)
    what = self.verdict(*self.copies[files], done, begun)
    return "%s: %s" % (what, main[0]) if what else None

  def read_copy(self, files):
    with tempfile.TemporaryDirectory() as folder:
      box = Box(self.series.program, folder)
      for name, whole in files:
        path = os.path.join(box.state, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file: file.write(whole)
      return box.read()

  def start(self, contents, done):
    """The next start on these folders. Folders with equal files are started once."""
    if self.nowhere: shutil.rmtree(self.nowhere, ignore_errors=True)
    digest = hashlib.sha256()
    for name in self.box.names():
      with open(os.path.join(self.box.root, name), "rb") as file: whole = file.read()
      digest.update(b"%s\0%d\0%s" % (name.encode(), len(whole), whole))
    if digest.digest() in self.started: return None
    self.started.add(digest.digest())
    return self.box.next_start(contents, {})

  def count(self, what, state, text=None):
    self.counts[what] += 1
    self.counts["kind " + state.kind] += 1
    if what != "right" and len(self.wrong) < 20:
      self.wrong.append("%s, state %s of epoch %d, %s: %s" % (
          what, state.kind, state.epoch, state.promise, text))


def judge_part(job):
  """One worker's share of the states."""
  series, share, folder = job
  judge = Judge(series, folder)
  try:
    for state in share: judge.judge(state)
  finally:
    judge.builder.close()
  judge.counts["starts"] = len(judge.started)
  return judge.counts, judge.wrong


def run(program, server, folder, words, subsets, shares=True, environment=None, pause=0,
        begin=0, workers=4):
  """A series and all its states. `shares`: whether the shared folder is on the same disk, where its
  later fsync would help a truth that lacks its own. `begin`: the change from which states count.
  Returns counts by verdict, and what was wrong.
  """
  os.makedirs(folder)
  series = Series(program, server, folder, words, shares, environment, pause, begin)
  found = blocks.states(series.log, SIZE, subsets, seed=5)
  count = -(-len(found) // workers)
  jobs = [(series, found[worker * count:(worker + 1) * count], os.path.join(folder, str(worker)))
          for worker in range(workers)]
  with multiprocessing.Pool(workers) as pool:
    ends = pool.map(judge_part, jobs)
    # They end by themselves: a signal may find one with a lock that it then waits for, for ever.
    pool.close()
    pool.join()
  counts = sum((end[0] for end in ends), collections.Counter())
  counts["states"] = len(found)
  shutil.rmtree(folder, ignore_errors=True)
  return counts, [text for end in ends for text in end[1]]
