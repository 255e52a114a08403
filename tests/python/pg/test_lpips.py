"""Perceptual distances by the package `lpips`, where that is installed, on a network of chance."""

import functools
import math

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed here")
pytest.importorskip("torchvision", reason="torchvision is not installed here")
lpips = pytest.importorskip("lpips", reason="lpips is not installed here")

from polygraphy.comparator import IterationResult, PerceptualMetricsCompareFunc

CHANCE = np.random.RandomState(0)
IMAGE = CHANCE.rand(1, 3, 64, 64).astype(np.float32)
NOISY = np.clip(IMAGE + 0.3 * CHANCE.randn(1, 3, 64, 64), 0, 1).astype(np.float32)


@pytest.fixture
def compare(monkeypatch):
    """Compares two arrays; weights would have to be downloaded."""
    torch.manual_seed(0)
    monkeypatch.setattr(lpips, "LPIPS", functools.partial(lpips.LPIPS, pnet_rand=True))
    function = PerceptualMetricsCompareFunc()

    def compare_arrays(array0, array1):
        results = (IterationResult({"y": array}) for array in (array0, array1))
        return function(*results)["y"]

    return compare_arrays


def test_an_image_has_no_distance_from_itself(compare):
    result = compare(IMAGE, IMAGE)
    assert result and result.lpips == 0


def test_forms_of_images(compare):
    distance = compare(IMAGE, NOISY).lpips
    assert distance > 0
    by_form = {
        "channels last": lambda image: image.transpose(0, 2, 3, 1),
        "no batch": lambda image: image[0],
        "batch": lambda image: np.concatenate([image, image]),
        "tensors": torch.from_numpy,
        "half": lambda image: image.astype(np.float16),
        "bfloat16": lambda image: torch.from_numpy(image).bfloat16(),
        "bytes": lambda image: (image * 255).astype(np.uint8),
        "gray": lambda image: image[:, :1],
        "small": lambda image: image[:, :, :16, :16],
    }
    for name, form in by_form.items():
        other = compare(form(IMAGE), form(NOISY)).lpips
        near = 0.5 if name in ("gray", "small") else 0.02
        assert other == pytest.approx(distance, rel=near), name


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_numbers_that_are_not_finite_are_no_match(compare, value):
    broken = IMAGE.copy()
    broken[0, 0, 0, 0] = value
    result = compare(broken, IMAGE)
    assert not result and math.isnan(result.lpips)


def test_a_network_that_cannot_be_had_is_asked_for_once(compare, monkeypatch, capsys):
    asked = []

    def no_network(net, **_):
        asked.append(net)
        raise OSError("no such host")

    monkeypatch.setattr(lpips, "LPIPS", no_network)
    for _ in range(2):
        result = compare(IMAGE, NOISY)
        assert result and result.lpips is None
    assert asked == ["alex", "vgg"]
    assert "NOT verified" in capsys.readouterr().out
