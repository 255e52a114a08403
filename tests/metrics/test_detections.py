"""map, against a recomputation with NumPy in the order of COCO's rules."""
import json

import numpy as np
import onnx
import pytest
from conftest import save_model

IMAGES, DETECTED, CLASSES = 12, 30, 4


def overlaps(found, there):
    low, high = np.maximum(found[:, None, :2], there[None, :, :2]), np.minimum(found[:, None, 2:], there[None, :, 2:])
    both = np.clip(high - low, 0, None).prod(axis=2)
    area = [(boxes[:, 2:] - boxes[:, :2]).prod(axis=1) for boxes in (found, there)]
    return both / (area[0][:, None] + area[1][None] - both)


def average_precision(detected, labels, label, least):
    scores, matched, there = [], [], 0
    for found, right in zip(detected, labels):
        mine, boxes = found["labels"] == label, right["boxes"][right["labels"] == label]
        order = np.argsort(-found["scores"][mine], kind="stable")[:100]
        there += len(boxes)
        iou, free = overlaps(found["boxes"][mine][order].astype(float), boxes), np.ones(len(boxes), bool)
        for row in iou:
            best = np.where(free, row, -1)
            place = len(best) - 1 - best[::-1].argmax() if len(best) else 0
            hit = len(best) > 0 and best[place] >= least
            if hit:
                free[place] = False
            matched.append(hit)
        scores.extend(found["scores"][mine][order])
    if not there:
        return None
    hits = np.array(matched)[np.argsort(-np.array(scores), kind="stable")] if matched else np.zeros(0, bool)
    right, wrong = np.cumsum(hits), np.cumsum(~hits)
    recall, precision = right / there, right / (right + wrong + np.spacing(1))
    precision = np.maximum.accumulate(precision[::-1])[::-1]
    places = np.searchsorted(recall, np.linspace(0, 1, 101), side="left")
    return np.mean([precision[place] if place < len(precision) else 0 for place in places])


def mean_average_precision(detected, labels):
    all_of = [average_precision(detected, labels, label, least)
              for label in range(CLASSES) for least in np.linspace(0.5, 0.95, 10)]
    return np.mean([one for one in all_of if one is not None])


@pytest.fixture
def detections():
    random = np.random.default_rng(5)
    labels, detected = [], []
    for _ in range(IMAGES):
        count = random.integers(1, 8)
        corner, size = random.random((count, 2)) * 80, 5 + random.random((count, 2)) * 20
        right = {"boxes": np.hstack([corner, corner + size]).round(2), "labels": random.integers(0, CLASSES - 1, count)}
        near = random.integers(0, count, DETECTED)
        boxes = right["boxes"][near] + random.standard_normal((DETECTED, 4)) * 1.5
        detected.append({"boxes": boxes.astype(np.float32), "scores": random.random(DETECTED).round(1).astype(np.float32),
                         "labels": np.where(random.random(DETECTED) < 0.8, right["labels"][near], 0)})
        labels.append(right)
    return detected, labels


@pytest.mark.parametrize("batch", [[], [1]])
def test_map_is_that_of_numpy(polygraphy, detections, tmp_path, batch):
    detected, labels = detections
    outputs = [("boxes", "float32", batch + [DETECTED, 4]), ("scores", "float32", batch + [DETECTED]),
               ("labels", "int64", batch + [DETECTED])]
    save_model(tmp_path / "echo.onnx",
               [onnx.helper.make_node("Identity", [name + "_in"], [name]) for name, _, _ in outputs],
               [(name + "_in", kind, shape) for name, kind, shape in outputs], outputs)
    worse = [dict(one, boxes=one["boxes"] + np.float32(1)) for one in detected]
    for name, side in (("good", detected), ("worse", worse)):
        (tmp_path / (name + ".json")).write_text(json.dumps(
            [{key + "_in": (value[None] if batch else value).tolist() for key, value in one.items()} for one in side]))
        assert polygraphy("run", "echo.onnx", "--onnxrt", "--load-inputs", name + ".json", "--save-outputs",
                          name + ".npz").code == 0
    (tmp_path / "labels.json").write_text(json.dumps(
        [{key: value.tolist() for key, value in one.items()} for one in labels]))
    expected = mean_average_precision(detected, labels), mean_average_precision(worse, labels)
    done = polygraphy("run", "--load-outputs", "good.npz", "worse.npz", "--metric", "map", "--labels", "labels.json", "-v")
    assert done.figures() == pytest.approx(expected, rel=1e-12), done.text
    assert done.code == (expected[0] - expected[1] > 0.005) == 1
    assert "95% of resampled sets: a drop of " in done.text, done.text
    done = polygraphy("run", "--load-outputs", "good.npz", "good.npz", "--metric", "map", "--labels", "labels.json", "-v")
    assert done.code == 0 and done.figures() == pytest.approx((expected[0],) * 2, rel=1e-12)


def test_labels_without_boxes_are_refused(polygraphy, tmp_path):
    outputs = [("boxes", "float32", [3, 4]), ("scores", "float32", [3]), ("labels", "int64", [3])]
    save_model(tmp_path / "echo.onnx",
               [onnx.helper.make_node("Identity", [name + "_in"], [name]) for name, _, _ in outputs],
               [(name + "_in", kind, shape) for name, kind, shape in outputs], outputs)
    np.save(tmp_path / "labels.npy", np.zeros(1, np.int64))
    done = polygraphy("run", "echo.onnx", "--onnxrt", "--openvino", "--metric", "map", "--labels", "labels.npy")
    assert done.code == 1 and "Label 0 of" in done.text and "has no boxes" in done.text, done.text
