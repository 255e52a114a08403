#!/usr/bin/env bash
# format.sh [--check]: formats every C and C++ file that git knows, or says which are not formatted.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
command -v clang-format-19 >/dev/null || scripts/setup.sh developer
mode=(-i)
[ "${1:-}" = --check ] && mode=(--dry-run --Werror)
git ls-files -z -- '*.cpp' '*.h' '*.c' | xargs -0 -r -P "$(nproc)" -n 16 clang-format-19 "${mode[@]}"
