#!/usr/bin/env python3
"""Adds up the results of one test run and prints "N passed, M failed" as the last line.

Counts single cases: those of a GoogleTest binary from <name>.xml, the tests of ctest that are not
GoogleTest binaries as one each, those of pytest from *.junit. A binary that died without reporting
counts as one failure. Exits 1 when something failed or nothing ran.
"""

import pathlib
import sys
import xml.etree.ElementTree as ET


def count_cases(root):
    """(passed, failed names, skipped) over all <testcase> elements."""
    passed, failed, skipped = 0, [], 0
    for case in root.iter("testcase"):
        name = ".".join(filter(None, [case.get("classname"), case.get("name")]))
        if case.find("failure") is not None or case.find("error") is not None:
            failed.append(name)
        elif (case.find("skipped") is not None or case.get("result") == "skipped"
              or case.get("status") in ("notrun", "disabled")):
            skipped += 1
        else:
            passed += 1
    return passed, failed, skipped


def main():
    folder = pathlib.Path(sys.argv[1])
    passed, failed, skipped = 0, [], 0
    for report in sorted(folder.glob("*.junit")):
        for case in ET.parse(report).getroot().iter("testcase"):
            single = ET.Element("one")
            single.append(case)
            counts = count_cases(single)
            gtest = folder / f"{case.get('name')}.xml"
            if report.stem.startswith("ctest") and gtest.exists():
                inner = count_cases(ET.parse(gtest).getroot())
                # A crash after the report was written is seen by ctest only.
                counts = inner if inner[1] or not counts[1] else (inner[0], counts[1], inner[2])
            passed += counts[0]
            failed += counts[1]
            skipped += counts[2]
    for name in failed:
        print(f"FAILED: {name}")
    if skipped:
        print(f"{skipped} skipped")
    print(f"{passed} passed, {len(failed)} failed")
    sys.exit(1 if failed or not passed else 0)


main()
