#!/usr/bin/env bash
# sign.sh FOLDER: writes FOLDER/SHA256SUMS, the checksums of all files there, and SHA256SUMS.minisig, its
# signature by the secret key of minisign in the file POLYGRAPHY_RELEASE_KEY. Without that variable it says
# that nothing is signed. `minisign -G -p release.pub -s release.key` makes a key.
set -euo pipefail
say() { printf '[release] %s\n' "$*"; }
key=${POLYGRAPHY_RELEASE_KEY:-}
[ -z "$key" ] || key=$(realpath "$key")
cd "$1"
rm -f SHA256SUMS SHA256SUMS.minisig
files=$(find . -maxdepth 1 -type f -printf '%P\n' | LC_ALL=C sort)
[ -n "$files" ] || { say "no files to sign in $1: run make release" >&2; exit 1; }
sums=$(xargs -d '\n' sha256sum <<<"$files")
printf '%s\n' "$sums" >SHA256SUMS
say "$(wc -l <SHA256SUMS) files in $PWD/SHA256SUMS"
if [ -z "$key" ]; then
  say "not signed: POLYGRAPHY_RELEASE_KEY names no secret key of minisign"
  exit
fi
command -v minisign >/dev/null || { say "minisign is missing: apt-get install minisign" >&2; exit 1; }
# The comment, which the signature covers, would hold the time otherwise.
minisign -S -s "$key" -t "polygraphy, SHA-256 of SHA256SUMS: $(sha256sum SHA256SUMS | cut -c1-64)" -m SHA256SUMS
say "signed: $PWD/SHA256SUMS.minisig"
