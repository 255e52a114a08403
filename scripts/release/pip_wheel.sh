#!/usr/bin/env bash
# pip_wheel.sh FOLDER PROJECT...: a wheel of each project in FOLDER, by pip. The tools that pip fetches
# have pinned versions, and the files in a wheel no other time, order and permissions than in the next.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(realpath -m "$1")
shift
SOURCE_DATE_EPOCH=$("$here/source_date.sh")
# Since pip 25.3 the second one is that for tools.
PIP_CONSTRAINT=$(realpath "$here/../setup/wheel-requirements.txt")
PIP_BUILD_CONSTRAINT=$PIP_CONSTRAINT
export SOURCE_DATE_EPOCH PIP_CONSTRAINT PIP_BUILD_CONSTRAINT
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PIP_DISABLE_PIP_VERSION_CHECK=1 python3 -m pip wheel -q --no-deps -w "$work" "$@"
mkdir -p "$folder"
"$here/repack_wheel.py" "$folder" "$work"/*.whl
