"""summary_test.py SCRIPT: the output of scripts/summarize_tests.py for results in all three forms."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

CTEST = """<testsuite>
<testcase name="pg_a_test" status="run"/>
<testcase name="slurm" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>
<system-out>skipped: there is no slurmd
more</system-out></testcase>
<testcase name="script" status="run"/>
</testsuite>"""
GTEST = """<testsuites><testsuite>
<testcase name="One" classname="A" status="run"/>
<testcase name="Two" classname="A" status="run"><skipped message="/tensorrt/a_test.cpp:9&#x0A;python3 has no torch"/></testcase>
<testcase name="Three" classname="A" status="run"><skipped message="/a_test.cpp:9&#x0A;no /dev/full here"/></testcase>
</testsuite></testsuites>"""
PYTEST = """<testsuites><testsuite>
<testcase name="page" classname="b"><skipped message="there is no Chromium here" type="pytest.skip">x.py:1: there is no Chromium here</skipped></testcase>
<testcase name="torch" classname="b"><skipped message="PyTorch is not installed here"/></testcase>
</testsuite></testsuites>"""
EXPECTED = """5 skipped, for want of
     2  PyTorch: scripts/setup.sh ci (root brings the system's packages)
     1  Chromium: scripts/setup.sh ci (root brings the system's packages)
     1  Slurm: scripts/setup.sh ci (root brings the system's packages)
     1  no /dev/full here
2 passed, 0 failed
"""


class Summary(unittest.TestCase):
    def summarize(self, **files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                (pathlib.Path(folder) / name.replace("_junit", ".junit").replace("_xml", ".xml")).write_text(text)
            return subprocess.run([sys.executable, "-B", SCRIPT, folder], capture_output=True, text=True)

    def test_skipped_cases_are_grouped_by_what_they_lack(self):
        done = self.summarize(ctest_junit=CTEST, pg_a_test_xml=GTEST, browser_junit=PYTEST)
        self.assertEqual(done.stdout, EXPECTED)
        self.assertEqual(done.returncode, 0)

    def test_a_failure_is_named_and_nothing_skipped_says_nothing(self):
        failed = '<testsuite><testcase name="script"><failure/></testcase></testsuite>'
        done = self.summarize(ctest_junit=failed)
        self.assertEqual(done.stdout, "FAILED: script\n0 passed, 1 failed\n")
        self.assertEqual(done.returncode, 1)

    def test_a_report_that_is_cut_off_is_a_failure(self):
        done = self.summarize(browser_junit=PYTEST, python_junit=PYTEST[:-30])
        self.assertIn("FAILED: python.junit: the report is cut off (", done.stdout)
        self.assertTrue(done.stdout.endswith("0 passed, 1 failed\n"))
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    SCRIPT = sys.argv.pop()
    unittest.main()
