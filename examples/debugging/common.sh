# shellcheck shell=sh
# What the examples share. They write into the current folder.
set -eu
examples=$(cd "$(dirname "$0")" && pwd)
models=$examples/models

# The operators that a model is made of, on one line.
operators() {
  polygraphy inspect model "$1" --show layers | sed -n 's/.*\[Op: \(.*\)\]/\1/p' | tr '\n' ' '
}
