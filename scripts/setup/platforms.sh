# shellcheck shell=bash
# Other platforms than this machine's (scripts/release/platform.sh), each linux-<machine> with glibc 2.28, which is
# that of Debian 10, RHEL 8 and JetPack 5: the compiler, glibc to link with, and third parties.

oldest_glibc=2.28

# The C library as the linker sees it, out of zig, which has all versions for all machines: objects that are
# compiled with the headers of a newer one find the versions of functions that the older one has.
fetch_glibc() {
  wheel ziglang "$zig_version"
  unzip -q ziglang-*.whl
  chmod +x ziglang/zig
  export ZIG_GLOBAL_CACHE_DIR=$PWD/cache ZIG_LOCAL_CACHE_DIR=$PWD/cache
  echo 'int main(void) { return 0; }' >probe.c
  ziglang/zig cc -target "$machine-linux-gnu.$oldest_glibc" probe.c -o probe
  local found library
  found=$(find cache -name libc.so.6 -printf '%h\n')
  cp "$found"/lib{c,m,dl,pthread,rt,ld}.so.* "$1"
  cp "$(find cache -name libc_nonshared.a -size +40k)" "$1"
  cp "$(find cache -name crt1.o)" "$1/crt1.o"
  ln -s crt1.o "$1/Scrt1.o"
  for library in m dl pthread rt; do
    ln -s "$(cd "$1" && echo lib$library.so.*)" "$1/lib$library.so"
  done
  "$gcc" -O2 -fPIC -c "$root/cmake/older_glibc.c" -o older_glibc.o
  ar rc "$1/libolder.a" older_glibc.o
  echo 'GROUP ( libc.so.6 libc_nonshared.a libolder.a libpthread.so.0 libdl.so.2 AS_NEEDED ( libld.so.2 ) )' \
    >"$1/libc.so"
}

# Static libraries of the distribution, for another machine. Their headers are those of this machine's.
fetch_packages() {
  local package
  for package in libpcre2-dev libdeflate-dev libyaml-dev; do
    ARCHITECTURE=$architecture "$root/scripts/setup/fetch_deb.sh" \
      "$(. /etc/os-release && echo "$VERSION_CODENAME")" . "$package"
    dpkg -x "$package"_*.deb "$1"
  done
}

# set_up_platform PLATFORM: a folder .deps/platforms/PLATFORM. Sets third_parties, the PG_DEPS_DIR of its build.
set_up_platform() {
  local platform=$1 name
  local here=$deps/platforms/$platform
  machine=${platform#linux-}
  export PG_PLATFORM_DEPS=$here
  case $platform in
    linux-x86_64) architecture=amd64 ;;
    linux-aarch64) architecture=arm64 ;;
    *) die "no platform '$platform': linux-x86_64, linux-aarch64" ;;
  esac
  gcc=gcc third_parties=$deps
  if [ "$machine" != "$(uname -m)" ]; then
    gcc=$machine-linux-gnu-gcc
    system_packages "building for $platform" "g++-${machine/_/-}-linux-gnu" binutils
  fi
  step "platforms/$platform/glibc" "$oldest_glibc $zig_version $(cksum <"$root/cmake/older_glibc.c")" fetch_glibc
  if [ "$machine" != "$(uname -m)" ]; then
    toolchain=$root/cmake/platform.cmake
    step "platforms/$platform/packages" "$(dpkg-query -W -f '${Version} ' libpcre2-dev libdeflate-dev libyaml-dev)" \
      fetch_packages
    step "platforms/$platform/base64" "$pybase64_version $pybase64_sha256" fetch_base64
    step "platforms/$platform/protobuf-lite" "$(dpkg-query -W -f '${Version}' libprotobuf-dev)" fetch_protobuf_lite
    step "platforms/$platform/onnx" "$onnx_version $onnx_sha256" fetch_onnx
    for name in ort openvino tensorrt; do ln -sfn "../../$name" "$here/$name"; done
    third_parties=$here
  fi
}
