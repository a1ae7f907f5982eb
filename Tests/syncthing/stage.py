"""Two boxes and what carries their sits; what must hold after each situation."""
import contextlib
import os
import shutil

from box import Box
from engine import Engine, Failure, Pair, replicas, until

__all__ = ["Failure", "Stage", "until"]


class Stage:
    def __init__(self, program, syncthings, root):
        self.program = program
        self.root = root
        self.boxes = []
        engines = []
        for number, name in enumerate(("kitchen", "study")):
            box = Box(program, self.folder(name))
            self.boxes.append(box)
            engines.append(Engine(syncthings[number], box.root, box.store, number))
        self.kitchen, self.study = self.boxes
        self.engines = engines
        try:
            self.pair = Pair(*engines)
        except BaseException:
            self.close()
            raise

    def folder(self, name):
        path = os.path.join(self.root, name)
        os.mkdir(path)
        return path

    def close(self):
        for engine in self.engines:
            engine.stop()

    def recover(self):
        """Makes whole what a failed situation may have left, so that the next one stands alone."""
        try:
            self.pair.join()
            self.pair.change(maxConflicts=10, fsWatcherEnabled=False)
            self.pair.settle()
            for name in self.conflicts():
                os.remove(os.path.join(self.kitchen.store, name))
            self.pair.settle()
            # A sit that was lost is told once.
            for box in self.boxes:
                box.acknowledged &= self.kitchen.identities() & self.study.identities()
        except (Failure, OSError) as failure:
            print(f"# what it left could not be made whole: {failure}", flush=True)

    # Files

    def engine(self, box):
        return self.engines[self.boxes.index(box)]

    @staticmethod
    def read(box, name):
        with open(os.path.join(box.store, name), "rb") as file:
            return file.read()

    @staticmethod
    def write(box, name, content, age=None):
        """Puts a file in a box's shared folder as another program would; with an age in seconds,
        its time of change lies that far back."""
        path = os.path.join(box.store, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + "~", "wb") as file:
            file.write(content)
        os.rename(path + "~", path)
        if age is not None:
            Stage.age(box, name, age)

    @staticmethod
    def age(box, name, age):
        path = os.path.join(box.store, name)
        now = os.stat(path).st_ctime
        os.utime(path, (now - age, now - age))

    @staticmethod
    def copies(box):
        """The bytes of each replica in a box's shared folder."""
        found = {}
        for name in replicas(box.store):
            # Where services run, one may go between its name and its bytes.
            with contextlib.suppress(FileNotFoundError):
                found[name] = Stage.read(box, name)
        return found

    def conflicts(self):
        return sorted({name for box in self.boxes for name in self.copies(box)
                       if ".sync-conflict-" in name})

    @staticmethod
    def footprints(box):
        """What any write would change of the files that a box has: their inodes and times."""
        found = {}
        for top in (box.state, box.store):
            for at, _, names in os.walk(top):
                for name in names:
                    if ".kv" in name:
                        path = os.path.join(at, name)
                        status = os.stat(path)
                        found[path] = (status.st_ino, status.st_mtime_ns, status.st_ctime_ns)
        return found

    # What happens

    def sits(self, *boxes):
        """One sit in each of the boxes, merged there with what lies in its folder."""
        for box in boxes:
            box.sit()
            box.sync()

    def expect(self, holds, what):
        if not holds:
            raise Failure(f"expected {what}")

    def merged(self):
        """Both merge once, the engines carry it, both merge again, the engines carry that."""
        for _ in range(2):
            for box in self.boxes:
                box.sync()
            self.pair.settle()

    def check(self):
        """Merges, and holds both boxes against every sit that was ever acknowledged."""
        self.merged()
        acknowledged = self.kitchen.acknowledged | self.study.acknowledged
        for box in self.boxes:
            name = os.path.basename(box.root)
            lost = acknowledged - box.identities()
            self.expect(not lost, f"every acknowledged sit in the {name}, "
                        f"{len(lost)} of {len(acknowledged)} are missing: {sorted(lost)}")
            self.expect(self.read(box, box.copy), f"the {name}'s own copy not to be empty")
        self.expect(self.kitchen.history() == self.study.history(), "equal histories")
        self.expect(self.copies(self.kitchen) == self.copies(self.study),
                    "the same copies in both shared folders")
        own = tuple(box.copy[:-3] for box in self.boxes)
        left = [name for name in self.conflicts() if name.startswith(own)]
        self.expect(not left, f"no conflict copy of a box's own file left, got {left}")
        before = [self.footprints(box) for box in self.boxes]
        for box in self.boxes:
            box.sync()
        self.expect(before == [self.footprints(box) for box in self.boxes],
                    "no write by a merge that brings nothing")

    def third(self, name):
        """A device that is not carried by an engine: its box, of the same owner, with a sit."""
        box = Box(self.program, self.folder(name))
        for copy, content in self.copies(self.kitchen).items():
            self.write(box, copy, content)
        box.sync()
        box.sit()
        box.sync()
        self.kitchen.acknowledged |= box.acknowledged
        return box

    @staticmethod
    def new_card(box):
        """The box's card is replaced: nothing is left of what it kept for itself."""
        shutil.rmtree(box.state)
