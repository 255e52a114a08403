#!/usr/bin/env bash
# Brings everything that building, running and testing needs, and nothing that is there already.
#
# Usage: scripts/setup.sh              what `make`, `make demo` and `make test` need
#        scripts/setup.sh developer    also clang for `make fuzz`, `make fmt`, `make tidy`
#        scripts/setup.sh ci           also what tests are skipped without: Slurm, which brings
#                                      daemons, Ray, a browser, and libraries of back ends that only
#                                      tests open
#
# System packages come by apt-get where root or sudo is there (otherwise it says which to install);
# the rest, pinned in setup/pins.sh and backends/*/setup.sh, by pip, npm and apt-get into .deps/ (PG_DEPS_DIR), which git ignores.
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
for part in common pins system libraries models schedulers; do
  # shellcheck disable=SC1090
  . "$here/setup/$part.sh"
done
# Each back end's folder lists its needs in a function set_up_<name>, and further needs of its
# tests in set_up_<name>_tests, if it has one.
back_ends=()
for part in "$root"/backends/*/setup.sh; do
  # shellcheck disable=SC1090
  . "$part"
  back_ends+=("$(basename "$(dirname "$part")")")
done

system_packages "building and testing" "$(compiler_package)" cmake ninja-build ccache make \
  binutils libprotozero-dev libfmt-dev libpcre2-dev libxxhash-dev libdeflate-dev libyaml-dev \
  nlohmann-json3-dev libprotobuf-dev protobuf-compiler libgtest-dev libgmock-dev librapidcheck-dev unzip python3 \
  python3-pip ca-certificates
if [ "${1:-}" = developer ]; then
  system_packages "fuzzing, formatting and tidying" clang-19 libclang-rt-19-dev llvm-19 \
    clang-format-19 clang-tidy-19
fi
if [ "${1:-}" = ci ]; then
  system_packages "testing checks through a scheduler" munge slurm-client slurmctld slurmd
  system_packages "testing signatures" minisign
  system_packages "testing packages" rpm cpio mmdebstrap umoci ruby
  system_packages "testing pages in a browser" chromium chromium-driver
fi

# Downloads go on while the libraries are compiled.
{
  for back_end in "${back_ends[@]}"; do
    "set_up_$back_end"
    if [ "${1:-}" = ci ] && [ "$(type -t "set_up_${back_end}_tests")" = function ]; then
      "set_up_${back_end}_tests"
    fi
  done
  if [ "${1:-}" = ci ]; then
    step ray "$ray_version" fetch_ray
    step kubernetes "$kubernetes_validate_version" fetch_kubernetes
    if command -v npm >/dev/null; then step axe-core "$axe_core_version" fetch_axe_core; fi
  fi
  step models "magika $magika_version" fetch_models
  step onnx-testdata "$onnx_testdata_version" fetch_onnx_testdata
} &
downloads=$!
step base64 "$pybase64_version $pybase64_sha256" fetch_base64
step onnx "$onnx_version $onnx_sha256" fetch_onnx
if command -v dpkg-query >/dev/null; then
  step protobuf-lite "$(dpkg-query -W -f '${Version}' libprotobuf-dev) without paths" fetch_protobuf_lite
fi
wait "$downloads"
