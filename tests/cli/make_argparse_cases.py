#!/usr/bin/env python3
"""Writes argparse_cases.txt: the results of Python's argparse (3.11 or older) for random command lines.

The parsers are built from options_0.53.6.tsv. Each case is two lines: the command and its arguments, separated by |; then
what argparse did: help, or ok and the options taken in order (key:value;value), surplus arguments as ?:value, or error and its text.
"""
import argparse
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
EXCLUSIVE = {"run": [("--load-inputs", "--data-loader-script"), ("--save-tactics", "--load-tactics")]}
TYPES = {"int": int, "float": float, "": None}


class UsageError(Exception):
    pass


class HelpTaken(Exception):
    pass


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise UsageError(message)


def key_of(spellings):
    return next((s for s in spellings if s.startswith("--")), spellings[0])


def make_parser(command, rows, taken):
    class Record(argparse.Action):
        def __call__(self, parser, namespace, values, option_string=None):
            if not self.option_strings and values is None:
                return
            raw = [] if values is None else values if isinstance(values, list) else [values]
            taken.append((key_of(self.option_strings or [self.dest]), raw))

    class Help(argparse.Action):
        def __call__(self, *_):
            raise HelpTaken

    parser = Parser(prog="polygraphy " + command, add_help=False)
    parser.add_argument("-h", "--help", action=Help, nargs=0)
    # Types are checked, but the texts are what is compared.
    def checked(convert):
        def check(text):
            convert(text)
            return text
        check.__name__ = convert.__name__
        return check

    exclusive = {key: parser.add_mutually_exclusive_group() for keys in EXCLUSIVE.get(command, []) for key in keys[:1]}
    partner = {key: exclusive[keys[0]] for keys in EXCLUSIVE.get(command, []) for key in keys}
    for _, spellings, nargs, type_, choices, _, required in rows:
        spellings = spellings.split()
        where = partner.get(key_of(spellings), parser)
        options = {"action": Record, "nargs": {"0": 0, "1": None}.get(nargs, nargs)}
        if type_:
            options["type"] = checked(TYPES[type_])
        if choices:
            options["choices"] = choices.split()
        where.add_argument(*spellings, **options)
    return parser


WORDS = ["m.onnx", "x:[1,2]", "5", "-1", "-1.5", "-.5", "1e-3", "-1e-3", "--", "-", "", "a b", "-a b", "nan", "1_0", " 7 ", "foo",
         "--bogus", "--bogus=1", "-z", "-vz", "-vq", "-vvv", "-v5", "--s", "[0,1]"]
VALUES = {"int": ["5", "-1", "1_0", " 7 "], "float": ["1e-3", "-1.5", "nan", ".5"], "": ["m.onnx", "x:[1,2]", "foo", "-1", "a b", "0"]}


def good_values(rng, row):
    """As many values as the option wants, mostly of the right kind."""
    low, high = {"0": (0, 0), "1": (1, 1), "?": (0, 1), "+": (1, 3), "*": (0, 3)}[row[2]]
    return [rng.choice(row[4].split() or VALUES[row[3]]) for _ in range(rng.randint(low, high))]


def random_arguments(rng, rows):
    rows = rows + [["", "-h --help", "0", "", "", "", ""]]
    for _ in range(rng.choice([1, 2, 2, 3, 3, 4, 5, 6, 8])):
        row = rng.choice([row for row in rows if row[1].startswith("-")])
        if row[1] == "-h --help" and rng.random() < 0.5:
            continue
        spelling = rng.choice(row[1].split())
        values = good_values(rng, row)
        kind = rng.random()
        if kind < 0.45:
            yield from [spelling, *values]
        elif kind < 0.55 and len(values) == 1:
            yield spelling + "=" + values[0] if spelling.startswith("--") else spelling + values[0]
        elif kind < 0.7 and spelling.startswith("--"):  # shortened, sometimes to something ambiguous
            cut = spelling[: rng.randrange(max(3, len(spelling) - 6), len(spelling) + 1)]
            yield from [cut + "=" + values[0]] if len(values) == 1 and rng.random() < 0.5 else [cut, *values]
        elif kind < 0.76:
            yield from [spelling, *rng.choices(WORDS, k=rng.randint(0, 2))]
        elif kind < 0.8:
            word = rng.choice([word for word in WORDS if word != "--"])  # old versions lose the value of --option=--
            yield spelling + "=" + word if spelling.startswith("--") else spelling + word
        else:
            yield rng.choice(WORDS)


def outcome(parser, taken, args):
    taken.clear()
    try:
        _, surplus = parser.parse_known_args(args)
    except UsageError as error:
        return "error|" + str(error)
    except HelpTaken:
        return "help"
    return "|".join(["ok", *(key + ":" + ";".join(values) for key, values in taken), *("?:" + s for s in surplus)])


def main():
    if sys.version_info >= (3, 12):
        sys.exit("argparse of Python 3.12 and newer differs; use 3.11 or older")
    with open(os.path.join(HERE, "options_0.53.6.tsv")) as file:
        table = [(line.rstrip("\n").split("\t") + [""] * 7)[:7] for line in file if not line.startswith("#")]
    rng = random.Random(1)
    with open(os.path.join(HERE, "argparse_cases.txt"), "w") as out:
        for command, count in (("run", 500), ("inspect model", 120), ("inspect data", 120)):
            rows = [row for row in table if row[0] == command]
            taken = []
            parser = make_parser(command, rows, taken)
            for _ in range(count):
                args = list(random_arguments(rng, rows))
                out.write("|".join([command, *args]) + "\n" + outcome(parser, taken, args) + "\n")


if __name__ == "__main__":
    main()
