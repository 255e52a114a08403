#!/usr/bin/env bash
# demo.sh PROGRAM: the main job on a real model. Two engines agree in float32; in bfloat16 the answer
# changes, and the comparison says so. Succeeds when both came out as expected.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
program=$(realpath "$1")
log=$(mktemp)
trap 'rm -f "$log"' EXIT
cd "${PG_DEPS_DIR:-.deps}/models"

# show ARGUMENT...: runs the program, shows what it prints; its exit status in $status.
show() {
  printf '\n$ polygraphy %s\n' "$*"
  status=0
  "$program" "$@" 2>&1 | tee "$log" || status=$?
}
wrong() {
  printf '\ndemo: %s\n' "$*" >&2
  exit 1
}

show inspect model magika.onnx --show layers attrs weights
[ "$status" = 0 ] || wrong "inspect failed"

show run magika.onnx --onnxrt --openvino
[ "$status" = 0 ] || wrong "the two engines should have agreed in float32"

# Verbose for OpenVINO only as far as to learn which precision it really uses.
show run magika.onnx --onnxrt --openvino --openvino-precision bf16
if [ "$status" = 1 ] && grep -q FAILED "$log"; then
  printf '\ndemo: as expected: float32 agrees, bfloat16 changes the answer.\n'
elif ! grep -qw -e avx512_bf16 -e amx_bf16 /proc/cpuinfo; then
  printf '\ndemo: float32 agrees. This processor has no bfloat16 arithmetic, so the engine\n'
  printf 'kept to float32 and there was no failure to show (exit status %s).\n' "$status"
  [ "$status" = 0 ] || wrong "the last comparison neither passed nor failed"
else
  wrong "bfloat16 should have changed the answer (exit status $status)"
fi
