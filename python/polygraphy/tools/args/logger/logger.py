"""Options about messages."""

from __future__ import annotations

from polygraphy import mod
from polygraphy.logger import G_LOGGER
from polygraphy.logger._settings import LoggerSettings
from polygraphy.tools.args import util as args_util
from polygraphy.tools.args.base import BaseArgs
from polygraphy.tools.script import inline, inline_identifier, safe

# From the lowest one on.
_SEVERITIES = [name for name, value in vars(LoggerSettings).items() if isinstance(value, int)]
_INFO = _SEVERITIES.index("INFO")


def _severity(name):
    """A severity by its name in any case, as code."""
    ident = inline_identifier(str(name).upper())
    if ident.unwrap() not in _SEVERITIES:
        G_LOGGER.critical(
            f"--verbosity: unknown severity '{name}'\nSeverities are: {', '.join(_SEVERITIES)}."
        )
    return inline(safe("G_LOGGER.{:}", ident))


@mod.export()
class LoggerArgs(BaseArgs):
    """
    Logging: severity, format and destination of messages

    Depends on nothing.
    """

    def add_parser_args_impl(self) -> None:
        self.group.add_argument(
            "-v",
            "--verbose",
            help="Show more: -v verbose, -vv extra verbose, -vvv super verbose, -vvvv everything.",
            action="count",
            default=0,
        )
        self.group.add_argument(
            "-q",
            "--quiet",
            help="Show less: each use drops the lowest remaining severity; -qqqqq leaves only "
            "critical errors.",
            action="count",
            default=0,
        )
        self.group.add_argument(
            "--verbosity",
            help="Name the lowest severity to show, for everything or for one part: INFO, or "
            f"backend/onnxrt:VERBOSE. Severities: {', '.join(_SEVERITIES)}. -v and -q win over a "
            "severity without a path.",
            nargs="+",
            default=None,
        )
        self.group.add_argument(
            "--silent", help="Show only critical errors.", action="store_true", default=None
        )
        self.group.add_argument(
            "--log-format",
            help="The prefix of each message, and whether messages have colours.",
            choices=["timestamp", "line-info", "no-colors"],
            nargs="+",
            default=[],
        )
        self.group.add_argument(
            "--log-file",
            help="Also write every message to this file, which is emptied first.",
            default=None,
        )

    def parse_impl(self, args) -> None:
        """Sets the attributes, and applies them to `G_LOGGER`.

        Attributes:
            verbosity (Dict[str, Script.String]):
                Severities, as code, by path; that of all other modules under `""`. None without
                the option.
            silent (bool): Whether to show only what ends the program.
            log_format (List[str]): Parts of the prefix of messages, and `no-colors`.
            log_file (str): The file that messages are written to.
        """
        given = args_util.parse_arglist_to_dict(args_util.get(args, "verbosity"))
        self.verbosity = {path: _severity(name) for path, name in (given or {}).items()}
        more = args_util.get(args, "verbose", 0) - args_util.get(args, "quiet", 0)
        if more:
            index = min(max(_INFO - more, 0), len(_SEVERITIES) - 1)
            self.verbosity[""] = _severity(_SEVERITIES[index])
        self.verbosity = self.verbosity or None

        self.silent = args_util.get(args, "silent")
        self.log_format = args_util.get(args, "log_format", [])
        self.log_file = args_util.get(args, "log_file")
        self.get_logger()

    def add_to_script_impl(self, script):
        """Adds lines that set up `G_LOGGER`, before the imports.

        Returns:
            Script.String: The variable of the logger.
        """
        logger = safe("G_LOGGER")
        lines = []
        if self.silent:
            lines.append(safe("module_severity = G_LOGGER.CRITICAL"))
        elif self.verbosity:
            lines.append(safe("module_severity = {:}", self.verbosity))
        settings = {
            "no-colors": "colors = False",
            "timestamp": "timestamp = True",
            "line-info": "line_info = True",
        }
        lines += [safe(settings[name]) for name in self.log_format]
        if self.log_file:
            lines.append(safe("log_file = {:}", self.log_file))

        script.append_preimport(safe("from polygraphy.logger import G_LOGGER"))
        for line in lines:
            script.append_preimport(safe("G_LOGGER.{:}", inline(line)))
        return logger

    def get_logger(self):
        """`G_LOGGER`, after the options were applied to it."""
        return args_util.run_script(self.add_to_script)
