#!/usr/bin/env python3
"""Adds up the results of one test run and prints "N passed, M failed" as the last line.

Counts single cases: those of a GoogleTest binary from <name>.xml, the tests of ctest that are not
GoogleTest binaries as one each, those of pytest from *.junit. A binary that died without reporting
counts as one failure, as does a report that is cut off. Skipped cases are grouped by what they
lack, with the way to have it. Exits 1 when something failed or nothing ran.
"""

import collections
import pathlib
import re
import sys
import textwrap
import xml.etree.ElementTree as ET

CI = "scripts/setup.sh ci (root brings the system's packages)"
PARITY = "scripts/setup_parity.sh"
# A missing requirement, how to install it, and the words in a test's name or reason that show it.
NEEDS = [
    ("Slurm", CI, "slurm"),
    ("Chromium", CI, "chromium"),
    ("the tools of packages", CI, "release_packages"),
    ("ExecuTorch", CI, "executorch"),
    ("IREE", CI, r"\biree"),
    ("TensorRT-RTX", CI, "tensorrt.?rtx"),
    ("a GPU and TensorRT", "a machine with NVIDIA's driver and TensorRT", "tensorrt|nvinfer|cuda|gpu"),
    ("TensorFlow", CI, "tensorflow"),
    ("LPIPS and torchvision", "pip install lpips torchvision", "lpips|torchvision"),
    ("PyTorch", CI, r"torch\b"),
    ("Matplotlib", "pip install matplotlib", "matplotlib"),
    ("the original and its packages", PARITY, "numpy|original|pyyaml|mypy|has no onnx|no onnx in"),
    ("a glibc as old as the oldest supported", "Debian 12 or Ubuntu 22.04", "glibc|release_tarball"),
    ("the model magika", "scripts/setup.sh", "readme"),
]


class Skipped(collections.Counter):
    """(what is lacking, how to have it) -> number of cases."""

    def add(self, name, reason):
        # The reason goes first: a name gives the subject of the test, not the missing requirement.
        for text in (reason, name):
            for lacking, remedy, words in NEEDS:
                if re.search(words, text, re.IGNORECASE):
                    self[lacking, remedy] += 1
                    return
        self[reason or name, ""] += 1

    def text(self):
        lines = [f"{self.total()} skipped, for want of"]
        for (lacking, remedy), count in sorted(self.items(), key=lambda item: (-item[1], item[0])):
            lacking = textwrap.shorten(lacking, 90, placeholder=" ...")
            lines.append(f"{count:6d}  {lacking}" + (f": {remedy}" if remedy else ""))
        return "\n".join(lines)


def reason_of(case):
    """Why a case was skipped: pytest and GoogleTest say it as a message, a script prints it."""
    node = case.find("skipped")
    reason = "" if node is None else node.get("message") or node.text or ""
    reason = re.sub(r"^\S+:\d+:?|SKIP_RETURN_CODE=\d+|Skipped: ", " ", reason.strip())
    reason = " ".join(reason.split())
    if not reason:
        printed = (case.findtext("system-out") or "").strip().splitlines()
        reason = printed[0] if printed else ""
    return reason


def count_cases(root, skipped):
    """(passed, failed names) over all <testcase> elements; those skipped go into `skipped`."""
    passed, failed = 0, []
    for case in root.iter("testcase"):
        name = ".".join(filter(None, [case.get("classname"), case.get("name")]))
        if case.find("failure") is not None or case.find("error") is not None:
            failed.append(name)
        elif (case.find("skipped") is not None or case.get("result") == "skipped"
              or case.get("status") in ("notrun", "disabled")):
            skipped.add(name, reason_of(case))
        else:
            passed += 1
    return passed, failed


def main():
    folder = pathlib.Path(sys.argv[1])
    passed, failed, skipped = 0, [], Skipped()
    for report in sorted(folder.glob("*.junit")):
        try:
            root = ET.parse(report).getroot()
        except ET.ParseError as error:
            failed.append(f"{report.name}: the report is cut off ({error})")
            continue
        for case in root.iter("testcase"):
            single = ET.Element("one")
            single.append(case)
            skipped_here = Skipped()
            counts = count_cases(single, skipped_here)
            gtest = folder / f"{case.get('name')}.xml"
            if report.stem.startswith("ctest") and gtest.exists():
                skipped_here = Skipped()
                inner = count_cases(ET.parse(gtest).getroot(), skipped_here)
                # A crash after the report was written is seen by ctest only.
                counts = inner if inner[1] or not counts[1] else (inner[0], counts[1])
            passed += counts[0]
            failed += counts[1]
            skipped += skipped_here
    for name in failed:
        print(f"FAILED: {name}")
    if skipped:
        print(skipped.text())
    print(f"{passed} passed, {len(failed)} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
