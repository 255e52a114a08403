"""Severities, indentation, files, callbacks, the logging module."""

import sys
from polygraphy.logger import G_LOGGER, LogMode
from polygraphy.logger.logger import SeverityTrie, Logger
from polygraphy import util

G_LOGGER.info("hello\nworld")
with G_LOGGER.indent(2):
    G_LOGGER.info("in\nner")
pass
G_LOGGER.info("a\n\nb\n")
G_LOGGER.letter = False
with G_LOGGER.indent():
    G_LOGGER.info("a\nb")
G_LOGGER.letter = True
G_LOGGER.info(lambda: 5)
G_LOGGER.info(5)
print(repr(G_LOGGER.module_severity), str(G_LOGGER.module_severity))
G_LOGGER.module_severity = {"util": 10, "backend/trt": 0}
print(
    str(G_LOGGER.module_severity),
    G_LOGGER.module_severity.trie,
    G_LOGGER.module_severity.has_non_default_entries,
)
for p in ["", "util/util.py", "backend/trt/x.py", "backend", "/backend/trt", "backend/onnx/x"]:
    print(p, G_LOGGER.module_severity.get(p))
print(G_LOGGER.module_severity.get())
util.makedirs("nodir1/x/y")
import shutil

shutil.rmtree("nodir1")
G_LOGGER.module_severity = 10
G_LOGGER.verbose(lambda: 1 / 0)
try:
    G_LOGGER.info(lambda: 1 / 0)
except ZeroDivisionError as e:
    print("zde")
G_LOGGER.log("x", 5)
try:
    G_LOGGER.log("y", 25)
except Exception as e:
    print(type(e), e)
(lambda: (lambda: G_LOGGER.backtrace())())()


def f():
    G_LOGGER.backtrace(depth=0, limit=2)


f()
try:
    SeverityTrie({"a": 1})
except Exception as e:
    print(type(e), e)
t = SeverityTrie({"": 3, "a/b": 1, "a/b/c": 5, "a": 7})
print(t.trie, t, t.has_non_default_entries)
for p in ["a", "a/b", "a/b/c/d", "a/x", "b", "a/b/c/", "/a/b", None]:
    print(p, t.get(p))
for i in range(3):
    G_LOGGER.warning("once", mode=LogMode.ONCE)
print(G_LOGGER.once_logged if not G_LOGGER.once_logged else type(list(G_LOGGER.once_logged)[0]))
try:
    G_LOGGER.critical("boo")
except Exception as e:
    print(type(e), e, e.__cause__, e.__suppress_context__)
try:
    G_LOGGER.critical("boo", ValueError)
except Exception as e:
    print(type(e), e)
try:
    G_LOGGER.internal_error("boo")
except Exception as e:
    print(type(e), e)


@G_LOGGER.log_exception
def g(x):
    raise x


for x in [ValueError("v"), __import__("polygraphy").exception.PolygraphyException("pe")]:
    try:
        g(x)
    except Exception as e:
        print(repr(e))
import polygraphy

G_LOGGER.module_info(polygraphy)
G_LOGGER.module_info(sys, "nm", 20)
G_LOGGER.module_info(shutil)
G_LOGGER.register_callback(lambda t: print("cb", t))
G_LOGGER.module_severity = 20
with G_LOGGER.verbosity():
    G_LOGGER.error("no")
with G_LOGGER.verbosity({"": 10}):
    G_LOGGER.verbose("yes")
G_LOGGER.verbose("no")
l = Logger(severity=0, colors=False, letter=False, timestamp=True, line_info=False)
l.info("x")
G_LOGGER.log_file = "lg/a/log.txt"
G_LOGGER.info("file\nx")
G_LOGGER.warning("w")
print(open("lg/a/log.txt").read(), G_LOGGER.log_file)
G_LOGGER.log_file = None
import logging

logging.basicConfig(level=0, stream=sys.stdout)
G_LOGGER.use_python_logging_system = True
print(
    G_LOGGER.severity_level_mapping if hasattr(G_LOGGER, "severity_level_mapping") else None,
    G_LOGGER.python_logger,
)
G_LOGGER.info("x\ny")
G_LOGGER.warning("w")
G_LOGGER.module_severity = -20
G_LOGGER.ultra_verbose("u")
try:
    G_LOGGER.critical("cr")
except Exception as e:
    print("E", e)
