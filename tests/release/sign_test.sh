#!/usr/bin/env bash
# sign_test.sh SOURCE: a signed release verifies by the two commands of docs/verify.md; a changed file, a changed list
# and another key do not. Skipped (77) without minisign.
set -euo pipefail
source=$1
command -v minisign >/dev/null || { echo "minisign is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "$*"; exit 1; }
# The same commands as on the page.
verify() { (cd files && minisign -V -q -p ../polygraphy.pub -m SHA256SUMS && sha256sum --quiet -c SHA256SUMS) >log 2>&1; }
for command in "minisign -V -p polygraphy.pub -m SHA256SUMS" "sha256sum -c SHA256SUMS"; do
  grep -qF "$command" "$source/docs/verify.md" || fail "docs/verify.md has no line: $command"
done

minisign -G -W -f -p polygraphy.pub -s secret.key >/dev/null
minisign -G -W -f -p other.pub -s other.key >/dev/null
mkdir files
echo one >"files/a b-1.whl"
echo two >files/polygraphy.tar.gz

# Without a key: all but the signature.
env -u POLYGRAPHY_RELEASE_KEY "$source/scripts/release/sign.sh" files | grep -q "not signed: POLYGRAPHY_RELEASE_KEY" ||
  fail "it did not say that nothing is signed"
[ -s files/SHA256SUMS ] && [ ! -e files/SHA256SUMS.minisig ] || fail "not the files of an unsigned release"
(cd files && sha256sum --quiet -c SHA256SUMS) || fail "wrong checksums"

POLYGRAPHY_RELEASE_KEY=secret.key "$source/scripts/release/sign.sh" files >log
verify || fail "the signature does not verify: $(cat log)"
[ "$(wc -l <files/SHA256SUMS)" = 2 ] || fail "the list has other files: $(cat files/SHA256SUMS)"
cp files/SHA256SUMS.minisig first
POLYGRAPHY_RELEASE_KEY=secret.key "$source/scripts/release/sign.sh" files >log
cmp first files/SHA256SUMS.minisig || fail "the same files have another signature"

cp files/polygraphy.tar.gz saved
echo three >files/polygraphy.tar.gz
! verify || fail "a changed file verifies"
mv saved files/polygraphy.tar.gz
verify || fail "the files as they were do not verify"
sed -i 's/a b-1/a b-2/' files/SHA256SUMS
! verify || fail "a changed list verifies"
POLYGRAPHY_RELEASE_KEY=other.key "$source/scripts/release/sign.sh" files >log
! verify || fail "the signature of another key verifies"

# Without the key afterwards: no signature of something else stays behind.
env -u POLYGRAPHY_RELEASE_KEY "$source/scripts/release/sign.sh" files >log
[ ! -e files/SHA256SUMS.minisig ] || fail "an old signature stays"
! POLYGRAPHY_RELEASE_KEY=nowhere.key "$source/scripts/release/sign.sh" files >log 2>&1 || fail "a key that is not there signs"
echo "signatures verify"
