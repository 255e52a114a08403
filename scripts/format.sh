#!/usr/bin/env bash
# format.sh [--check]: formats every C and C++ file that git knows. With --check: lists those that are not
# formatted, and new commits whose subjects break the rules of CONTRIBUTING.md.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
command -v clang-format-19 >/dev/null || scripts/setup.sh developer
mode=(-i)
if [ "${1:-}" = --check ]; then
  mode=(--dry-run --Werror)
  python3 scripts/check_commits.py
fi
git ls-files -z -- '*.cpp' '*.h' '*.c' '*.inc' | xargs -0 -r -P "$(nproc)" -n 16 clang-format-19 "${mode[@]}"
