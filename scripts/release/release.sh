#!/usr/bin/env bash
# release.sh: all files of a release in build/release-files: the wheels, the tarball, its packages (packages/), the
# lists of parts, the checksums and their signature (sign.sh), and nothing else.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=build/release-files
SOURCE_DATE_EPOCH=$(scripts/release/source_date.sh)
export SOURCE_DATE_EPOCH
rm -rf "$folder"
mkdir -p "$folder"
scripts/release/wheel.sh "$folder"
scripts/release/standing_in_wheels.sh "$folder"
scripts/release/dist.sh build/release "$folder"
for tarball in "$folder"/polygraphy-*.tar.gz; do
  for package in scripts/release/packages/*.sh; do "$package" "$tarball" "$folder"; done
done
scripts/release/sbom.py write "$folder"
scripts/release/sign.sh "$folder"
