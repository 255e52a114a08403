"""sbom_test.py SOURCE BUILD: the lists of parts are valid, and have all that the build has read."""

import copy
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE, BUILD = map(pathlib.Path, sys.argv[1:3])
sys.path.insert(0, str(SOURCE / "scripts/release"))
import sbom  # noqa: E402

PRODUCT = ["bin/polygraphy", "python/polygraphy_native/_native.abi3.so"]
# Of objects that are not installed.
NOT_PRODUCT = re.compile(r"_(test|tests|fuzz|bench|headers)\.dir|/?examples/|precompiled_tests|fuzz_replay|alone/")
# Headers of the compiler and of the C library, which are of every program.
TOOLCHAIN = re.compile(r"(libc6|linux-libc|libstdc\+\+-\d+|libgcc-\d+|libc-dev-bin)(-dev)?$")


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def written(**environment):
    """The files as sbom.py writes them: {name: bytes}."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([SOURCE / "scripts/release/sbom.py", "write", folder], check=True,
                       env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000", **environment})
        return {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}


def owners(paths):
    """{path: system's package} of the paths that are of one."""
    done = subprocess.run(["dpkg-query", "-S", *paths], capture_output=True, text=True, check=False)
    lines = (line.rpartition(": ") for line in done.stdout.splitlines())
    return {path: package.split(",")[0].split(":")[0] for package, _, path in lines}


def headers_of_others():
    """Paths, below their include folders, of the headers that the product's objects were compiled with."""
    found, product = set(), False
    for line in output("ninja", "-C", str(BUILD), "-t", "deps").splitlines():
        if line.startswith("    "):
            path = os.path.normpath(BUILD / line.strip())
            ours = path.startswith((f"{SOURCE}/", f"{BUILD}/")) and "/.deps/" not in path
            if product and not ours:
                found.add(path)
        elif line:
            product = not NOT_PRODUCT.search(line.split(":")[0])
    system = owners(sorted(path for path in found if path.startswith("/usr/")))
    others = {path for path in found
              if not TOOLCHAIN.match(system.get(path, "")) and "/lib/gcc/" not in path and "/include/c++/" not in path}
    return {re.sub(r"^x86_64-linux-gnu/|^aarch64-linux-gnu/", "", path.rpartition("/include/")[2]) for path in others}


class Parts(unittest.TestCase):
    def test_archives(self):
        linked = set()
        for target in PRODUCT:
            command = output("ninja", "-C", str(BUILD), "-t", "commands", "-s", target)
            linked |= {os.path.basename(word) for word in re.findall(r"\S+\.a\b", command)}
        linked = {name for name in linked if not name.startswith("libpg_")}
        self.assertEqual(linked, {name for part in sbom.PARTS for name in part.archives})

    @unittest.skipUnless(shutil.which("dpkg-query"), "the headers' packages are not Debian's")
    def test_headers(self):
        seen = headers_of_others()
        of_parts = tuple(prefix for part in sbom.PARTS for prefix in part.headers)
        self.assertEqual([path for path in sorted(seen) if not path.startswith(of_parts)], [])
        for part in sbom.PARTS:
            if part.relation == sbom.LINKED:
                self.assertTrue(any(path.startswith(part.headers) for path in seen), f"{part.name}: not compiled in")

    def test_shared_libraries(self):
        known = tuple(prefix for part in sbom.PARTS for prefix in part.libraries)
        binaries = [BUILD / name for name in PRODUCT] + sorted(BUILD.glob("lib/polygraphy/backends/*.so"))
        self.assertGreater(len(binaries), len(PRODUCT))
        for binary in binaries:
            for name in re.findall(r"\(NEEDED\).*\[(.+)\]", output("readelf", "-dW", binary)):
                self.assertTrue(name.startswith(known), f"{binary} needs {name}")

    def test_back_ends(self):
        engines = {path.parent.name for path in SOURCE.glob("backends/*/setup.sh")}
        self.assertEqual(engines - {part.back_end for part in sbom.PARTS}, set())

    @unittest.skipUnless(shutil.which("dpkg-query"), "the libraries' packages are not Debian's")
    def test_versions(self):
        component = {c["name"]: c for c in json.loads(written()["polygraphy.cdx.json"])["components"]}
        pins = (SOURCE / "scripts/setup/pins.sh").read_text(encoding="utf-8")
        self.assertIn(f"onnx_version={component['onnx']['version']}\n", pins)
        self.assertIn(component["base64"]["hashes"][0]["content"], pins)
        header = pathlib.Path("/usr/include/fmt/core.h").read_text(encoding="utf-8")
        number = int(re.search(r"#define FMT_VERSION (\d+)", header)[1])
        self.assertEqual(component["fmt"]["version"].split("+")[0].split("-")[0],
                         f"{number // 10000}.{number // 100 % 100}.{number % 100}")

    def test_other_systems(self):
        """Without Debian's packages, their versions are unknown."""
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, SOURCE / "scripts/release/sbom.py", "write", folder], check=True,
                           env={"PATH": "/nowhere", "SOURCE_DATE_EPOCH": "1700000000"})
            parts = json.loads((pathlib.Path(folder) / "polygraphy.cdx.json").read_text(encoding="utf-8"))["components"]
        (fmt,) = (part for part in parts if part["name"] == "fmt")
        self.assertNotIn("version", fmt)
        self.assertEqual(fmt["purl"], "pkg:generic/fmt")

    def test_same_bytes(self):
        one = written(LC_ALL="C", TZ="UTC", PYTHONHASHSEED="1")
        other = written(LC_ALL="C.UTF-8", TZ="Pacific/Kiritimati", PYTHONHASHSEED="2", HOME="/nowhere")
        self.assertEqual(one, other)
        self.assertNotEqual(one, written(SOURCE_DATE_EPOCH="1700000001"))


class Formats(unittest.TestCase):
    """By the validators of the formats' own projects (scripts/setup_parity.sh)."""

    def setUp(self):
        try:
            import cyclonedx  # noqa: F401
            import spdx_tools  # noqa: F401
        except ImportError:
            self.skipTest("run scripts/setup_parity.sh")

    def test_cyclonedx(self):
        from cyclonedx.schema import SchemaVersion
        from cyclonedx.validation.json import JsonStrictValidator

        validator = JsonStrictValidator(SchemaVersion.V1_6)
        document = json.loads(written()["polygraphy.cdx.json"])
        self.assertIsNone(validator.validate_str(json.dumps(document)))
        wrong = copy.deepcopy(document)
        wrong["components"][0]["licenses"] = [{"license": {"id": "no licence"}}]
        self.assertIsNotNone(validator.validate_str(json.dumps(wrong)))

    def test_spdx(self):
        from spdx_tools.spdx.parser.parse_anything import parse_file
        from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document

        document = json.loads(written()["polygraphy.spdx.json"])
        wrong = copy.deepcopy(document)
        wrong["relationships"][1]["relatedSpdxElement"] = "SPDXRef-missing"
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "parts.spdx.json"
            for each, valid in ((document, True), (wrong, False)):
                path.write_text(json.dumps(each), encoding="utf-8")
                messages = validate_full_spdx_document(parse_file(str(path)))
                self.assertEqual(not messages, valid, messages)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
