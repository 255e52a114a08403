#!/usr/bin/env bash
# packages_test.sh SOURCE BUILD WORK: every script in scripts/release/packages makes a package of the tarball of BUILD,
# the same bytes in another time zone and with another umask; the program in it runs where nothing else is. Skipped
# (77) without the tools, or where the system's glibc is too new to pack anything for others.
set -euo pipefail
source=$1 build=$2 work=$3
for tool in dpkg-deb rpmbuild rpm2cpio cpio mmdebstrap umoci; do
  command -v "$tool" >/dev/null || { echo "$tool is not installed"; exit 77; }
done
version=$(getconf GNU_LIBC_VERSION | sed 's/[^0-9]*[0-9]*\.//')
[ "$version" -le 36 ] || { echo "glibc 2.$version is newer than 2.36"; exit 77; }
rm -rf "$work"
mkdir -p "$work"/{made,again}
cd "$work"
"$source/scripts/release/dist.sh" "$build" made
tarball=$(echo "$PWD"/made/*.tar.gz)
fail() { echo "$*"; exit 1; }

# check_tree FOLDER: what lies in /usr is complete, and runs.
check_tree() {
  local file
  for file in bin/polygraphy lib/polygraphy/backends/polygraphy_onnxrt.so share/man/man1/polygraphy.1.gz \
    share/bash-completion/completions/polygraphy share/zsh/site-functions/_polygraphy \
    share/fish/vendor_completions.d/polygraphy.fish \
    share/doc/polygraphy/{LICENSE,polygraphy.cdx.json,examples/quantized/int8.onnx}; do
    [ -s "$1/$file" ] || fail "not in $1: $file"
  done
  env -i "$1/bin/polygraphy" --version >log 2>&1 || fail "the program in $1 does not run"
}

check_deb() {
  local depends left
  depends=$(dpkg-deb -f "$1" Depends)
  [[ $depends =~ ^libc6\ \(\>=\ 2\.(2[0-9]|3[0-6])\) ]] || fail "the .deb depends on '$depends'"
  # Installed, and removed without a trace, by dpkg itself.
  mkdir -p root/var/lib/dpkg/{updates,info} root/usr
  touch root/var/lib/dpkg/status
  local dpkg=(dpkg --root="$PWD/root" --force-not-root --force-depends --log=/dev/null)
  "${dpkg[@]}" -i "$1" >log 2>&1 || fail "$(cat log)"
  check_tree root/usr
  grep -q 'Apache License' root/usr/share/doc/polygraphy-native/copyright || fail "no copyright in the .deb"
  "${dpkg[@]}" -P polygraphy-native >log 2>&1 || fail "$(cat log)"
  left=$(find root -path '*/usr/*' -name '*polygraphy*')
  [ -z "$left" ] || fail "left by the .deb: $left"
}
check_rpm() {
  [[ $(rpm -qp --requires "$1") == *'libc.so.6(GLIBC_2.28)(64bit)'* ]] || fail "the .rpm does not require glibc"
  [[ $(rpm -qp --provides "$1") != *.so* ]] || fail "the .rpm provides private libraries"
  mkdir rpm
  rpm2cpio "$1" | cpio -idm --quiet -D rpm
  check_tree rpm/usr
}
check_oci() {
  mkdir layout
  tar -C layout -xf "$1"
  local tag
  tag=$(sed -n 's/.*ref.name":"\([^"]*\)".*/\1/p' layout/index.json)
  umoci unpack --rootless --image "layout:$tag" image >log 2>&1 || fail "$(cat log)"
  [ "$(stat -c %a image/rootfs/tmp)" = 1777 ] || fail "other users cannot write /tmp in the image"
  [ -s image/rootfs/usr/share/doc/libc6/copyright ] || fail "the image has no licence of glibc"
  cp "$source/examples/quantized/int8.onnx" image/rootfs/work
  [ "$(ls image/rootfs/usr/bin)" = polygraphy ] || fail "other programs are in the image"
  unshare --user --map-root-user chroot image/rootfs /usr/bin/polygraphy inspect model /work/int8.onnx >log 2>&1 ||
    fail "the program in the image does not run: $(cat log)"
}
# check_checksum FILE: it names the tarball and its checksum.
check_checksum() {
  grep -q "https://example.org/polygraphy/releases/.*/$(basename "$tarball")" "$1" || fail "$1 names another file"
  grep -qE "\"?$(sha256sum "$tarball" | cut -c1-64)\"?\$" "$1" || fail "$1 has another checksum"
}
check_conda() {
  check_checksum "$1"
  python3 -c 'import sys, yaml; recipe = yaml.safe_load(open(sys.argv[1]))
assert recipe["package"]["name"] == "polygraphy-native" and len(recipe["source"]) == 1, recipe
assert any(each.startswith("__glibc >=2.") for each in recipe["requirements"]["run"]), recipe' "$1"
}
check_homebrew() {
  check_checksum "$1"
  ! command -v ruby >/dev/null || ruby -c "$1" >log || fail "the formula is no Ruby"
}

for script in "$source"/scripts/release/packages/*.sh; do
  kind=$(basename "$script" .sh)
  [ "$(type -t "check_$kind")" = function ] || fail "nothing here checks $script"
  before=$(ls made)
  "$script" "$tarball" made
  (umask 077 && TZ=Pacific/Kiritimati LC_ALL=C.UTF-8 "$script" "$tarball" again)
  made=$(comm -13 <(echo "$before") <(ls made))
  [ "$(wc -w <<<"$made")" = 1 ] || fail "$script has written: $made"
  cmp "made/$made" "again/$made"
  "check_$kind" "$PWD/made/$made"
  echo "$made is as it should be"
done
