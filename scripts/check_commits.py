#!/usr/bin/env python3
"""check_commits.py: the subjects of new commits have the form that CONTRIBUTING.md asks for.

New commits are those that the main branch of `origin` lacks, or without it the last 20. Commits from before this
script are exempt.
"""

import subprocess
import sys

LENGTH = 72
LAST = 20


def git(*arguments):
    run = subprocess.run(["git", *arguments], capture_output=True, text=True)
    return run.stdout.strip() if run.returncode == 0 else ""


def problems(subject):
    """The rules that a subject breaks.

    >>> problems("Warn when sharding hints split nothing")
    []
    >>> problems("patterns get the package; makers of runners.")
    ['begins with a small letter', 'ends with a period', 'is a list, for several commits']
    >>> problems("A" * 73)
    ['has 73 characters, more than 72']
    """
    found = []
    if len(subject) > LENGTH:
        found.append(f"has {len(subject)} characters, more than {LENGTH}")
    if subject[:1].islower():
        found.append("begins with a small letter")
    if subject.endswith("."):
        found.append("ends with a period")
    if ";" in subject:
        found.append("is a list, for several commits")
    return found


def new_commits():
    """(hash, subject) of each."""
    limits = ["HEAD"]
    if git("rev-parse", "--verify", "--quiet", "origin/main"):
        limits.append("^origin/main")
    else:
        limits.append(f"--max-count={LAST}")
    added = git("log", "--diff-filter=A", "--format=%H", "--", "scripts/check_commits.py").split()
    if not added:
        return []
    lines = git("log", "--format=%h %s", *limits, f"^{added[-1]}").split("\n")
    return [line.split(" ", 1) for line in lines if line]


def main():
    commits = new_commits()
    found = [f"{commit} {what}: {subject}" for commit, subject in commits for what in problems(subject)]
    for line in found:
        print(line)
    print(f"{len(commits)} commits, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
