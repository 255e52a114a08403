#!/usr/bin/env python3
"""check_messages.py: texts of the libraries name no options of the command line.

An error has a code instead, and src/cli/remedies.cpp says what to do in terms of options. Tables of
kinds (.flags, .help, .summary) are the options themselves. The rest of what is allowed stands in
ALLOWED with its reason; an entry without a text is an error, too.
"""

import pathlib
import re
import sys

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
TOKEN = re.compile(r"""//[^\n]*|'(?:[^'\\\n]|\\.)'|"((?:[^"\\\n]|\\.)*)\"""")
TABLE = re.compile(r'\.(?:flags|help|summary|description|example)\s*=\s*(?:"(?:[^"\\\n]|\\.)*"\s*)+')

LOG = "a log line of the original, which scripts look for"
ADVICE = "a log line with advice on a command that runs, which the command line cannot add to"
FILE = "text of a file that somebody runs or reads"
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
    ("polygraphy/diagnosis/reduce/reduce_job.cpp", "--fold-constants"): ADVICE,
    ("polygraphy/diagnosis/reduce/reduce_job.cpp", "--mode"): LOG,
    ("polygraphy/diagnosis/reduce/reduce_job.cpp", "--model-input-shapes"): ADVICE,
    ("polygraphy/diagnosis/reduce/reduce_job.cpp", "--override-input-shapes"): ADVICE,
    ("polygraphy/diagnosis/reduce/reproduction.cpp", "--load-inputs"): FILE,
    ("polygraphy/diagnosis/reduce/reproduction.cpp", "--onnxrt"): FILE,
    ("polygraphy/diagnosis/reduce/reproduction.cpp", "--save-debug-replay"): FILE,
    ("polygraphy/diagnosis/reduce/step_candidates.cpp", "--check"): ADVICE,
    ("polygraphy/data/results/saved_document.cpp", "--save-outputs"): LOG,
    ("polygraphy/models/sharding/shard_sequence.cpp", "--attention-pattern"): ADVICE,
    ("polygraphy/runtimes/runner_spec/runner_spec.cpp", "--input"): SPEC,
    ("polygraphy/runtimes/runner_spec/runner_spec.cpp", "--isolated"): SPEC,
    ("polygraphy/runtimes/runner_spec/runner_spec.cpp", "--library"): SPEC,
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


def main():
    problems, used, count = [], set(), 0
    for folder in (f"{root}/{library}" for root in ("include", "src") for library in ("graphsurgeon", "polygraphy")):
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.suffix not in (".cpp", ".h") or re.search(r"_(test|fuzz|bench)$", path.stem) \
                    or "testdata" in path.parts:
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
    for problem in problems:
        print(problem)
    print(f"{count} files, {len(problems)} problems")
    sys.exit(1 if problems or not count else 0)


main()
