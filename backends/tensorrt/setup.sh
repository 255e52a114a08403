# shellcheck shell=bash
# TensorRT: its headers, out of the Rust crate that ships them. The libraries are the user's own.

# Releases of the crate trtx-sys, and the folder of each set of headers in them.
tensorrt_10_crate=0.5.0 tensorrt_10_headers=TRT-Enterprise-10.16
tensorrt_11_crate=0.9.1 tensorrt_11_headers=TRT-Enterprise-11.4
tensorrt_rtx_crate=0.9.1 tensorrt_rtx_headers=TRT-RTX-1.7
# The package of ONNX Runtime's plugin that ships the libraries of TensorRT-RTX 1.7.1.
tensorrt_rtx_wheel=0.5.0

set_up_tensorrt() {
  step tensorrt/include "$tensorrt_10_crate/$tensorrt_10_headers \
$tensorrt_11_crate/$tensorrt_11_headers $tensorrt_rtx_crate/$tensorrt_rtx_headers" \
    fetch_tensorrt_headers
}

# For tests only, by `scripts/setup.sh ci`: builder and parser of TensorRT-RTX, which work without a GPU up to the plan.
set_up_tensorrt_tests() {
  [ "$(uname -m)" = x86_64 ] || return 0 # the package is there for no other
  step tensorrt/rtx-lib "$tensorrt_rtx_wheel" fetch_tensorrt_rtx
}

# One folder per set: 10, 11, rtx. PG_TENSORRT_INCLUDE_DIR names a folder with these three where the
# crate cannot be had.
fetch_tensorrt_headers() {
  local set crate folder from
  for set in 10 11 rtx; do
    if [ -n "${PG_TENSORRT_INCLUDE_DIR:-}" ]; then
      from=$PG_TENSORRT_INCLUDE_DIR/$set
    else
      crate=tensorrt_${set}_crate folder=tensorrt_${set}_headers
      fetch_crate trtx-sys "${!crate}"
      from=$(echo cargo-home/registry/src/*/trtx-sys-"${!crate}"*/TensorRT-Headers/"${!folder}")
    fi
    [ -e "$from/NvInfer.h" ] || {
      say "no TensorRT headers in $from" \
        "(set PG_TENSORRT_INCLUDE_DIR to a folder with their folders 10, 11 and rtx)"
      return 1
    }
    mkdir "$1/$set"
    cp "$from"/*.h "$1/$set"
  done
}

# fetch_crate NAME VERSION: unpacks one crate, without those that it needs, below cargo-home/.
# `cargo install` ends with an error, since a library is nothing to install, but only after that.
fetch_crate() {
  local cargo options=() config unpacked="cargo-home/registry/src/*/$1-$2*"
  ! compgen -G "$unpacked" >/dev/null || return 0
  cargo=$(cargo_program)
  # Mirrors that the user's cargo is set up for.
  mkdir -p cargo-home
  for config in "${CARGO_HOME:-${HOME:-}/.cargo}"/config{,.toml}; do
    [ ! -e "$config" ] || cp "$config" cargo-home/
  done
  # Older than 1.68: only as an experiment, and the index elsewhere otherwise.
  if [ "$("$cargo" --version | sed 's/^cargo 1\.\([0-9]*\).*/\1/')" -lt 68 ]; then
    options=(-Z sparse-registry)
  fi
  RUSTC_BOOTSTRAP=1 CARGO_HOME=$PWD/cargo-home "$cargo" "${options[@]}" install --quiet \
    --root cargo-home/installed "$1" --version "$2" >"cargo-$2.log" 2>&1 || true
  compgen -G "$unpacked" >/dev/null || {
    cat "cargo-$2.log"
    return 1
  }
}

# The system's cargo, or the distribution's with the libraries that it needs, unpacked here: it
# compiles nothing, so the compiler that its package brings along is left out.
cargo_program() {
  if command -v cargo >/dev/null; then
    command -v cargo
    return
  fi
  local wanted=(cargo) package library
  for ((at = 0; at < ${#wanted[@]}; at++)); do
    package=${wanted[at]}
    [ ! -e "debs/$package" ] || continue
    mkdir -p "debs/$package"
    (
      cd "debs/$package"
      apt-get -qq -o APT::Sandbox::User=root download "$package"
      dpkg -x ./*.deb ../..
    ) >&2
    while read -r library; do
      [ "$(dpkg-query -W -f '${db:Status-Status}' "$library" 2>/dev/null)" = installed ] ||
        wanted+=("$library")
    done < <(apt-cache depends "$package" | sed -n 's/^ *Depends: \(lib[^:]*\)$/\1/p')
  done
  local libraries
  libraries=$(find "$PWD/usr/lib" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
  printf '#!/bin/sh\nLD_LIBRARY_PATH=%s exec %s/usr/bin/cargo "$@"\n' "$libraries" "$PWD" >cargo
  chmod +x cargo
  echo "$PWD/cargo"
}

# Names as the libraries know each other, beside the full ones.
fetch_tensorrt_rtx() {
  wheel onnxruntime-ep-nv-tensorrt-rtx-cu13 "$tensorrt_rtx_wheel"
  unzip -qoj onnxruntime_ep_nv_tensorrt_rtx_cu13-*.whl '*/libtensorrt_*rtx.so*' -d "$1"
  local library
  for library in "$1"/*.so.*.*; do
    ln -s "$(basename "$library")" "${library%.so.*}.so.1"
  done
}
