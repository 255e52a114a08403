#!/usr/bin/env python3
"""check_messages.py: texts of the libraries name no options, and texts for users are plain.

Options: an error has a code instead, and src/cli/remedies.cpp adds the remedy in terms of options. Tables of
kinds (.flags, .help, .summary) are the options themselves. ALLOWED holds the exceptions with their reasons;
an entry without a text is an error, too.

Words: help texts and messages avoid the words of plain_words.py.
"""

import pathlib
import re
import sys

import plain_words

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
TOKEN = re.compile(r"""//[^\n]*|'(?:[^'\\\n]|\\.)'|"((?:[^"\\\n]|\\.)*)\"""")
TABLE = re.compile(r'\.(?:flags|help|summary|description|example)\s*=\s*(?:"(?:[^"\\\n]|\\.)*"\s*)+')

HELP = re.compile(r"(?:\.(?:help|summary|description)|\w*Help)\s*=\s*$")
ASSERTION = re.compile(r"assert\((?:[^;])*&&\s*$")
CODE_BEFORE = 200

LOG = "a log line of the original, which scripts look for"
ADVICE = "a log line with advice on a command that runs, which the command line cannot add to"
FILE = "text of a file that users run or read"
PROTOCOL = "an option of a program that the library starts"
SPEC = "a word of a runner's text (RunnerSpec::text())"

ALLOWED = {
    ("polygraphy/runtimes/backend/bundled_runtime.cpp", "--mode"): "printed by a signal handler",
    ("polygraphy/runtimes/backend/bundled_runtime.cpp", "--check-crash"): "printed by a signal handler",
    ("polygraphy/runtimes/backend/program_runner.cpp", "--input-file"): PROTOCOL,
    ("polygraphy/runtimes/backend/program_runner.cpp", "--output-file"): PROTOCOL,
    ("polygraphy/comparison/compare/accuracy/check_accuracy.cpp", "--compare-func-script"): LOG,
    ("polygraphy/comparison/compare/run_and_compare.cpp", "--data-loader-script"): LOG,
    ("polygraphy/comparison/compare/run_and_compare.cpp", "--load-inputs"): LOG,
    ("polygraphy/comparison/compare/run_and_compare.cpp", "--save-input-blob"): LOG,
    ("polygraphy/comparison/compare/run_and_compare.cpp", "--save-inputs"): LOG,
    ("polygraphy/comparison/compare/metrics/shared/match_shapes.cpp", "--no-shape-check"): LOG,
    ("polygraphy/diagnosis/debug_loop/same_failure.cpp", "--fail-code"): ADVICE,
    ("polygraphy/diagnosis/debug_loop/same_failure.cpp", "--fail-regex"): ADVICE,
    ("polygraphy/diagnosis/debug_loop/same_failure.cpp", "--same-failure"): ADVICE,
    ("polygraphy/data/inputs/data_loader.cpp", "--input-shapes"): LOG,
    ("polygraphy/model_tools/inspect/diff_text.cpp", "--show"): "text of `surgeon diff`",
    ("polygraphy/diagnosis/model_checks/model_check.cpp", "--check-"): "makes the option of a kind",
    ("polygraphy/diagnosis/reduce/classic_reduce.cpp", "--check"): ADVICE,
    ("polygraphy/diagnosis/reduce/reduce_job.cpp", "--fold-constants"): ADVICE,
    ("polygraphy/diagnosis/reduce/reduce_job.cpp", "--mode"): LOG,
    ("polygraphy/diagnosis/reduce/reduce_job.cpp", "--model-input-shapes"): ADVICE,
    ("polygraphy/diagnosis/reduce/reduce_job.cpp", "--override-input-shapes"): ADVICE,
    ("polygraphy/diagnosis/reduce/reproduction.cpp", "--load-inputs"): FILE,
    ("polygraphy/diagnosis/reduce/reproduction.cpp", "--onnxrt"): FILE,
    ("polygraphy/diagnosis/reduce/reproduction.cpp", "--save-debug-replay"): FILE,
    ("polygraphy/data/results/saved_document.cpp", "--save-outputs"): LOG,
    ("polygraphy/models/sharding/shard_sequence.cpp", "--attention-pattern"): ADVICE,
    ("polygraphy/runtimes/runner_spec/runner_spec.cpp", "--input"): SPEC,
    ("polygraphy/runtimes/runner_spec/runner_spec.cpp", "--isolated"): SPEC,
    ("polygraphy/runtimes/runner_spec/runner_spec.cpp", "--library"): SPEC,
    ("polygraphy/runtimes/runner_spec/runner_spec.cpp", "--model"): SPEC,
    ("polygraphy/runtimes/runner_spec/runner_spec.cpp", "--name"): SPEC,
    ("polygraphy/runtimes/runner_spec/runner_spec.cpp", "--timeout"): SPEC,
    ("polygraphy/runtimes/worker/worker_client.cpp", "--timeout"): ADVICE,
    ("polygraphy/runtimes/contract/contract_process.h", "--contract-process"): PROTOCOL,
    ("polygraphy/runtimes/worker/worker_process.h", "--runner-process"): PROTOCOL,
}


def texts(path):
    """(line, text) of each string literal outside of comments and tables of kinds."""
    source = path.read_text(encoding="utf-8")
    source = TABLE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), source)
    for match in TOKEN.finditer(source):
        if match.group(1):
            yield source.count("\n", 0, match.start()) + 1, match.group(1)


def joined_texts(path):
    """(line, code before, text) of each string literal; adjacent literals are one text."""
    source = path.read_text(encoding="utf-8")
    begin, end, text = 0, None, ""
    for match in TOKEN.finditer(source):
        if match.group(1) is None:
            continue
        if end is not None and not source[end:match.start()].strip():
            text += match.group(1)
        else:
            if end is not None:
                yield source.count("\n", 0, begin) + 1, source[:begin][-CODE_BEFORE:], text
            begin, text = match.start(), match.group(1)
        end = match.end()
    if end is not None:
        yield source.count("\n", 0, begin) + 1, source[:begin][-CODE_BEFORE:], text


def find_words():
    """Problems with the words of texts for users, and the number of files."""
    problems, count = [], 0
    for path in sorted(path for root in ("backends", "include", "python/extension", "src")
                       for path in pathlib.Path(root).rglob("*")):
        if not is_source(path):
            continue
        count += 1
        for line, before, text in joined_texts(path):
            if ASSERTION.search(before):
                continue
            find = plain_words.found_in_help if HELP.search(before) else plain_words.found_in_message
            problems += [f"{path}:{line}: '{words}' in a text: {reason}" for words, reason in find(text)]
    return problems, count


def is_source(path):
    return path.suffix in (".cpp", ".h", ".inc") and not re.search(r"_(test|fuzz|bench)$", path.stem) \
        and "testdata" not in path.parts


def find_options():
    """Problems with options that the libraries name, and the number of files."""
    problems, used, count = [], set(), 0
    for folder in (f"{root}/{library}" for root in ("include", "src") for library in ("graphsurgeon", "polygraphy")):
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if not is_source(path):
                continue
            count += 1
            name = pathlib.Path(*path.parts[1:]).as_posix()
            for line, text in texts(path):
                for option in OPTION.findall(text):
                    if (name, option) in ALLOWED:
                        used.add((name, option))
                    else:
                        problems.append(f"{path}:{line}: names {option}: give the error a code, and "
                                        "src/cli/remedies.cpp the words")
    problems += [f"scripts/check_messages.py: {name} does not name {option}"
                 for name, option in sorted(set(ALLOWED) - used)]
    return problems, count


def main():
    problems, count = find_options()
    of_words, more = find_words()
    problems, count = problems + of_words, max(count, more)
    for problem in problems:
        print(problem)
    print(f"{count} files, {len(problems)} problems")
    sys.exit(1 if problems or not count else 0)


main()
