"""Heatmaps and plots of the comparator: their places, and their contents."""

import sys

import numpy as np
import pytest

from differential import needs_originals, run_both
from polygraphy.comparator import IterationResult, SimpleCompareFunc, _plots
from polygraphy.comparator import util as comp_util
from polygraphy.exception import PolygraphyException

SCRIPT = """
import os, sys
os.environ.update(MPLBACKEND="Agg", SOURCE_DATE_EPOCH="0")
import matplotlib, matplotlib.figure, numpy as np
matplotlib.rcParams["svg.hashsalt"] = "the same"
save = matplotlib.figure.Figure.savefig
def save_small(figure, path, **kwargs):
    print(path, kwargs)
    save(figure, path, **{**kwargs, "dpi": 40, "metadata": {}})
matplotlib.figure.Figure.savefig = save_small
from hashlib import sha256
from polygraphy.comparator import IterationResult, SimpleCompareFunc, util
numbers = np.random.RandomState(0)
for index, shape in enumerate([(), (7,), (4, 5), (2, 3, 4, 5), (9, 9, 9), (8, 600, 2)]):
    array = np.asarray(numbers.rand(*shape), np.float32)
    # Of several figures, the original repeats the words about the scale.
    for log in (False, True)[: 2 - (index == 5)]:
        ends = (array.min(), array.max())
        util.build_heatmaps(array, *ends, f"p{index}/x", save_dir="maps", use_lognorm=log)
first, second = numbers.rand(2, 4, 5).astype(np.float32)
results = [IterationResult({"y": array}, runner_name="r") for array in (first, second)]
SimpleCompareFunc(save_heatmaps="simple", save_error_metrics_plot="plots")(*results)
for low, high in ((1e-3, 5.0), (0.0, 0.0), (0.0, 3.0)):
    name = f"o{low}{high}"
    diff = abs(first - second)
    util.scatter_plot_error_magnitude(
        diff, diff / second, second - 0.3, low, high, "a", "b", name, "o/1", save_dir="plots"
    )
for folder, _, names in sorted(os.walk(".")):
    for name in sorted(names):
        with open(os.path.join(folder, name), "rb") as file:
            print(folder, name, sha256(file.read()).hexdigest())
"""


@needs_originals
def test_pictures_are_those_of_the_original(tmp_path):
    pytest.importorskip("matplotlib")
    # Matplotlib may lie in a folder that only this process knows.
    (theirs, _), (ours, _) = run_both(SCRIPT, tmp_path, more=sys.path)
    assert ours.splitlines() == theirs.splitlines()
    assert ours.count(".svg'") > 12


def test_pictures_without_matplotlib_are_refused(monkeypatch, tmp_path):
    for name in ("matplotlib", "matplotlib.pyplot"):
        monkeypatch.setitem(sys.modules, name, None)
    first, second = (IterationResult({"y": np.arange(4.0) + i}) for i in (0, 1))
    for option in ("save_heatmaps", "save_error_metrics_plot"):
        with pytest.raises(PolygraphyException, match="matplotlib"):
            SimpleCompareFunc(**{option: str(tmp_path)})(first, second)
    assert list(tmp_path.iterdir()) == []


def test_arrays_without_elements_have_no_picture(tmp_path):
    comp_util.build_heatmaps(np.zeros((0, 3)), 0, 0, "p", save_dir=str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_large_images_come_in_parts():
    parts = list(_plots._images(np.arange(2000 * 2000).reshape(2000, 2000)))
    assert [place for place, _ in parts] == [
        "(0,0:1080,0:1920)",
        "(0,0:1080,1920:2000)",
        "(0,1080:2000,0:1920)",
        "(0,1080:2000,1920:2000)",
    ]
    assert sum(image.size for _, image in parts) == 2000 * 2000
    assert parts[3][1][-1, -1] == 2000 * 2000 - 1


@pytest.mark.parametrize(
    "values, ends, logarithmic, scale",
    [
        ([1, 2, 4], (1, 4), True, (1, 4, True)),
        ([0, 2, 4], (0, 4), True, (2, 4, True)),
        ([0, 4, 4], (0, 4), True, (0, 4, False)),
        ([0, 0, 0], (0, 0), True, (0, 0, False)),
        ([0, 2, np.inf], (0, np.inf), False, (0, 2, False)),
        ([1, 2, np.nan], (np.nan, np.nan), True, (1, 2, True)),
        ([np.nan], (np.nan, np.nan), True, (0, 1, False)),
    ],
)
def test_color_scales(values, ends, logarithmic, scale):
    assert _plots.heatmap_scale(np.array(values, np.float64), *ends, logarithmic) == scale
