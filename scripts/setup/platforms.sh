# shellcheck shell=bash
# Other platforms than this machine's (scripts/release/platform.sh): the compiler that builds for them, and the
# third parties of each, from the sources of those that the system has.

# platform_target PLATFORM: its name for the compiler. The oldest glibc is that of Debian 10, RHEL 8 and JetPack 5.
platform_target() {
  case $1 in
    linux-x86_64) echo x86_64-linux-gnu.2.28 ;;
    linux-aarch64) echo aarch64-linux-gnu.2.28 ;;
    *) die "no platform '$1': linux-x86_64, linux-aarch64" ;;
  esac
}

# Clang with the C libraries of all platforms, out of the Python package.
fetch_zig() {
  wheel ziglang "$zig_version"
  unzip -q ziglang-*.whl
  mv ziglang "$1/ziglang"
  chmod +x "$1/ziglang/zig"
}

# Two programs that CMake takes for a compiler. Its cache is shared by all platforms.
fetch_toolchain() {
  local program target
  target=$(platform_target "$platform")
  mkdir "$1/bin"
  for program in cc c++ ar ranlib; do
    {
      printf '#!/bin/sh\n'
      printf 'export ZIG_GLOBAL_CACHE_DIR=%q ZIG_LOCAL_CACHE_DIR=%q\n' "$deps/zig-cache" "$deps/zig-cache"
      case $program in
        c*) printf 'exec %q %s -target %s "$@"\n' "$deps/zig/ziglang/zig" "$program" "$target" ;;
        *) printf 'exec %q %s "$@"\n' "$deps/zig/ziglang/zig" "$program" ;;
      esac
    } >"$1/bin/$program"
    chmod +x "$1/bin/$program"
  done
}

# Libraries that are headers: those of the system, in a folder without the system's C library.
fetch_headers() {
  local include=/usr/include
  mkdir "$1/include"
  cp -r "$include"/{fmt,protozero,nlohmann,google,xxhash.h} "$1/include"
  # The stable ABI of Python is the same on all platforms with 64 bits and this order of bytes.
  local python
  python=$(python3 -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
  cp -rL "$python" "$1/include/python"
  local config
  config=$(python3 -c 'import sysconfig; print(sysconfig.get_config_h_filename())')
  # Debian's chooses by architecture.
  if grep -q 'x86_64-linux-gnu' "$config"; then
    config=$include/x86_64-linux-gnu/$(basename "$python")/pyconfig.h
  fi
  cp "$config" "$1/include/python/pyconfig.h"
}

# source_package NAME: the system's version of it, unpacked in the current folder; prints the folder.
source_package() {
  "$root/scripts/setup/fetch_deb.sh" --source "$(. /etc/os-release && echo "$VERSION_CODENAME")" . "$1" >&2
  local archive
  for archive in "$1"_*.orig.tar.*; do
    [[ $archive == *.asc ]] || tar xf "$archive"
  done
  find . -mindepth 1 -maxdepth 1 -type d -not -name '.*' | sed -n 1p
}

# static_library SOURCE-PACKAGE OUT CMAKE-OPTION...: built and installed.
static_library() {
  local package=$1 out=$2 source
  shift 2
  mkdir "of-$package"
  (
    cd "of-$package"
    source=$(source_package "$package")
    # shellcheck disable=SC2046
    cmake -S "$source" -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
      -DCMAKE_C_FLAGS_RELEASE="-O2 -DNDEBUG -ffunction-sections -fdata-sections $(without_folder)" \
      -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_C_VISIBILITY_PRESET=hidden \
      -DCMAKE_INSTALL_PREFIX="$out" -DCMAKE_INSTALL_LIBDIR=lib "$@" $(compiler_options) >cmake.log 2>&1 ||
      { cat cmake.log; return 1; }
    ninja -C build install >build.log || { tail -n 50 build.log; return 1; }
  )
}

fetch_static_libraries() {
  static_library pcre2 "$1" -DPCRE2_BUILD_PCRE2GREP=OFF -DPCRE2_BUILD_TESTS=OFF
  static_library libyaml "$1" -DBUILD_TESTING=OFF
  # This one has a makefile.
  local tools=$PG_PLATFORM_DEPS/toolchain/bin source
  mkdir of-libdeflate
  cd of-libdeflate
  source=$(source_package libdeflate)
  make -C "$source" CC="$tools/cc" AR="$tools/ar" \
    CFLAGS="-O2 -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections $(without_folder)" \
    libdeflate.a >build.log 2>&1 || { tail -n 50 build.log; return 1; }
  cp "$source/libdeflate.a" "$1/lib"
  cp "$source/libdeflate.h" "$1/include"
}

# set_up_platform PLATFORM: its third parties in .deps/platforms/PLATFORM, where the build looks for what else
# lies in .deps. What is only headers, or only opened at run time, is that of this machine.
set_up_platform() {
  platform=$1
  local here=$deps/platforms/$platform name
  step zig "$zig_version" fetch_zig
  step "platforms/$platform/toolchain" "$zig_version $(platform_target "$platform") 1" fetch_toolchain
  toolchain=$root/cmake/platform.cmake
  # It does not know that compiler by its name.
  export CCACHE_COMPILERTYPE=clang
  export PG_PLATFORM_DEPS=$here
  step "platforms/$platform/headers" "$(dpkg-query -W -f '${Version} ' libprotozero-dev libfmt-dev \
    libxxhash-dev nlohmann-json3-dev libprotobuf-dev python3)" fetch_headers
  step "platforms/$platform/libraries" "$(dpkg-query -W -f '${Version} ' libpcre2-dev libdeflate-dev libyaml-dev)" \
    fetch_static_libraries
  step "platforms/$platform/base64" "$pybase64_version $pybase64_sha256" fetch_base64
  step "platforms/$platform/protobuf-lite" "$(dpkg-query -W -f '${Version}' libprotobuf-dev)" fetch_protobuf_lite
  step "platforms/$platform/onnx" "$onnx_version $onnx_sha256" fetch_onnx
  for name in ort openvino tensorrt; do
    ln -sfn "../../$name" "$here/$name"
  done
}
