"""What a power cut leaves on a real file system: every write to the disk below it is known.

`disk` (disk.c) is the disk: it logs each write and flush in order, and beside them what had been
promised by then. From that log the disk is built as it may have been at any instant, mounted, so
that the kernel replays its journal, and read by the real program. States are

- each prefix of the log, whole,
- each prefix without any write since the last flush, and
- each prefix with a random part of those writes, sector by sector, which is what a disk that
  reorders may keep.

A state is the disk's bytes: two instants with equal bytes are one, judged by the later promise.
"""
import ctypes
import hashlib
import json
import os
import random
import struct
import subprocess
import time

SECTOR = 512
libc = ctypes.CDLL(None, use_errno=True)


def mount(device, folder, kind, options):
  if libc.mount(device.encode(), folder.encode(), kind.encode(), 0, options.encode()) != 0:
    number = ctypes.get_errno()
    raise OSError(number, "mount: " + os.strerror(number))


def unmount(folder):
  for attempt in range(50):
    if libc.umount2(folder.encode(), 0) == 0: return
    # Who looked at it a moment ago may not have let go yet.
    time.sleep(0.02)
  number = ctypes.get_errno()
  raise OSError(number, "umount %s: %s" % (folder, os.strerror(number)))


def sweep(folder):
  """Takes away what an interrupted run has left mounted below a folder."""
  with open("/proc/mounts") as file: places = [line.split()[1] for line in file]
  for place in reversed(places):
    # MNT_DETACH: a worker's program may still look at it.
    if place.startswith(folder + "/"): libc.umount2(place.encode(), 2)
  loops = subprocess.run(["losetup", "--list", "--noheadings", "--output", "NAME,BACK-FILE"],
                         text=True, stdout=subprocess.PIPE).stdout
  for line in loops.splitlines():
    if folder + "/" in line: subprocess.run(["losetup", "--detach", line.split()[0]])


def loop_device(path):
  """A loop device on a file."""
  return subprocess.run(["losetup", "--find", "--show", path], check=True, text=True,
                        stdout=subprocess.PIPE).stdout.strip()


class Disk:
  """A disk whose writes are logged, from its making to `close`."""

  def __init__(self, server, folder, size):
    self.size = size
    self.log = os.path.join(folder, "log")
    self.folder = os.path.join(folder, "disk")
    os.makedirs(self.folder)
    self.server = subprocess.Popen([server, self.log, self.folder, str(size)])
    self.image = os.path.join(self.folder, "image")
    limit = time.monotonic() + 10
    while not os.path.exists(self.image):
      if self.server.poll() is not None or time.monotonic() > limit:
        raise OSError("the disk's file system was not mounted")
      time.sleep(0.01)

  def say(self, **words):
    """Writes into the log what is promised from now on."""
    with open(os.path.join(self.folder, "said"), "w") as file: file.write(json.dumps(words))

  def close(self):
    unmount(self.folder)
    self.server.wait()


def records(log):
  """The log's records: kind, offset, bytes."""
  with open(log, "rb") as file: whole = file.read()
  place = 0
  while place < len(whole):
    kind = chr(whole[place])
    offset, length = struct.unpack_from("<QQ", whole, place + 1)
    yield kind, offset, whole[place + 17:place + 17 + length]
    place += 17 + length


class Image:
  """A disk's bytes, which knows a fingerprint of them after each change."""

  def __init__(self, size):
    self.bytes = bytearray(size)
    self.fingerprint = 0

  def write(self, sector, piece):
    at = sector * SECTOR
    if self.bytes[at:at + SECTOR] == piece: return
    self.fingerprint ^= Image.mark(sector, bytes(self.bytes[at:at + SECTOR]))
    self.bytes[at:at + SECTOR] = piece
    self.fingerprint ^= Image.mark(sector, piece)

  @staticmethod
  def mark(sector, piece):
    digest = hashlib.blake2b(piece, digest_size=16, salt=struct.pack("<Q", sector)).digest()
    return int.from_bytes(digest, "little")


class State:
  """One possible disk: what is durable at an instant, and which sectors came on top."""

  def __init__(self, epoch, pieces, promise, kind):
    self.epoch = epoch
    self.pieces = pieces
    self.promise = promise
    self.kind = kind


def sectors(offset, piece):
  for start in range(0, len(piece), SECTOR):
    yield (offset + start) // SECTOR, bytes(piece[start:start + SECTOR])


def states(log, size, subsets, seed):
  """Every distinct state after the first thing said, in the log's order."""
  durable, chance = Image(size), random.Random(seed)
  pending, found, promise, epoch = [], {}, None, 0

  def add(pieces, kind):
    # Back again afterwards: a copy of the whole disk for each state would take minutes.
    kept = [(sector, bytes(durable.bytes[sector * SECTOR:(sector + 1) * SECTOR]))
            for sector, _ in pieces]
    for sector, piece in pieces: durable.write(sector, piece)
    state = found.get(durable.fingerprint)
    if state is None:
      found[durable.fingerprint] = State(epoch, list(pieces), promise, kind)
    else:
      state.promise = promise
    for sector, piece in reversed(kept): durable.write(sector, piece)

  def add_all(is_new_write):
    if promise is None: return
    if is_new_write: add(pending, "in order")
    add([], "in order")
    if is_new_write and len(pending) > 1:
      for _ in range(subsets):
        share = chance.random()
        add([piece for piece in pending if chance.random() < share], "part")

  for kind, offset, piece in records(log):
    if kind == "S":
      promise = json.loads(piece)
      if promise.get("end"): break
      if pending: add(pending, "in order")
      add_all(False)
    elif kind == "W":
      pending += list(sectors(offset, piece))
      add_all(True)
    elif kind == "F":
      for sector, part in pending: durable.write(sector, part)
      pending, epoch = [], epoch + 1
  return list(found.values())


class Builder:
  """Builds states on a loop device, one after the other, in the order of their epochs."""

  def __init__(self, log, size, folder):
    self.log = records(log)
    self.image = bytearray(size)
    self.epoch = 0
    os.makedirs(folder)
    self.path = os.path.join(folder, "image")
    self.file = open(self.path, "wb+", buffering=0)
    self.file.write(self.image)
    self.device = loop_device(self.path)
    self.folder = os.path.join(folder, "mounted")
    os.makedirs(self.folder)

  def build(self, state):
    pending = []
    while self.epoch < state.epoch:
      kind, offset, piece = next(self.log)
      if kind == "W":
        pending.append((offset, piece))
      elif kind == "F":
        for offset, piece in pending: self.image[offset:offset + len(piece)] = piece
        pending, self.epoch = [], self.epoch + 1
    whole = bytearray(self.image)
    for sector, piece in state.pieces: whole[sector * SECTOR:(sector + 1) * SECTOR] = piece
    self.file.seek(0)
    self.file.write(whole)

  def close(self):
    subprocess.run(["losetup", "--detach", self.device], check=True)
    self.file.close()
