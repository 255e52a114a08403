#!/usr/bin/env bash
# oci.sh TARBALL FOLDER: FOLDER/polygraphy-<version>-linux-<machine>.oci.tar, an image for containers: the program and
# the C and C++ runtimes of Debian 12. It works in /work (README.md, "Install").
. "$(dirname "${BASH_SOURCE[0]}")/../package.sh"
requires mmdebstrap mmdebstrap
declare -A architectures=([x86_64]=amd64 [aarch64]=arm64)
architecture=${architectures[$machine]}
mmdebstrap --quiet --variant=extract --architectures="$architecture" --include=libstdc++6 bookworm "$work/runtimes" \
  >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
root=$work/root image=$work/image blobs=$work/image/blobs/sha256
mkdir -p "$root"/{tmp,work} "$blobs"
chmod 1777 "$root/tmp"
(cd "$work/runtimes" && cp -R --parents lib* usr/lib/*/libstdc++.so.6* usr/share/doc/*/copyright "$root")
unpack "$root/usr"

# blob TYPE FILE [MORE]: moves the file to its place, and writes its descriptor.
blob() {
  local digest size
  digest=$(sha256 "$2")
  size=$(stat -c %s "$2")
  mv "$2" "$blobs/$digest"
  printf '{"mediaType":"application/vnd.oci.image.%s","digest":"sha256:%s","size":%d%s}' "$1" "$digest" "$size" "${3:-}"
}
reproducible_tar "$root" >"$work/layer"
layer=$(sha256 "$work/layer")
gzip -9n "$work/layer"
cat >"$work/config" <<END
{"created":"$(date -u -d "@$SOURCE_DATE_EPOCH" +%FT%TZ)","architecture":"$architecture","os":"linux",
"config":{"Entrypoint":["/usr/bin/polygraphy"],"Env":["PATH=/usr/bin"],"WorkingDir":"/work","Labels":{
"org.opencontainers.image.title":"$name","org.opencontainers.image.version":"$version",
"org.opencontainers.image.licenses":"Apache-2.0","org.opencontainers.image.url":"$homepage"}},
"rootfs":{"type":"layers","diff_ids":["sha256:$layer"]}}
END
cat >"$work/manifest" <<END
{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json",
"config":$(blob config.v1+json "$work/config"),"layers":[$(blob layer.v1.tar+gzip "$work/layer.gz")]}
END
printf '{"schemaVersion":2,"manifests":[%s]}' "$(blob manifest.v1+json "$work/manifest" \
  ",\"annotations\":{\"org.opencontainers.image.ref.name\":\"$name:$version\"}")" >"$image/index.json"
printf '{"imageLayoutVersion":"1.0.0"}' >"$image/oci-layout"
reproducible_tar "$image" >"$folder/polygraphy-$version-linux-$machine.oci.tar"
