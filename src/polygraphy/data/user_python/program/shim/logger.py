"""G_LOGGER: messages go into the log of the tool, by its rules."""
import contextlib

from polygraphy.exception import PolygraphyException


class LogMode:
    EACH, ONCE = 0, 1


class Logger:
    ULTRA_VERBOSE, SUPER_VERBOSE, EXTRA_VERBOSE, VERBOSE = -20, -10, 0, 10
    INFO, START, FINISH, WARNING, ERROR, CRITICAL = 20, 22, 28, 30, 40, 50

    def __init__(self):
        self._ask, self._to_array = None, None
        self._severity = self.INFO
        self._indentation = 0
        self._seen = set()

    def connect(self, ask, to_array, severity):
        self._ask, self._to_array, self._severity = ask, to_array, severity

    def ask_tool(self, header, named=()):
        return self._ask(header, named)

    def to_array(self, value):
        return self._to_array(value)

    @property
    def module_severity(self):
        return {"": self._severity}

    @module_severity.setter
    def module_severity(self, value):
        self._severity = min(value.values()) if isinstance(value, dict) else value

    severity = module_severity

    @contextlib.contextmanager
    def indent(self, level=1):
        self._indentation += level
        try:
            yield
        finally:
            self._indentation -= level

    @contextlib.contextmanager
    def verbosity(self, severity=50):
        before, self._severity = self._severity, severity
        try:
            yield
        finally:
            self._severity = before

    def backtrace(self, depth=0, limit=None, severity=40):
        import traceback
        self.log("".join(traceback.format_stack(limit=limit)), severity)

    def log(self, message, severity, mode=LogMode.EACH, **_):
        if severity < self._severity:
            return
        text = str(message() if callable(message) else message)
        if mode == LogMode.ONCE:
            if text in self._seen:
                return
            self._seen.add(text)
        self._ask({"ask": "log", "severity": severity, "indentation": self._indentation, "text": text})

    def ultra_verbose(self, message, mode=LogMode.EACH):
        self.log(message, self.ULTRA_VERBOSE, mode)

    def super_verbose(self, message, mode=LogMode.EACH):
        self.log(message, self.SUPER_VERBOSE, mode)

    def extra_verbose(self, message, mode=LogMode.EACH):
        self.log(message, self.EXTRA_VERBOSE, mode)

    def verbose(self, message, mode=LogMode.EACH):
        self.log(message, self.VERBOSE, mode)

    def info(self, message, mode=LogMode.EACH):
        self.log(message, self.INFO, mode)

    def start(self, message, mode=LogMode.EACH):
        self.log(message, self.START, mode)

    def finish(self, message, mode=LogMode.EACH):
        self.log(message, self.FINISH, mode)

    def warning(self, message, mode=LogMode.EACH):
        self.log(message, self.WARNING, mode)

    def error(self, message, mode=LogMode.EACH):
        self.log(message, self.ERROR, mode)

    def critical(self, message):
        raise PolygraphyException(str(message))


G_LOGGER = Logger()
