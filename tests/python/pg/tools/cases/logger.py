"""LoggerArgs."""

from argument_groups import add_to_script, attempt, command_lines, describe_parser, parse
from polygraphy.logger import G_LOGGER
from polygraphy.tools.args import LoggerArgs

OPTIONS = {
    "-v": [[]],
    "-vv": [[]],
    "-vvvvvv": [[]],
    "-q": [[]],
    "-qqq": [[]],
    "-qqqqqqq": [[]],
    "-vq": [[]],
    "--verbosity": [
        ["INFO"],
        ["warning"],
        ['"info"'],
        [":info"],
        ["backend/trt:VERBOSE"],
        ["backend/trt:ultra_verbose", "finish"],
        ["a:b:extra_verbose", "a:info"],
        ["a b"],
        [""],
        ["x:"],
        [],
    ],
    "--silent": [[]],
    "--log-format": [["timestamp"], ["no-colors", "line-info"], ["x"], []],
    "--log-file": [["a.log"], ["new/b.log"], []],
    "--bogus": [["1"]],
}

describe_parser([LoggerArgs()])
for argv in command_lines([], OPTIONS, 60):
    group = LoggerArgs()
    if parse([group], argv):
        settings = ("timestamp", "line_info", "colors", "log_file")
        values = [getattr(G_LOGGER, name) for name in settings]
        trie = dict(G_LOGGER.module_severity.trie)
        is_logger = attempt(group.get_logger) is G_LOGGER
        G_LOGGER.module_severity = 20
        G_LOGGER.timestamp = G_LOGGER.line_info = False
        print("  ", is_logger, trie, values)
        add_to_script(group)
    G_LOGGER.module_severity = 20
    G_LOGGER.timestamp = G_LOGGER.line_info = False
    G_LOGGER.colors = True
    G_LOGGER.log_file = None
