"""What an engine does to files, each with what was seen of Syncthing 1.19.2 in its place.

A situation that did not come about proves nothing, so each one also expects the engine's part."""
import os

from stage import Failure, until

ALL = []


def situation(play):
    ALL.append(play)
    return play


@situation
def first(stage):
    """one box has sits, the other has none: it takes them over"""
    stage.sits(stage.kitchen)
    stage.pair.settle()
    stage.expect(stage.kitchen.copy in stage.copies(stage.study), "the kitchen's copy in the study")
    stage.check()


@situation
def both_apart(stage):
    """both sit while apart, and meet again"""
    stage.pair.part()
    stage.sits(stage.kitchen, stage.study, stage.kitchen)
    stage.pair.join()
    stage.check()
    stage.expect(not stage.conflicts(), "no conflict, since each writes its own file")


def two_generations(stage):
    """The kitchen sits once more; what its copy was before, and the study has a later one."""
    old = stage.read(stage.kitchen, stage.kitchen.copy)
    stage.sits(stage.kitchen)
    stage.pair.settle()
    return old


def old_copy_against_new(stage, age, wanted):
    """While apart the kitchen sits, and a backup puts an older copy of its file into the study's
    folder, so many seconds older or younger than the kitchen's."""
    old = two_generations(stage)
    stage.pair.part()
    stage.sits(stage.kitchen)
    new = stage.read(stage.kitchen, stage.kitchen.copy)
    stage.write(stage.study, stage.kitchen.copy, old, age)
    stage.pair.join()
    stage.pair.settle()
    now = stage.read(stage.study, stage.kitchen.copy)
    stage.expect(now == (new if wanted == "new" else old), f"the {wanted} bytes to win")
    return stage.conflicts()


@situation
def conflict_new_wins(stage):
    """two versions of one copy, limit 10, the box's own is the younger"""
    stage.expect(old_copy_against_new(stage, 3600, "new"), "a conflict copy")
    stage.check()


@situation
def conflict_old_wins(stage):
    """two versions of one copy, limit 10, a backup's is the younger"""
    stage.expect(old_copy_against_new(stage, -3600, "old"), "a conflict copy")
    stage.check()


@situation
def conflict_no_copy(stage):
    """two versions of one copy, limit 0, a backup's is the younger: the box's own vanishes"""
    stage.pair.change(maxConflicts=0)
    stage.expect(not old_copy_against_new(stage, -3600, "old"), "no conflict copy")
    stage.pair.change(maxConflicts=10)
    stage.check()


@situation
def conflict_no_copy_new(stage):
    """two versions of one copy, limit 0, the box's own is the younger"""
    stage.pair.change(maxConflicts=0)
    stage.expect(not old_copy_against_new(stage, 3600, "new"), "no conflict copy")
    stage.pair.change(maxConflicts=10)
    stage.check()


@situation
def same_bytes(stage):
    """the same bytes written on both while apart"""
    stage.pair.part()
    stage.sits(stage.kitchen)
    stage.write(stage.study, stage.kitchen.copy, stage.read(stage.kitchen, stage.kitchen.copy), 60)
    stage.pair.join()
    stage.pair.settle()
    stage.expect(not stage.conflicts(), "no conflict copy")
    stage.check()


@situation
def clock_of_1970(stage):
    """a box whose clock says 1970 loses a conflict"""
    old = two_generations(stage)
    stage.pair.part()
    stage.sits(stage.kitchen)
    os.utime(os.path.join(stage.kitchen.store, stage.kitchen.copy), (10, 10))
    stage.write(stage.study, stage.kitchen.copy, old)
    stage.pair.join()
    stage.pair.settle()
    stage.expect(stage.read(stage.kitchen, stage.kitchen.copy) == old, "the copy of 1970 to lose")
    stage.check()


@situation
def time_of_1970(stage):
    """a copy with a time of 1970, no conflict"""
    stage.sits(stage.kitchen)
    os.utime(os.path.join(stage.kitchen.store, stage.kitchen.copy), (10, 10))
    stage.pair.settle()
    stage.expect(stage.read(stage.study, stage.kitchen.copy)
                 == stage.read(stage.kitchen, stage.kitchen.copy), "the copy in the study")
    stage.check()


@situation
def delete_against_change(stage):
    """a copy deleted on the other box while its own changes it"""
    stage.pair.part()
    os.remove(os.path.join(stage.study.store, stage.kitchen.copy))
    stage.sits(stage.kitchen)
    new = stage.read(stage.kitchen, stage.kitchen.copy)
    stage.pair.join()
    stage.pair.settle()
    stage.expect(stage.copies(stage.study).get(stage.kitchen.copy) == new, "the change to win")
    stage.check()


@situation
def change_against_delete(stage):
    """a box's own copy deleted while an older one is put in its place on the other"""
    old = stage.read(stage.kitchen, stage.kitchen.copy)
    stage.sits(stage.kitchen)
    stage.pair.settle()
    stage.pair.part()
    os.remove(os.path.join(stage.kitchen.store, stage.kitchen.copy))
    stage.write(stage.study, stage.kitchen.copy, old)
    stage.pair.join()
    stage.pair.settle()
    stage.expect(stage.copies(stage.kitchen).get(stage.kitchen.copy) == old, "the older copy")
    stage.check()


@situation
def not_scanned(stage):
    """a change comes in before the box's own newer write was scanned"""
    old = two_generations(stage)
    stage.sits(stage.kitchen)
    new = stage.read(stage.kitchen, stage.kitchen.copy)
    stage.write(stage.study, stage.kitchen.copy, old)
    stage.pair.settle(stage.engine(stage.study))
    held = stage.copies(stage.kitchen)
    stage.expect(new in held.values(), "the box's own write to be there under some name")
    stage.expect(held[stage.kitchen.copy] != new or stage.conflicts(), "a conflict")
    stage.check()


@situation
def rolled_back_copy(stage):
    """a box's own copy rolled back, and that carried to the other"""
    old = stage.read(stage.kitchen, stage.kitchen.copy)
    stage.sits(stage.kitchen)
    stage.pair.settle()
    stage.write(stage.kitchen, stage.kitchen.copy, old, 7200)
    stage.pair.settle()
    stage.expect(stage.read(stage.study, stage.kitchen.copy) == old, "the older copy in the study")
    stage.expect(not stage.conflicts(), "no conflict copy")
    stage.check()


@situation
def rolled_back_box(stage):
    """a whole box rolled back, its truth and its folder; it sits before it has met the other"""
    stage.sits(stage.kitchen, stage.study)
    kept = {name: (stage.kitchen.state, os.path.join(stage.kitchen.state, name))
            for name in ("truth.kv", "truth.kv.1")}
    before = {}
    for name, (_, path) in kept.items():
        if os.path.exists(path):
            with open(path, "rb") as file:
                before[path] = file.read()
    old = stage.copies(stage.kitchen)
    stage.sits(stage.kitchen)
    stage.check()
    for path, content in before.items():
        with open(path, "wb") as file:
            file.write(content)
    for name, content in old.items():
        stage.write(stage.kitchen, name, content, 7200)
    stage.sits(stage.kitchen)
    stage.pair.settle()
    stage.check()


@situation
def emptied_at_home(stage):
    """a box's own copy emptied, and that carried to the other"""
    stage.sits(stage.kitchen)
    stage.pair.settle()
    stage.write(stage.kitchen, stage.kitchen.copy, b"")
    stage.pair.settle()
    stage.expect(stage.read(stage.study, stage.kitchen.copy) == b"", "an empty copy in the study")
    stage.expect(not stage.conflicts(), "no conflict copy")
    stage.check()


@situation
def emptied_far(stage):
    """a box's copy emptied on the other, and that carried back to it"""
    stage.sits(stage.kitchen)
    stage.pair.settle()
    stage.write(stage.study, stage.kitchen.copy, b"")
    stage.pair.settle()
    stage.expect(stage.read(stage.kitchen, stage.kitchen.copy) == b"", "an empty copy at home")
    stage.check()


@situation
def torn(stage):
    """a copy torn in the middle, with noughts at its end, carried to both"""
    stage.sits(stage.kitchen)
    whole = stage.read(stage.kitchen, stage.kitchen.copy)
    stage.pair.settle()
    stage.write(stage.kitchen, stage.kitchen.copy, whole[:len(whole) // 2] + bytes(100))
    stage.pair.settle()
    stage.expect(stage.read(stage.study, stage.kitchen.copy) != whole, "a torn copy in the study")
    stage.check()


@situation
def all_emptied(stage):
    """every copy emptied on both"""
    stage.sits(stage.study)
    stage.pair.settle()
    for name in stage.copies(stage.study):
        stage.write(stage.study, name, b"")
    stage.pair.settle()
    stage.expect(not any(stage.copies(stage.kitchen).values()), "nothing but empty copies")
    stage.check()


@situation
def all_deleted(stage):
    """every copy deleted on both"""
    stage.sits(stage.study)
    stage.pair.settle()
    for name in stage.copies(stage.study):
        os.remove(os.path.join(stage.study.store, name))
    stage.pair.settle()
    stage.expect(not stage.copies(stage.kitchen), "no copy")
    stage.check()


@situation
def new_card(stage):
    """a new card in a box whose newest sit is in a conflict copy alone"""
    stage.expect(old_copy_against_new(stage, -3600, "old"), "a conflict copy")
    stage.new_card(stage.kitchen)
    stage.check()
    # The old device's own conflict copy is nobody's now, and stays.
    for name in stage.conflicts():
        os.remove(os.path.join(stage.study.store, name))
    stage.check()


@situation
def strange_names(stage):
    """copies under the names that other engines and people give them"""
    laptop = stage.third("laptop")
    own = laptop.copy[:-3]
    content = stage.read(laptop, laptop.copy)
    shapes = (
        f"{own}.sync-conflict-20261130-120000-ABCDEFG.kv", f"{own} (conflicted copy 2026-11-30).kv",
        f"{own} (laptop's conflicted copy 2026-11-30).kv", f"{own}-LAPTOP.kv", f"{own}.Conflict.kv",
        f"archive/{own}.2025.kv")
    for index, shape in enumerate(shapes):
        laptop.sit()
        laptop.sync()
        stage.kitchen.acknowledged |= laptop.acknowledged
        content = stage.read(laptop, laptop.copy)
        stage.write(stage.boxes[index % 2], shape, content)
        stage.check()
        for box in stage.boxes:
            stage.expect(shape in stage.copies(box), f"{shape} on both")
    for shape in shapes:
        os.remove(os.path.join(stage.kitchen.store, shape))
    stage.check()


@situation
def definitions(stage):
    """one definition changed on both while apart, each in another of its fields"""
    key = "programme.evening"
    stage.kitchen.set(key, {"segments": "sit 10m", "rounds": 1})
    stage.check()
    stage.pair.part()
    stage.kitchen.set(key, {"segments": "sit 10m", "rounds": 2})
    stage.study.set(key, {"segments": "walk 5m, sit 10m", "rounds": 1})
    for box in stage.boxes:
        box.sync()
    stage.pair.join()
    stage.check()
    wanted = {"segments": "walk 5m, sit 10m", "rounds": 2}
    for box in stage.boxes:
        stage.expect(box.get(key) == wanted, f"{wanted}, got {box.get(key)}")


@situation
def temporaries(stage):
    """temporaries, damaged and private files are not carried"""
    names = (".dat.nosync1a2b.AbCdEf", f"{stage.kitchen.copy}~", f".{stage.kitchen.copy}.XyZ123",
             f"{stage.kitchen.copy}.damaged-1", f".syncthing.timerbox-{stage.kitchen.copy}",
             f"._{stage.kitchen.copy}", "notes.txt", "archive/notes.txt", "key.pem")
    for name in names:
        stage.write(stage.kitchen, name, b"not for others\n")
    stage.sits(stage.kitchen)
    stage.pair.settle()
    stage.check()
    carried = [name for name in names if os.path.exists(os.path.join(stage.study.store, name))]
    stage.expect(not carried, f"none of them in the study, got {carried}")
    for name in names:
        path = os.path.join(stage.kitchen.store, name)
        if os.path.exists(path):
            os.remove(path)


@situation
def index_lost(stage):
    """an engine that has lost its index meets a newer copy of a file it also has"""
    engine = stage.engine(stage.study)
    stage.sits(stage.study)
    stage.pair.settle()
    engine.stop()
    engine.forget()
    stage.sits(stage.kitchen, stage.study)
    engine.start()
    other = stage.engine(stage.kitchen)
    until("a connection", lambda: engine.sees(other) and other.sees(engine))
    stage.pair.settle()
    stage.check()


@situation
def watched(stage):
    """as it is set up, with both services running: a sit here is in the history there by itself"""
    stage.pair.change(fsWatcherEnabled=True)
    with stage.kitchen.service(), stage.study.service():
        for here, there in ((stage.kitchen, stage.study), (stage.study, stage.kitchen)):
            new = here.sit_now()
            until("the sit in the other's history", lambda: new in there.identities(), 90)
    stage.pair.change(fsWatcherEnabled=False)
    stage.check()


@situation
def mended(stage):
    """as it is set up, with both services running: an emptied and a rolled-back copy come right"""
    old = two_generations(stage)
    stage.check()
    whole = stage.copies(stage.kitchen)
    stage.pair.change(fsWatcherEnabled=True)
    with stage.kitchen.service(), stage.study.service():
        for content in (b"", old):
            stage.write(stage.study, stage.kitchen.copy, content)
            until("the kitchen's copy whole again on both",
                  lambda: stage.copies(stage.kitchen) == stage.copies(stage.study) == whole, 90)
    stage.pair.change(fsWatcherEnabled=False)
    stage.check()


@situation
def idle(stage):
    """both services run, nobody sits: 100 scans of both change no file"""
    with stage.kitchen.service(), stage.study.service():
        # What their start brings is carried first.
        stage.pair.settle()
        stage.pair.settle()
        before = [stage.footprints(box) for box in stage.boxes]
        for cycle in range(1, 101):
            stage.pair.settle()
            after = [stage.footprints(box) for box in stage.boxes]
            if after != before:
                changed = sorted(path for index in (0, 90)
                                 for path in set(before[index]) | set(after[index])
                                 if before[index].get(path) != after[index].get(path))
                raise Failure(f"expected no write in 100 scans, got in scan {cycle}: {changed}")
        stage.expect(stage.copies(stage.kitchen) == stage.copies(stage.study), "the same bytes")
    stage.check()
