# shellcheck shell=bash
# Schedulers of tasks are the user's own; tests have Slurm by apt-get, and Ray's published wheel, and
# the schemas of Kubernetes.

fetch_ray() {
  pip install -q --only-binary :all: --target "$1" "ray==$ray_version"
}

# Of the schemas, those of Jobs: all of them are 100 MB.
fetch_kubernetes() {
  pip install -q --no-compile --only-binary :all: --target "$1" "kubernetes-validate==$kubernetes_validate_version"
  find "$1/kubernetes_validate/kubernetes-json-schema" -name '*.json' \
    ! -name 'job-batch-v1.json' ! -name '_definitions.json' -delete
}
