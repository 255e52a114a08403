"""Verdicts on saved results that cannot be judged, or are wrong throughout."""

import json

import numpy as np


def save(folder, name, **arrays):
    np.savez(folder / name, **arrays)
    return str(folder / name)


def compare(polygraphy, folder, a, b, metric, labels):
    return polygraphy("run", "--load-outputs", a, b, "--metric", metric, "--labels", labels)


def test_boxes_of_nans_find_nothing(polygraphy, tmp_path):
    (tmp_path / "labels.json").write_text(json.dumps([{"boxes": [[0, 0, 9, 9]], "labels": [3]}]))
    box, score, label = np.float32([[0, 0, 9, 9]]), np.float32([0.9]), np.int64([3])
    right = save(tmp_path, "a.npz", boxes=box, scores=score, labels=label)
    for i, (boxes, scores) in enumerate([(box * np.nan, score), (box, score * np.nan)]):
        wrong = save(tmp_path, f"b{i}.npz", boxes=boxes, scores=scores, labels=label)
        done = compare(polygraphy, tmp_path, right, wrong, "map", str(tmp_path / "labels.json"))
        assert done.code == 1, done.text
        assert "0% instead of 100%" in done.text


def test_a_reference_of_nans_is_none(polygraphy, tmp_path):
    np.save(tmp_path / "labels.npy", np.int64([0, 1]))
    scores = np.float32([[2, 1, 0], [0, 2, 1]])
    done = compare(polygraphy, tmp_path, save(tmp_path, "a.npz", y=scores * np.nan), save(tmp_path, "b.npz", y=scores),
                   "top1", str(tmp_path / "labels.npy"))
    assert done.code == 1, done.text
    assert "has NaN or infinite scores" in done.text


def test_all_classes_are_no_ranking(polygraphy, tmp_path):
    np.save(tmp_path / "labels.npy", np.int64([0, 1]))
    y = save(tmp_path, "a.npz", y=np.float32([[2, 1, 0], [0, 2, 1]]))
    done = compare(polygraphy, tmp_path, y, y, "topk:3", str(tmp_path / "labels.npy"))
    assert done.code == 1 and "all are among the 3 highest scores" in done.text


def test_labels_without_results_are_no_verdict(polygraphy, tmp_path):
    np.save(tmp_path / "labels.npy", np.int64([0, 1, 2]))
    y = save(tmp_path, "a.npz", y=np.float32([[2, 1, 0], [0, 2, 1]]))
    done = compare(polygraphy, tmp_path, y, y, "top1", str(tmp_path / "labels.npy"))
    assert done.code == 1, done.text
