#!/usr/bin/env python3
"""Writes wheels so that the same files make the same bytes.

repack_wheel.py FOLDER WHEEL...: each wheel again in FOLDER, with its files in the order of their
names and RECORD as the last, the time SOURCE_DATE_EPOCH and permissions that do not
depend on the umask.
"""

import base64
import csv
import datetime
import hashlib
import io
import os
import pathlib
import stat
import sys
import zipfile


def record(contents, name):
    """The list of the wheel's files, with their checksums and sizes."""
    rows = io.StringIO()
    writer = csv.writer(rows, lineterminator="\n")
    for path, data in contents.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        writer.writerow([path, f"sha256={digest}", len(data)])
    writer.writerow([name, "", ""])
    return rows.getvalue().encode()


def repack(source, target, epoch):
    with zipfile.ZipFile(source) as wheel:
        entries = sorted((e for e in wheel.infolist() if not e.is_dir()), key=lambda e: e.filename)
        (name,) = (e.filename for e in entries if e.filename.endswith(".dist-info/RECORD"))
        contents = {e.filename: wheel.read(e) for e in entries if e.filename != name}
        runs = {e.filename for e in entries if e.external_attr >> 16 & stat.S_IXUSR}
    contents[name] = record(contents, name)
    date = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).timetuple()[:6]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for path, data in contents.items():
            entry = zipfile.ZipInfo(path, date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (stat.S_IFREG | (0o755 if path in runs else 0o644)) << 16
            wheel.writestr(entry, data)


def main():
    folder = pathlib.Path(sys.argv[1])
    for source in map(pathlib.Path, sys.argv[2:]):
        repack(source, folder / source.name, int(os.environ["SOURCE_DATE_EPOCH"]))


if __name__ == "__main__":
    main()
