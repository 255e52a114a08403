#!/usr/bin/env bash
# source_date.sh: the time that a release carries, in seconds since 1970: SOURCE_DATE_EPOCH if it is set,
# else the time of the last commit; in an unpacked archive the newest date in the headings of CHANGELOG.md,
# or 1980-01-01, the earliest that a wheel can hold.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if [ -n "${SOURCE_DATE_EPOCH:-}" ]; then
  echo "$SOURCE_DATE_EPOCH"
elif [ -e .git ]; then
  git -c safe.directory="$PWD" log -1 --format=%ct
else
  date -u -d "$(sed -n 's/^##.*\([0-9]\{4\}-[0-9][0-9]-[0-9][0-9]\).*/\1/p' CHANGELOG.md |
    LC_ALL=C sort | sed -n '$p' | grep . || echo 1980-01-01)" +%s
fi
