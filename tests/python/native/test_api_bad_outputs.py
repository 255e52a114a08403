"""Outputs that are not finite, or of another shape, are never a pass of compare()."""

import dataclasses

import numpy as np
import pytest

import polygraphy_native as pn
from api_models import proto

ONES = {"x": np.ones((2, 3), np.float32)}
BAD = {
    "infinite": lambda z: np.full_like(z, np.inf),
    "nan": lambda z: np.full_like(z, np.nan),
    "one nan": lambda z: np.where(z == z.flat[0], np.float32(np.nan), z),
    "one minus infinity": lambda z: np.where(z == z.flat[0], np.float32(-np.inf), z),
    "other shape": lambda z: z[:1],
}


@pytest.fixture
def model():
    return pn.Model.from_proto(proto())


@pytest.mark.parametrize("damage", BAD.values(), ids=list(BAD))
@pytest.mark.parametrize("noise_floor", [None, "float32", "float16", "bfloat16"])
def test_never_passes(model, damage, noise_floor):
    (right,) = pn.run(model, inputs=ONES)
    wrong = dataclasses.replace(right, outputs={"z": damage(np.array(right.outputs["z"]))})
    noise = {"noise_floor": noise_floor, "noise_model": model, "inputs": ONES} if noise_floor else {}
    report = pn.compare([right], [wrong], **noise)
    assert not report and report.answer.agreement == "differs"
    assert pn.compare([right], [right], **noise)


def test_nan_on_both_sides_is_not_finite(model):
    (right,) = pn.run(model, inputs=ONES)
    nans = [dataclasses.replace(right, outputs={"z": np.full((2, 3), np.nan, np.float32)})]
    answer = pn.compare(nans, nans, noise_floor=True, noise_model=model, inputs=ONES).answer
    assert not answer and answer.agreement == "not finite"
    assert answer.headline.endswith("every element of 'z' is NaN or infinite on both sides")


def test_a_comparison_of_nothing_is_no_pass():
    empty = [pn.RunResult({"z": np.zeros((0, 4), np.float32)})]
    report = pn.compare(empty, empty)
    assert not report and not report.answer and report.answer.agreement == "not compared"
