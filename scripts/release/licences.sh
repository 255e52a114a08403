#!/usr/bin/env bash
# licences.sh FOLDER [PLATFORM]: the licences of all that is linked in (sbom.py), a text per library. Where the
# system's packages are not Debian's, those of onnx and base64 alone.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
deps=${PG_DEPS_DIR:-$here/../../.deps}
mkdir -p "$1"
for package in $("$here/sbom.py" packages); do
  command -v dpkg-query >/dev/null || break
  cp "/usr/share/doc/$package/copyright" "$1/${package%-dev}.txt"
done
# Linked in for other systems (platform.sh).
[ -z "${2:-}" ] || cp /usr/share/doc/libstdc++6/copyright "$1/libstdc++.txt"
for library in onnx base64; do
  [ -e "$deps/$library/LICENSE" ] || { echo "no licence in $deps/$library: run scripts/setup.sh" >&2; exit 1; }
  cp "$deps/$library/LICENSE" "$1/$library.txt"
done
