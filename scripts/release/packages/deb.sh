#!/usr/bin/env bash
# deb.sh TARBALL FOLDER: FOLDER/polygraphy-native_<version>_<amd64|arm64>.deb, for Debian and Ubuntu.
. "$(dirname "${BASH_SOURCE[0]}")/../package.sh"
requires dpkg-deb dpkg
declare -A architectures=([x86_64]=amd64 [aarch64]=arm64)
architecture=${architectures[$machine]}
unpack "$work/root/usr"
depends="libc6 (>= $(glibc "$work/root/usr"))"
# Of GCC 12, the newest that check_binaries.py allows.
if needs_libstdcxx "$work/root/usr"; then depends+=", libstdc++6 (>= 12)"; fi
gzip -9n "$work/root/usr/share/man/man1/polygraphy.1"
documents=$work/root/usr/share/doc
mkdir -p "$documents/$name" "$work/root/DEBIAN"
for text in "$documents/polygraphy/LICENSE" "$documents"/polygraphy/licences/*; do
  printf '\n%s\n\n' "$(basename "$text" .txt)" | tr a-z A-Z
  cat "$text"
done >"$documents/$name/copyright"
cat >"$work/root/DEBIAN/control" <<END
Package: $name
Version: $version
Architecture: $architecture
Maintainer: The authors of polygraphy-native <$name@localhost>
Installed-Size: $(du -sk --apparent-size "$work/root/usr" | cut -f1)
Depends: $depends
Suggests: python3
Conflicts: polygraphy
Section: science
Priority: optional
Homepage: $homepage
Description: $summary
 The command polygraphy. It opens the engines of the user's Python environment
 (pip install onnxruntime openvino) or those that its options name.
END
find "$work/root" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group -Zxz -z2 --threads-max=1 --build "$work/root" \
  "$folder/${name}_${version}_$architecture.deb" >/dev/null
