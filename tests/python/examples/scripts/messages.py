"""Messages: severities by module, files, callbacks, errors."""

from polygraphy.exception import PolygraphyException
from polygraphy.logger import G_LOGGER, LogMode

G_LOGGER.colors = False
G_LOGGER.register_callback(
    lambda sev: print("severity is", sev.get("")) if isinstance(sev, dict) else print(sev)
)
for severity in ("EXTRA_VERBOSE", "VERBOSE", "INFO", "WARNING", "ERROR"):
    with G_LOGGER.verbosity(getattr(G_LOGGER, severity)):
        G_LOGGER.verbose("verbose")
        G_LOGGER.info(lambda: "made when it is shown")
        G_LOGGER.warning("once", mode=LogMode.ONCE)
        with G_LOGGER.indent():
            G_LOGGER.error("inside\nof two lines")
G_LOGGER.module_severity = {"": G_LOGGER.INFO, "backend/onnx": G_LOGGER.ERROR}
print(G_LOGGER.module_severity)
G_LOGGER.log_file = "log.txt"
G_LOGGER.info("to both")
G_LOGGER.log_file = None
try:
    G_LOGGER.critical("the end")
except PolygraphyException as error:
    print(repr(error))
try:
    with G_LOGGER.verbosity(G_LOGGER.CRITICAL):
        G_LOGGER.internal_error("not checked")
except PolygraphyException as error:
    print(repr(error))
