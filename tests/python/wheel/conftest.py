import sys

import pytest

from installed import PACKAGES, ROOT, run


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    run(ROOT / "scripts/release/wheel.sh", folder)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="session")
def standing_in(tmp_path_factory):
    """The wheels that take the places of the originals."""
    folder = tmp_path_factory.mktemp("standing_in")
    run(ROOT / "scripts/release/standing_in_wheels.sh", folder)
    return sorted(folder.glob("*.whl"))


@pytest.fixture(scope="session")
def environment(wheel, tmp_path_factory):
    """An environment with the wheel beside the original packages and an ONNX Runtime; not activated."""
    folder = tmp_path_factory.mktemp("environment") / "env"
    run(sys.executable, "-m", "venv", folder)
    run(folder / "bin/pip", "install", "-q", "--no-index", wheel)
    (site_packages,) = (folder / "lib").glob("python3.*/site-packages")
    (site_packages / "onnxruntime").symlink_to(PACKAGES / "onnxruntime")
    (site_packages / "originals.pth").write_text(f"{PACKAGES}\n", encoding="utf-8")
    return folder
