"""The disk after a power cut: replays a record of failing_calls.c up to any point, and loses what was not synced.

Bytes of a file are safe once it was synced. Names of a folder are safe, in the order in which they were made, once the
folder was synced; a later name is never there without an earlier one of the same folder. Anything else may be lost, and
bytes may be lost while the size of their file is not: it is full of zeros then.
"""
import dataclasses
import os
import pathlib


@dataclasses.dataclass
class Change:
    what: str
    inode: int = 0
    paths: tuple = ()
    offset: int = 0
    data: bytes = b""


def changes(record, folder):
    """Of a record; paths are relative to the folder, those outside are left out."""
    folder = os.path.realpath(folder)
    raw, at, found = pathlib.Path(record).read_bytes(), 0, []

    def within(path):
        path = os.path.normpath(os.path.join(folder, path))
        return os.path.relpath(path, folder) if path.startswith(folder + "/") or path == folder else None

    while at < len(raw):
        end = raw.index(b"\n", at)
        what, *words = raw[at:end].decode().split("\t")
        at = end + 1
        if what == "write":
            size = int(words[2])
            found.append(Change(what, int(words[0]), (), int(words[1]), raw[at:at + size]))
            at += size
        elif what in ("name", "folder"):
            found.append(Change(what, int(words[0]), (within(words[1]),)))
        elif what == "truncate":
            found.append(Change(what, int(words[0]), (), int(words[1])))
        elif what in ("synced", "settled"):
            found.append(Change(what, int(words[0])))
        else:
            found.append(Change(what, 0, tuple(within(word) for word in words)))
    return [change for change in found if None not in change.paths]


class Inode:
    def __init__(self, data=b"", safe=True):
        self.data, self.safe, self.is_safe = bytearray(data), bytes(data), safe

    def write(self, offset, data):
        self.data[len(self.data):] = bytes(max(0, offset - len(self.data)))
        self.data[offset:offset + len(data)] = data
        self.is_safe = False

    def truncate(self, size):
        del self.data[size:]
        self.data[len(self.data):] = bytes(size - len(self.data))
        self.is_safe = False

    def sync(self):
        self.safe, self.is_safe = bytes(self.data), True

    def after_a_cut(self):
        if self.is_safe:
            return [bytes(self.data)]
        return [self.safe, bytes(len(self.data)), bytes(self.data)]


class Disk:
    def __init__(self, folder):
        self.inodes, self.safe_names, self.folders = {}, {}, {os.stat(folder).st_ino: "."}
        for path, below, names in os.walk(folder):
            for name in names:
                whole = os.path.join(path, name)
                inode = os.stat(whole).st_ino
                self.inodes[inode] = Inode(pathlib.Path(whole).read_bytes())
                self.safe_names[os.path.relpath(whole, folder)] = inode
            for name in below:
                whole = os.path.join(path, name)
                self.folders[os.stat(whole).st_ino] = os.path.relpath(whole, folder)
        self.safe_folders = set(self.folders.values())
        self.pending = []  # changes of names that are not safe

    def apply(self, change):
        inode = self.inodes.setdefault(change.inode, Inode(safe=False)) if change.what in (
            "write", "truncate", "synced", "name") else None
        if change.what == "write":
            inode.write(change.offset, change.data)
        elif change.what == "truncate":
            inode.truncate(change.offset)
        elif change.what == "synced":
            inode.sync()
        elif change.what == "settled":
            folder = self.folders.get(change.inode)
            for made in [made for made in self.pending if folder_of(made) == folder]:
                self.pending.remove(made)
                rename(self.safe_names, self.safe_folders, made)
        else:
            if change.what == "folder":
                self.folders[change.inode] = change.paths[0]
            self.pending.append(change)

    def after_a_cut(self):
        """Every {path: bytes} that there may be."""
        for count in range(len(self.pending) + 1):
            for latest in {folder_of(made) for made in self.pending[:count]} or {None}:
                names, folders = dict(self.safe_names), set(self.safe_folders)
                # The names of one folder are written, those of the others not yet: or all of them.
                for made in self.pending[:count]:
                    if latest == folder_of(made):
                        rename(names, folders, made)
                yield from self.contents(names, folders)
            names, folders = dict(self.safe_names), set(self.safe_folders)
            for made in self.pending[:count]:
                rename(names, folders, made)
            yield from self.contents(names, folders)

    def contents(self, names, folders):
        there = {path: self.inodes[inode] for path, inode in names.items()
                 if all(str(above) in folders for above in pathlib.Path(path).parents)}
        for loss in range(3):
            yield {path: states[min(loss, len(states) - 1)]
                   for path, states in ((path, inode.after_a_cut()) for path, inode in there.items())}


def folder_of(change):
    return os.path.dirname(change.paths[-1]) or "."


def rename(names, folders, change):
    paths = change.paths
    if change.what == "name":
        names[paths[0]] = change.inode
    elif change.what == "folder":
        folders.add(paths[0])
    elif change.what == "remove":
        names.pop(paths[0], None)
    elif change.what == "exchange" and paths[0] in names and paths[1] in names:
        names[paths[0]], names[paths[1]] = names[paths[1]], names[paths[0]]
    elif change.what == "rename" and paths[0] in names:
        names[paths[1]] = names.pop(paths[0])
