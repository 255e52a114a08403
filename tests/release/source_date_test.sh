#!/usr/bin/env bash
# source_date_test.sh SOURCE: where the time of a release comes from.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/scripts/release"
cp "$1/scripts/release/source_date.sh" "$work/scripts/release"
cd "$work"
unset SOURCE_DATE_EPOCH

expect() {
  local got
  got=$("${@:3}" scripts/release/source_date.sh)
  [ "$got" = "$1" ] || { echo "$2: $got instead of $1"; exit 1; }
}
printf '# Changelog\n\n## 0.1.0\n\n- Since 2020-01-01.\n' >CHANGELOG.md
expect 315532800 "a heading without a date" env
printf '# Changelog\n\n## 0.2.0 (2026-11-30)\n\n- Since 2030-01-01.\n\n## 0.1.0 (2026-01-02)\n' >CHANGELOG.md
expect 1795996800 "the newest heading" env TZ=Pacific/Kiritimati
expect 5 "a time that is given" env SOURCE_DATE_EPOCH=5
git init -q .
git -c user.name=a -c user.email=a@b add -A
GIT_COMMITTER_DATE="@1234567890 +1400" git -c user.name=a -c user.email=a@b commit -q -m first
expect 1234567890 "the last commit" env TZ=Pacific/Kiritimati
expect 5 "a time that is given, before the last commit" env SOURCE_DATE_EPOCH=5
echo "dates are as expected"
