"""newer_pins_test.py SOURCE: pins of a small tree against an index in a folder; all pins of the real one are known."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(SOURCE / "scripts"))
import newer_pins  # noqa: E402

TREE = {
    "scripts/setup/pins.sh": "first_version=1.9 # stays for a reason\nsecond_version=2.0\n",
    "scripts/setup/get.sh": 'wheel first "$first_version"\nsdist second "$second_version" "$hash"\n',
    "scripts/setup/some-requirements.txt": "# third==0.1 is not a pin\nthird[extra]==3.1\n",
    "backends/engine/setup.sh": 'pip install "fourth==$engine_version" fifth==5 \nengine_version=4.0\n',
    "scripts/setup.sh": "system_packages x \\\n  libmade-dev\n",
    "scripts/release/sbom.py": "#!/bin/sh\necho no-such-package-dev\n",
}
# Newer by number, not by letter; no newer; a pre-release only; unknown.
INDEX = ["first-1.10.tar.gz", "first-1.9.tar.gz", "second-2.0.tar.gz", "third-3.1.tar.gz", "third-3.2rc1.tar.gz",
         "fourth-4.1.tar.gz"]


class NewerPins(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name, text in TREE.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        (self.root / "scripts/release/sbom.py").chmod(0o755)
        shutil.copy(SOURCE / "scripts/newer_pins.py", self.root / "scripts")
        (self.root / "index").mkdir()
        for name in INDEX:
            (self.root / "index" / name).touch()

    def says(self, *arguments):
        """The rows of the table as lists of words, and the last line."""
        done = subprocess.run([self.root / "scripts/newer_pins.py", *arguments], capture_output=True, text=True, check=True,
                              env={**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.root / "index")})
        rows = [line.split() for line in done.stdout.splitlines()]
        self.assertEqual(rows[0], ["name", "pinned", "newest", "where"])
        return rows[1:-1], " ".join(rows[-1])

    def test_newer(self):
        rows, last = self.says()
        self.assertIn(["first", "1.9", "1.10", "scripts/setup/pins.sh:1", "stays", "for", "a", "reason"], rows)
        self.assertIn(["fourth", "4.0", "4.1", "backends/engine/setup.sh:2"], rows)
        self.assertIn(["fifth", "5", "?", "backends/engine/setup.sh:1"], rows)
        self.assertEqual({row[0] for row in rows} - {"no-such-package-dev"}, {"first", "fourth", "fifth"})
        self.assertTrue(last.startswith("6 pins, 2 not the newest"), last)

    def test_all(self):
        rows, _ = self.says("--all")
        self.assertIn(["second", "2.0", "2.0", "scripts/setup/pins.sh:2"], rows)
        self.assertIn(["third", "3.1", "3.1", "scripts/setup/some-requirements.txt:2"], rows)
        self.assertEqual(len(rows), 6)

    def test_a_version_of_nothing(self):
        with open(self.root / "scripts/setup/pins.sh", "a", encoding="utf-8") as pins:
            pins.write("lonely_version=1.0\n")
        done = subprocess.run([self.root / "scripts/newer_pins.py"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("lonely_version: no line", done.stderr)

    def test_pins_of_this_tree(self):
        """Without a look at any index."""
        found = {}
        for client, name, _, place, _ in newer_pins.pins():
            found[client, name] = found.get((client, name), "") + place + " "
        for client, name, file in (("pip", "onnx", "pins.sh"), ("npm", "axe-core", "pins.sh"),
                                   ("pip", "onnxruntime", "onnxrt/setup.sh"), ("pip", "openvino", "openvino/setup.sh"),
                                   ("cargo", "trtx-sys", "tensorrt/setup.sh"), ("pip", "torch", "torch/setup.sh"),
                                   ("pip", "iree-base-runtime", "iree/setup.sh"), ("apt", "libfmt-dev", "setup.sh"),
                                   ("pip", "polygraphy", "parity-requirements.txt"),
                                   ("pip", "scikit-build-core", "wheel-requirements.txt")):
            self.assertIn(file, found.get((client, name), ""), f"{client} {name}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
