#!/usr/bin/env bash
# demo.sh PROGRAM: the main jobs. A quantised model with a planted fault: the guilty node is named. A
# real model: two runtimes agree in float32; in bfloat16 they differ by more than the tolerances, but by
# no more than bfloat16 must. Succeeds when all came out as expected.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
program=$(realpath "$1")
log=$(mktemp)
page=$(mktemp -d)/locate.html
trap 'rm -rf "$log" "${page%/*}"' EXIT
models=$PWD/examples/quantized
cd "${PG_DEPS_DIR:-.deps}/models"

# show ARGUMENT...: runs the program and shows what it prints; $status is its exit status.
show() {
  printf '\n$ polygraphy %s\n' "$*"
  status=0
  "$program" "$@" >"$log" 2>&1 || status=$?
  if [ "$(wc -l <"$log")" -le 120 ]; then
    cat "$log"
  else
    sed -n 1,60p "$log"
    printf '... %s lines in all\n' "$(wc -l <"$log")"
  fi
}
wrong() {
  printf '\ndemo: %s\n' "$*" >&2
  exit 1
}

show run "$models/float.onnx" --onnxrt --onnxrt "$models/int8.onnx" --noise-floor --quantization-noise
[ "$status" = 1 ] || wrong "the outputs of the int8 model should have differed (exit status $status)"

show debug locate "$models/int8.onnx" --float-model "$models/float.onnx" --onnxrt --report "$page"
[ "$status" = 1 ] && grep -q "block2.conv2" "$log" && [ -s "$page" ] ||
  wrong "the node with the wrong scale should have been named (exit status $status)"

show inspect model magika.onnx --show layers attrs weights
[ "$status" = 0 ] || wrong "inspect failed (exit status $status)"

# The bytes of a file.
inputs=(--val-range 'bytes:[0,255]')

show run magika.onnx --onnxrt --openvino "${inputs[@]}"
[ "$status" = 0 ] && grep -q PASSED "$log" ||
  wrong "the two runtimes should have agreed in float32 (exit status $status)"

show run magika.onnx --onnxrt --openvino --openvino-precision bf16 "${inputs[@]}"
# The precision that the runtime reports: a processor may have no bfloat16.
precision=$(sed -n 's/.*OpenVINO inference precision: //p' "$log")
if [ "$precision" != bf16 ]; then
  [ "$status" = 0 ] || wrong "the comparison in $precision should have passed (exit status $status)"
  printf '\ndemo: float32 agrees, as expected. This processor has no bfloat16: the runtime kept to\n'
  printf '%s, so the second comparison had no failure to find.\n' "$precision"
  exit
fi
[ "$status" = 1 ] && grep -q FAILED "$log" ||
  wrong "bfloat16 should have exceeded the tolerances (exit status $status)"

show run magika.onnx --onnxrt --openvino --openvino-precision bf16 "${inputs[@]}" --noise-floor
[ "$status" = 0 ] && grep -q '× the bfloat16 noise' "$log" ||
  wrong "the noise of bfloat16 should have explained the difference (exit status $status)"
printf '\ndemo: as expected, float32 agrees, and bfloat16 differs by no more than its rounding noise.\n'
