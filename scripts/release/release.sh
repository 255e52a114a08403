#!/usr/bin/env bash
# release.sh [PLATFORM...]: all files of a release in build/release-files: for each platform (platform.sh; all of
# them) a wheel, a tarball and its packages (packages/), the lists of parts, the checksums and their signature
# (sign.sh), and nothing else.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=build/release-files
[ $# -gt 0 ] || set -- linux-x86_64 linux-aarch64
SOURCE_DATE_EPOCH=$(scripts/release/source_date.sh)
export SOURCE_DATE_EPOCH
rm -rf "$folder"
mkdir -p "$folder"
scripts/build.sh release program polygraphy_native python_records
scripts/release/standing_in_wheels.sh "$folder"
for platform in "$@"; do
  scripts/release/wheel.sh "$folder" "$platform"
  scripts/release/dist.sh "build/$platform" "$folder"
done
for tarball in "$folder"/polygraphy-*.tar.gz; do
  for package in scripts/release/packages/*.sh; do "$package" "$tarball" "$folder"; done
done
scripts/release/sbom.py write "$folder" "$1"
scripts/release/sign.sh "$folder"
