#!/usr/bin/env bash
# target_of.sh BUILD: the machine and the oldest glibc that a build is for, and the platform if platform.sh made it.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../setup/platforms.sh"
platform=$(sed -n 's|^PG_PLATFORM_DEPS:PATH=.*/||p' "$1/CMakeCache.txt")
if [ -n "$platform" ]; then
  echo "${platform#linux-} $oldest_glibc $platform"
else
  echo "$(uname -m) 2.35"
fi
