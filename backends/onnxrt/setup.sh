# shellcheck shell=bash
# ONNX Runtime: its library from the published wheel, unpacked without Python, and its headers.

onnxruntime_version=1.32.0

set_up_onnxrt() {
  step ort "$onnxruntime_version" fetch_onnxruntime
}

fetch_onnxruntime() {
  wheel onnxruntime "$onnxruntime_version"
  mkdir "$1/lib"
  unzip -qoj onnxruntime-*.whl 'onnxruntime/capi/libonnxruntime*.so*' -d "$1/lib"
  local library
  library=$(basename "$1"/lib/libonnxruntime.so.*)
  ln -s "$library" "$1/lib/libonnxruntime.so.1"
  ln -s "$library" "$1/lib/libonnxruntime.so"
  fetch_onnxruntime_headers "$1/include"
}

# The wheel has no headers. The distribution's newest suites do; the C interface only grows, and a
# header a few releases older than the library is fine (24 or newer is wanted, 23 will do).
# PG_ORT_INCLUDE_DIR names a folder with onnxruntime_c_api.h where no suite can be reached.
fetch_onnxruntime_headers() {
  mkdir "$1"
  if [ -n "${PG_ORT_INCLUDE_DIR:-}" ]; then
    cp "$PG_ORT_INCLUDE_DIR"/*.h "$1"
    return
  fi
  local suite suites="experimental sid"
  grep -qs '^ID=ubuntu' /etc/os-release && suites="devel"
  for suite in $suites; do
    if "$root/scripts/setup/fetch_deb.sh" "$suite" . libonnxruntime-dev; then
      dpkg -x libonnxruntime-dev_*.deb headers
      cp headers/usr/include/onnxruntime/*.h "$1"
      [ -e "$1/onnxruntime_c_api.h" ] && return
    fi
    say "no ONNX Runtime headers in $suite"
  done
  say "set PG_ORT_INCLUDE_DIR to a folder with onnxruntime_c_api.h (API 23 or newer)"
  return 1
}
