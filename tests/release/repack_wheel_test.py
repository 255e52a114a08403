"""repack_wheel_test.py SOURCE: the same files make the same wheel, however they were packed at first."""

import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

SOURCE = pathlib.Path(sys.argv[1])
NAME = "made-1-py3-none-any.whl"
FILES = {
    "made/__init__.py": b"",
    "made/é, quoted.py": b"x = 1\n",
    "made-1.data/scripts/made": b"#!/bin/sh\necho made\n",
    "made-1.dist-info/METADATA": b"Metadata-Version: 2.1\nName: made\nVersion: 1\n",
    "made-1.dist-info/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
}


def pack(path, names, date, umask):
    """A wheel as a careless tool writes it; its RECORD lacks checksums."""
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("made-1.dist-info/RECORD", "".join(f"{name},,\n" for name in names))
        for name in names:
            entry = zipfile.ZipInfo(name, date)
            mode = 0o777 if "/scripts/" in name else 0o666
            entry.external_attr = (mode & ~umask) << 16
            wheel.writestr(entry, FILES[name])


class Wheels(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def repacked(self, *packed, epoch="1700000000"):
        out = self.folder / "out"
        out.mkdir(exist_ok=True)
        path = self.folder / NAME
        pack(path, *packed)
        subprocess.run([SOURCE / "scripts/release/repack_wheel.py", out, path], check=True,
                       env={**os.environ, "SOURCE_DATE_EPOCH": epoch})
        return out / NAME

    def test_same_bytes(self):
        one = self.repacked(list(FILES), (2024, 1, 2, 3, 4, 6), 0o022).read_bytes()
        other = self.repacked(list(reversed(FILES)), (2001, 1, 1, 0, 0, 0), 0o077).read_bytes()
        self.assertEqual(one, other)
        self.assertNotEqual(one, self.repacked(list(FILES), (2024, 1, 2, 3, 4, 6), 0o022, epoch="1600000000").read_bytes())

    def test_contents(self):
        with zipfile.ZipFile(self.repacked(list(FILES), (2024, 1, 2, 3, 4, 6), 0o077)) as wheel:
            self.assertEqual({n: wheel.read(n) for n in wheel.namelist()[:-1]}, FILES)
            self.assertEqual(wheel.namelist()[-1], "made-1.dist-info/RECORD")
            modes = {e.filename: oct(e.external_attr >> 16 & 0o777) for e in wheel.infolist()}
        self.assertEqual(modes.pop("made-1.data/scripts/made"), "0o755")
        self.assertEqual(set(modes.values()), {"0o644"})

    def test_installs(self):
        """pip unpacks it, and finds each file as RECORD says."""
        wheel = self.repacked(list(FILES), (2024, 1, 2, 3, 4, 6), 0o022)
        target = self.folder / "installed"
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-index", "--no-compile",
                        "--target", target, wheel], check=True, env={**os.environ, "PIP_ROOT_USER_ACTION": "ignore"})
        self.assertEqual((target / "made/é, quoted.py").read_bytes(), FILES["made/é, quoted.py"])
        with zipfile.ZipFile(wheel) as packed:
            rows = packed.read("made-1.dist-info/RECORD").decode().splitlines()
        self.assertEqual(len(rows), len(FILES) + 1)
        import base64
        digest = base64.urlsafe_b64encode(hashlib.sha256(FILES["made/é, quoted.py"]).digest()).decode().rstrip("=")
        self.assertIn(f'"made/é, quoted.py",sha256={digest},6', rows)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
