# shellcheck shell=bash
# Schedulers of tasks are the user's own; tests have Slurm by apt-get, and Ray's published wheel.

fetch_ray() {
  pip install -q --no-compile --only-binary :all: --target "$1" "ray==$ray_version"
}
