# shellcheck shell=bash
# The libraries that are linked into the executable and that the system does not bring. Their messages
# name their sources: without the folder in which set-up works, which differs from machine to machine.

# The onnx project's C++ library: operator schemas, checker, shape inference, version conversion.
# Against protobuf-lite and with hidden symbols: engines in the same process bring other
# protobufs. Many sources at a time (unity) and few optimizations: most of it is schemas, which are
# registered once. That takes two thirds of the time.
fetch_onnx() {
  local cmake protobuf=()
  cmake=$(newer_cmake 3.26)
  if [ -n "${toolchain:-}" ]; then
    protobuf=("-DProtobuf_LIBRARY=$PG_PLATFORM_DEPS/protobuf-lite/lib/libprotobuf-lite.a"
      "-DONNX_CUSTOM_PROTOC_EXECUTABLE=$(command -v protoc)")
  fi
  sdist onnx "$onnx_version" "$onnx_sha256"
  # shellcheck disable=SC2046
  "$cmake" -S "onnx-$onnx_version" -B build -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG -ffunction-sections -fdata-sections $(without_folder)" \
    -DCMAKE_UNITY_BUILD_BATCH_SIZE=20 -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
    -DCMAKE_CXX_VISIBILITY_PRESET=hidden -DCMAKE_VISIBILITY_INLINES_HIDDEN=ON \
    -DONNX_BUILD_PYTHON=OFF -DONNX_USE_LITE_PROTO=ON -DONNX_INSTALL=ON -DONNX_USE_UNITY_BUILD=ON "${protobuf[@]}" \
    -DCMAKE_INSTALL_PREFIX="$1" -DCMAKE_INSTALL_LIBDIR=lib $(compiler_options) >cmake.log 2>&1 ||
    { cat cmake.log; return 1; }
  ninja -C build install >build.log || { tail -n 50 build.log; return 1; }
  cp "onnx-$onnx_version/LICENSE" "$1"
}

# The compiler's options for that, in a step's folder: ccache makes a path relative, perhaps.
without_folder() {
  echo "-ffile-prefix-map=$PWD/= -ffile-prefix-map=../="
}

# newer_cmake VERSION: a CMake at least that new: the system's, or one brought by pip.
newer_cmake() {
  local have
  have=$(cmake --version | sed -n '1s/[^0-9]*//p')
  if [ "$(printf '%s\n%s\n' "$1" "$have" | sort -V | sed -n 1p)" = "$1" ]; then
    echo cmake
  else
    wheel cmake "$cmake_version"
    unzip -q cmake-*.whl
    chmod +x cmake/data/bin/*
    echo "$PWD/cmake/data/bin/cmake"
  fi
}

# The C library that the pybase64 package wraps: its source distribution carries the whole of it.
fetch_base64() {
  sdist pybase64 "$pybase64_version" "$pybase64_sha256"
  # shellcheck disable=SC2046
  cmake -S "pybase64-$pybase64_version/base64" -B build -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_C_VISIBILITY_PRESET=hidden \
    -DBASE64_BUILD_CLI=OFF -DBASE64_WERROR=OFF -DBUILD_SHARED_LIBS=OFF \
    -DCMAKE_INSTALL_PREFIX="$1" -DCMAKE_INSTALL_LIBDIR=lib $(compiler_options) >cmake.log 2>&1 ||
    { cat cmake.log; return 1; }
  ninja -C build install >build.log || { tail -n 50 build.log; return 1; }
  cp "pybase64-$pybase64_version/base64/LICENSE" "$1"
}

# protobuf-lite of the system's version, whose headers are used, but position independent: the
# system's archive cannot be linked into a shared object, which the Python extension is.
fetch_protobuf_lite() {
  "$root/scripts/setup/fetch_deb.sh" --source "$(. /etc/os-release && echo "$VERSION_CODENAME")" . \
    protobuf
  tar xf protobuf_*.orig.tar.gz
  local source
  source=$(dirname protobuf-*/CHANGES.txt)
  [ -e "$source/CMakeLists.txt" ] || source=$source/cmake
  # shellcheck disable=SC2046
  cmake -S "$source" -B build -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG -ffunction-sections -fdata-sections $(without_folder)" \
    -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
    -DCMAKE_CXX_VISIBILITY_PRESET=hidden -DCMAKE_VISIBILITY_INLINES_HIDDEN=ON \
    -Dprotobuf_BUILD_TESTS=OFF -Dprotobuf_WITH_ZLIB=OFF -Dprotobuf_BUILD_PROTOC_BINARIES=OFF \
    $(compiler_options) >cmake.log 2>&1 || { cat cmake.log; return 1; }
  ninja -C build libprotobuf-lite >build.log || { tail -n 50 build.log; return 1; }
  mkdir "$1/lib"
  cp build/libprotobuf-lite.a "$1/lib"
}
