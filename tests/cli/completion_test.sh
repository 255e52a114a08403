#!/usr/bin/env bash
# completion_test.sh PROGRAM: asks bash's completion what it offers.
set -euo pipefail
program=$1
source <("$program" --generate completion-bash)
failures=0

# offers "WORDS TYPED SO FAR" "EXPECTED": the last word is the one being typed.
offers() {
  COMP_WORDS=()
  while IFS= read -r -d ' ' word; do COMP_WORDS+=("$word"); done <<<"$1 "
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  COMPREPLY=()
  _polygraphy || true  # nothing to offer is not a failure
  local got
  got=$(IFS='|' && echo "${COMPREPLY[*]}")
  if [ "$got" != "${2// /|}" ] && [ "$got" != "$2" ]; then
    printf 'after "%s": expected "%s", but got "%s"\n' "$1" "$2" "$got" >&2
    failures=$((failures + 1))
  fi
}

cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
touch model.onnx notes.txt "a model.onnx"

offers "polygraphy ru" "run"
offers "polygraphy inspect " "model data tactics capability diff-tactics sparsity -h --help --help-all -v --verbose -q --quiet --verbosity --silent --log-format --log-file --progress --print-job"
offers "polygraphy inspect mod" "model"
offers "polygraphy run --onnxr" "--onnxrt --onnxrt-threads --onnxrt-lib"
offers "polygraphy run m" "model.onnx"
offers "polygraphy run a" "a model.onnx"
offers "polygraphy run n" "notes.txt"
offers "polygraphy surgeon sanitize --partitioning basic n" "notes.txt"
offers "polygraphy surgeon sanitize --partitioning = " "basic recursive"
offers "polygraphy surgeon sanitize --partitioning = r" "recursive"
offers "polygraphy inspect model --show layers n" "notes.txt"
offers "polygraphy run --compare cos" "cosine_similarity"
offers "polygraphy inspect model model.onnx --show " "layers attrs weights"
offers "polygraphy inspect model model.onnx --show layers w" "weights"
offers "polygraphy surgeon ex" "extract"
offers "polygraphy surgeon sanitize model.onnx --partitioning " "basic recursive"
offers "polygraphy surgeon sanitize model.onnx --max-g" "--max-growth"
offers "polygraphy template o" "onnx-gs"
offers "polygraphy run model.onnx --openvino-precision b" "bf16"
offers "polygraphy run --trt-l" "--trt-lib"
exit "$((failures > 0))"
