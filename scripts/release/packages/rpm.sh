#!/usr/bin/env bash
# rpm.sh TARBALL FOLDER: FOLDER/polygraphy-native-<version>-1.<machine>.rpm, for Fedora, RHEL and SUSE. rpmbuild reads
# from the binaries which libraries the package requires.
. "$(dirname "${BASH_SOURCE[0]}")/../package.sh"
requires rpmbuild rpm
unpack "$work/usr"
gzip -9n "$work/usr/share/man/man1/polygraphy.1"
cat >"$work/package.spec" <<END
Name: $name
Version: ${version//-/\~}
Release: 1
Summary: $summary
License: Apache-2.0
URL: $homepage
Conflicts: polygraphy
AutoProv: no
%description
The command polygraphy. It opens the engines of the user's Python environment
(pip install onnxruntime openvino) or those that its options name.
%install
mkdir -p %{buildroot}
cp -R "$work/usr" %{buildroot}/usr
%files
/usr/bin/polygraphy
/usr/lib/polygraphy
$(cd "$work" && find usr/share -type f ! -path '*/doc/*' -printf '/%p\n' | LC_ALL=C sort)
%doc /usr/share/doc/polygraphy
END
# As built: not stripped again, compressed in one way everywhere, with the time and the host of no build.
rpmbuild -bb --quiet --target "$machine-linux" --define "_topdir $work/rpm" --define "_rpmdir $work/made" \
  --define "__os_install_post %{nil}" --define "debug_package %{nil}" --define "_build_id_links none" \
  --define "_binary_payload w2.xzdio" --define "_buildhost localhost" --define "use_source_date_epoch_as_buildtime 1" \
  --define "clamp_mtime_to_source_date_epoch 1" "$work/package.spec" >"$work/log" 2>&1 ||
  { cat "$work/log" >&2; exit 1; }
mv "$work"/made/"$machine"/*.rpm "$folder"
