"""A power cut after each change of the output folder leaves old or new files on the disk, no broken ones.

Once the command has ended, its files are there whatever happens.
"""
import os
import time

import commands
import failing
import power_cut
import pytest

COMMANDS = [command for command in commands.commands()
            if command.outputs and command.tries == commands.QUICK] + [
    commands.Command("surgeon prune {given}/float.onnx -o new/folder/out.onnx"),
    commands.Command("skill --install folder")]
OLD = b"old"


def is_temporary(name):
    return os.path.basename(name).startswith(".") and name.endswith(".tmp")


def broken(disk, before, after):
    """Of a state of the disk: the files that are neither old nor new."""
    found = [f"is missing: {name}" for name in before if name not in disk]
    for name, data in disk.items():
        if not is_temporary(name) and not any(failing.same(data, side.get(name)) for side in (before, after)):
            found.append(f"neither old nor new, {len(data)} bytes: {name}")
    return found


class Recorded:
    """A command's changes of its folder, in which the outputs were there before, or not."""

    def __init__(self, program, given, command, folder, old):
        self.program, self.words = program, [word.replace("{given}", str(given)) for word in command.words.split()]
        self.folder = folder / "work"
        self.folder.mkdir()
        for name in command.outputs if old else ():
            (self.folder / name).write_bytes(OLD)
        self.before = files_of(self.folder)
        self.disk = power_cut.Disk(self.folder)
        ran = program.run(self.words, self.folder, record=folder / "record")
        assert ran.code in failing.CODES, ran
        self.after = files_of(self.folder)
        self.changes = power_cut.changes(folder / "record", self.folder)

    def run_after(self, left):
        """The files of a run in a folder with files that a power cut has left, an hour ago."""
        folder = self.folder.with_name("again")
        for name, data in left.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            os.utime(path, (time.time() - 3600,) * 2)
        assert self.program.run(self.words, folder).code in failing.CODES
        return files_of(folder)


def files_of(folder):
    return {name: data for name, data in failing.tree(folder).items() if data is not None}


@pytest.mark.parametrize("old", [True, False], ids=["old", "new"])
@pytest.mark.parametrize("command", COMMANDS, ids=[command.name + f"-{i}" for i, command in enumerate(COMMANDS)])
def test_files_are_old_or_new(program, given, command, old, tmp_path):
    if old and not command.outputs:
        pytest.skip("it has no old files")
    recorded = Recorded(program, given, command, tmp_path, old)
    assert any(change.what == "write" for change in recorded.changes)
    found, left = [], {}
    for at, change in enumerate(recorded.changes):
        recorded.disk.apply(change)
        for disk in recorded.disk.after_a_cut():
            found += [f"after change {at} ({change.what} {change.paths}): {fault}"
                      for fault in broken(disk, recorded.before, recorded.after)]
            if any(map(is_temporary, disk)):
                left = disk
    for disk in recorded.disk.after_a_cut():
        found += [f"at the end, lost: {name}" for name, data in recorded.after.items() if disk.get(name) != data]
    assert not found, "\n".join(dict.fromkeys(found))
    if left:
        assert {name for name in recorded.run_after(left)} == set(recorded.after)


def replayed(*changes, folder):
    disk, found = power_cut.Disk(folder), []
    for change in changes:
        disk.apply(change)
        for state in disk.after_a_cut():
            found += broken(state, {"x": OLD}, {"x": b"newer"})
    return found


def test_the_model_of_the_disk_finds_a_name_before_the_bytes(tmp_path):
    (tmp_path / "x").write_bytes(OLD)
    made, write = power_cut.Change("name", 7, (".x.1.tmp",)), power_cut.Change("write", 7, (), 0, b"newer")
    synced, named = power_cut.Change("synced", 7), power_cut.Change("rename", 0, (".x.1.tmp", "x"))
    assert replayed(made, write, synced, named, folder=tmp_path) == []
    assert "neither old nor new, 5 bytes: x" in replayed(made, write, named, synced, folder=tmp_path)
    assert "neither old nor new, 0 bytes: x" in replayed(made, named, write, synced, folder=tmp_path)


def test_the_model_of_the_disk_finds_a_file_that_is_written_in_place(tmp_path):
    (tmp_path / "x").write_bytes(OLD)
    inode = (tmp_path / "x").stat().st_ino
    write = power_cut.Change("write", inode, (), 0, b"newer")
    assert "neither old nor new, 5 bytes: x" in replayed(write, folder=tmp_path)
