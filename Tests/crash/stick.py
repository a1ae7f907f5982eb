"""A USB stick pulled at any write: `timerbox sync DIR` onto vfat and exFAT.

This kernel may lack both, so Linux runs as a program (`kernel`, `guest`): its disk is the one that
`blocks` watches. The host makes the file system; in the guest a box changes something and syncs,
several times; then a second guest builds every state of the stick and tries it:

- Another box syncs with it. It must read what was acknowledged, or what was under way (`right`), or
  say that something is wrong (`noticed`), or find no copy at all (`gone`).
- The box that wrote it syncs again, after a check of the file system where the kernel refuses to
  write without one (`repaired`). That must mend the stick: a third box then reads everything.
- The first box's own truth has lost nothing.
"""
import collections
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import blocks
from box import Box

HERE = os.path.dirname(os.path.abspath(__file__))
SIZE = 4 << 20
MAKE = {"vfat": ["mkfs.vfat", "-F", "32", "-s", "1"], "exfat": ["mkfs.exfat"]}
REPAIR = {"vfat": ["fsck.vfat", "-a", "-w"], "exfat": ["fsck.exfat", "-y"]}
HOST, STICK = "/run/host", "/run/stick"
CHANGES = 6
# Verdicts that may not be, in any state.
WRONG = ["older or torn", "not mended", "unmountable"]
# What a disk that keeps its writes in order may come to, beside `right`. On exFAT the new entry of
# a renamed file may lie across two sectors, and the first takes the old one away.
IN_ORDER = {"vfat": [], "exfat": ["gone"]}


# On the host.

def boot(kernel, folder, words, image=None, environment=None, seconds=240):
  """Runs stick.py in a guest. Raises what it printed if it fails."""
  status = os.path.join(folder, "status")
  if os.path.exists(status): os.unlink(status)
  line = [kernel, "mem=512M", "root=/dev/root", "rootfstype=hostfs", "rootflags=/", "ro", "quiet",
          "con=null", "con0=null,fd:1", "panic=-1", "init=" + os.path.join(HERE, "guest"),
          "CRASH_FOLDER=" + folder, "CRASH_WORDS=" + ",".join(words)]
  if image: line.append("ubd0=" + image)
  line += ["%s=%s" % pair for pair in (environment or {}).items()]
  # A kernel of this kind keeps its memory in a file of TMPDIR.
  kernel = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, env=dict(os.environ, TMPDIR=folder),
                            start_new_session=True)
  try:
    console = kernel.communicate(timeout=seconds)[0]
  finally:
    # Its threads are processes of their own.
    if kernel.poll() is None: os.killpg(kernel.pid, signal.SIGKILL)
  if not os.path.exists(status):
    raise OSError("the guest did not end well: " + console.decode(errors="replace")[-2000:])
  with open(status) as file: ended = file.read().strip()
  with open(os.path.join(folder, "printed")) as file: printed = file.read()
  if ended != "0": raise OSError("in the guest, status %s: %s" % (ended, printed[-2000:]))


def run(program, server, kernel, folder, kind, subsets, environment=None):
  """A series of syncs and all the stick's states. Returns counts by verdict, and what was wrong."""
  os.makedirs(folder)
  disk = blocks.Disk(server, folder, SIZE)
  try:
    subprocess.run(MAKE[kind] + [disk.image], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    boot(kernel, folder, ["write", program, kind], disk.image, environment)
  finally:
    disk.close()
  flushes = sum(record[0] == "F" for record in blocks.records(os.path.join(folder, "log")))
  if flushes < CHANGES and not environment: raise OSError("the guest's disk flushes nothing")
  boot(kernel, folder, ["check", program, kind, str(subsets)])
  with open(os.path.join(folder, "result")) as file: result = json.load(file)
  shutil.rmtree(folder)
  return collections.Counter(result["counts"]), result["wrong"]


def is_right(counts, kind):
  """Whether all states are as they may be, and whether enough of them are to mean something."""
  ordered = counts["in order"]
  allowed = sum(counts[what + ", in order"] for what in ["right"] + IN_ORDER[kind])
  return (ordered >= 30 and allowed == ordered and counts["right, in order"] >= 0.9 * ordered
          and not any(counts[what] for what in WRONG))


def told(counts):
  """Counts in words."""
  words = ["%d states" % counts["states"]]
  words += ["%d %s" % (counts[what], what)
            for what in ("right", "noticed", "gone", "repaired", *WRONG) if counts[what]]
  return ", ".join(words)


# In the guest.

def box_at(program, name):
  """A box whose folders are in memory."""
  return Box(program, os.path.join("/run/boxes", name))


def sync(box, environment=None):
  """Syncs with the stick. Returns the status, and what was said to be wrong or nothing."""
  result = box.run("sync", STICK, "--json", environment=environment)
  wrong = [result.err.strip()] if result.status != 0 or result.err else []
  if result.out:
    told = json.loads(result.out)
    wrong += told["salvaged"] + told["folderProblems"]
    wrong += [peer["problem"] for peer in told["peers"] if peer["problem"]]
  return result.status, "; ".join(wrong)


def said(**words):
  with open(os.path.join(HOST, "disk", "said"), "w") as file: file.write(json.dumps(words))


def text_of(box):
  """What the box has under the one key; nothing where it has none."""
  return box.run("kv", "get", "text").out.strip()


def write(program, kind):
  """A box changes something and syncs, several times."""
  blocks.mount("/dev/ubda", STICK, kind, "")
  lie = {}
  if os.environ.get("SHIM"):
    lie = {"LD_PRELOAD": os.environ["CRASH_LIBRARY"], "SHIM": os.environ["SHIM"]}
  box, known = box_at(program, "writer"), [""]
  # Whoever has sits is whose store the other boxes' becomes.
  assert box.sit().status == 0
  for number in range(1, CHANGES + 1):
    # More than one cluster, and another length each time.
    text = '"%s"' % (("é%d" % number) * (1000 * (number % 3) + 100))
    said(done=number - 1, begun=number)
    assert box.run("kv", "set", "text", text).status == 0
    status, wrong = sync(box, lie)
    assert status == 0 and not wrong, wrong
    said(done=number, begun=number)
    assert text_of(box) == text
    known.append(text)
  said(end=True)
  with open(os.path.join(HOST, "known"), "w") as file: json.dump(known, file)
  shutil.copytree(box.root, os.path.join(HOST, "writer"))
  blocks.unmount(STICK)


class Judge:
  """Tries one state of the stick after the other."""

  def __init__(self, program, kind):
    self.program = program
    self.kind = kind
    self.builder = blocks.Builder(os.path.join(HOST, "log"), SIZE, "/run/builder")
    with open(os.path.join(HOST, "known")) as file: self.known = json.load(file)
    self.counts = collections.Counter()
    self.wrong = []
    self.tried = {}

  def judge(self, state):
    try:
      self.insert(state)
    except OSError as error:
      self.count("unmountable", state, str(error))
      return
    try:
      self.count(*self.look(state))
    finally:
      blocks.unmount(STICK)

  def insert(self, state):
    """Plugs the stick in as it was at a state."""
    self.builder.build(state)
    blocks.mount(self.builder.device, STICK, self.kind, "")

  def look(self, state):
    """The verdict on a state, the state, and what is wrong with it or nothing. Sticks that look
    alike to who reads all of them are tried once."""
    looks = self.looks()
    if looks not in self.tried:
      shutil.rmtree("/run/boxes", ignore_errors=True)
      reader = box_at(self.program, "reader")
      status, told = sync(reader)
      # What the reader left there must not help, nor hinder.
      blocks.unmount(STICK)
      self.insert(state)
      self.tried[looks] = text_of(reader), told, self.mend()
    text, told, unmended = self.tried[looks]
    if unmended: return "not mended", state, unmended
    if text in self.known[state.promise["done"]:state.promise["begun"] + 1]:
      return "right", state, None
    if told: return "noticed", state, told
    return "gone" if text == "" else "older or torn", state, text[:40]

  def looks(self):
    """A fingerprint of every file on the stick, as far as it can be read."""
    digest = hashlib.sha256()
    for place, folders, names in sorted(os.walk(STICK)):
      for name in sorted(names):
        try:
          with open(os.path.join(place, name), "rb") as file: whole = file.read()
        except OSError as error:
          whole = str(error).encode()
        digest.update(b"%s/%s\0%d\0%s" % (place.encode(), name.encode(), len(whole), whole))
    return digest.digest()

  def repair(self):
    """What a person does with a stick that has become read-only."""
    blocks.unmount(STICK)
    subprocess.run([*REPAIR[self.kind], self.builder.device], stdout=subprocess.DEVNULL)
    blocks.mount(self.builder.device, STICK, self.kind, "")

  def mend(self):
    """Lets the writer sync again, at most twice: then a third box must read everything from the
    stick, and the writer has lost nothing. Returns what is wrong, or nothing."""
    writer, third = box_at(self.program, "writer"), box_at(self.program, "third")
    shutil.copytree(os.path.join(HOST, "writer"), writer.root)
    status, wrong = sync(writer)
    if "is read-only" in wrong or "the disk failed" in wrong:
      # The kernel saw that the file system contradicts itself, and takes no more writes until it
      # is checked. The program said so.
      self.counts["repaired"] += 1
      self.repair()
      status, wrong = sync(writer)
    if status != 0: status, wrong = sync(writer)
    if status != 0: return "the writer's sync: " + wrong
    if text_of(writer) != self.known[-1]: return "the writer has lost something"
    status, wrong = sync(third)
    if status != 0 or wrong: return "a third box's sync: " + wrong
    return None if text_of(third) == self.known[-1] else "a third box reads something else"

  def count(self, what, state, text):
    self.counts[what] += 1
    self.counts["%s, %s" % (what, state.kind)] += 1
    self.counts[state.kind] += 1
    if what != "right" and len(self.wrong) < 20:
      self.wrong.append("%s, state %s of epoch %d, %s: %s" % (
          what, state.kind, state.epoch, state.promise, text))


def check(program, kind, subsets):
  judge = Judge(program, kind)
  found = blocks.states(os.path.join(HOST, "log"), SIZE, int(subsets), seed=5)
  began = time.monotonic()
  for state in found: judge.judge(state)
  judge.counts["states"] = len(found)
  judge.counts["sticks"] = len(judge.tried)
  judge.counts["seconds"] = int(time.monotonic() - began)
  with open(os.path.join(HOST, "result"), "w") as file:
    json.dump({"counts": judge.counts, "wrong": judge.wrong}, file)


if __name__ == "__main__":
  {"write": write, "check": check}[sys.argv[1]](*sys.argv[2:])
