"""How much of the stack is shown, by the threshold of the caller."""

import contextlib
import io

from polygraphy.logger import G_LOGGER

exec("\n".join(f"def f{i}(): f{i + 1}()" for i in range(60)))


def f60():
    G_LOGGER.backtrace(**options)


for name in ("ULTRA_VERBOSE", "EXTRA_VERBOSE", "VERBOSE", "INFO", "WARNING", "ERROR", "CRITICAL"):
    for options in ({}, {"limit": 4}):
        G_LOGGER.module_severity = getattr(G_LOGGER, name)
        with contextlib.redirect_stdout(io.StringIO()) as shown:
            f0()
        entries = [line.split()[-1] for line in shown.getvalue().splitlines() if "File" in line]
        print(name, options, len(entries), entries[:1], repr(shown.getvalue()[:5]))
