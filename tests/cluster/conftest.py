"""Work on many machines: with the real schedulers, on this one."""

import os
import shutil
import signal
import subprocess
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
import slurm_cluster  # noqa: E402

# A background process of a shell inherits ignored signals; so would the programs that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

POLYGRAPHY = os.path.abspath(
    os.environ.get("POLYGRAPHY", os.path.join(ROOT, "build", "release", "bin", "polygraphy")))
MODEL = os.path.join(ROOT, ".deps", "models", "magika.onnx")
RAY = os.path.join(ROOT, ".deps", "ray")
KUBERNETES = os.path.join(ROOT, ".deps", "kubernetes")
RUN = ["run", "magika.onnx", "--onnxrt", "--openvino", "--val-range", "bytes:[0,255]"]


class Ran:
    def __init__(self, done):
        self.code, self.out = done.returncode, done.stdout.decode()
        self.text = self.out + done.stderr.decode()


@pytest.fixture
def folder(tmp_path):
    shutil.copy(MODEL, tmp_path)
    return tmp_path


@pytest.fixture
def polygraphy(folder):
    """Runs the command in the folder, where magika.onnx lies."""
    def run(*args, **variables):
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        environment.update({name: str(value) for name, value in variables.items()})
        return Ran(subprocess.run([POLYGRAPHY, *map(str, args)], cwd=folder, env=environment,
                                  capture_output=True, timeout=300))
    return run


@pytest.fixture
def samples(polygraphy):
    """The merged results of samples on a scheduler: the bytes of the file, and the command's result."""
    def run(on, count=60, *options, **variables):
        ran = polygraphy(*RUN, "--iterations", count, "--on", on, "--tasks", on.replace(":", "_").replace("=", "_"),
                         "--save-accuracy-results", "merged.json", *options, **variables)
        return ran
    return run


@pytest.fixture(scope="session")
def slurm(tmp_path_factory):
    """The configuration of a cluster of one node."""
    if os.geteuid() != 0:
        pytest.skip("Slurm's daemons need root here")
    missing = [name for name in slurm_cluster.PROGRAMS if not slurm_cluster.find(name)]
    if missing:
        pytest.skip(f"there is no {missing[0]} here: scripts/setup.sh ci brings it")
    cluster = slurm_cluster.SlurmCluster(str(tmp_path_factory.mktemp("slurm")))
    try:
        cluster.start()
    except slurm_cluster.DoesNotStart as error:
        cluster.stop()
        pytest.skip(f"the cluster does not start here: {error}")
    yield cluster
    cluster.stop()


@pytest.fixture(scope="session")
def ray_python(tmp_path_factory):
    """A Python with ray."""
    if not os.path.isdir(os.path.join(RAY, "ray")):
        pytest.skip("there is no ray in .deps: scripts/setup.sh ci brings it")
    program = str(tmp_path_factory.mktemp("ray-python") / "python")
    with open(program, "w") as file:
        file.write(f'#!/bin/sh\nexport PYTHONPATH="{RAY}"\nexec "{sys.executable}" "$@"\n')
    os.chmod(program, 0o755)
    return program


@pytest.fixture(scope="session")
def kubernetes_validate():
    """The package that has the schemas of Kubernetes."""
    sys.path.append(KUBERNETES)
    return pytest.importorskip("kubernetes_validate", reason="scripts/setup.sh ci brings it")
