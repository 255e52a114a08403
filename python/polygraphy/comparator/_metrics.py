"""Metrics of two arrays of one shape."""

from __future__ import annotations

import math

from polygraphy.comparator import _kernels


def l2_norm(out0, out1) -> float:
    """The Euclidean distance."""
    return math.sqrt(_kernels.pair_sums(out0, out1).squared_difference)


def cosine_similarity(out0, out1) -> float:
    """Of two arrays of zeros it is 1, of one and something else 0."""
    sums = _kernels.pair_sums(out0, out1)
    norm0, norm1 = math.sqrt(sums.squares0), math.sqrt(sums.squares1)
    if norm0 == 0 or norm1 == 0:
        return 1.0 if norm0 == norm1 else 0.0
    if sums.same_integers:
        return 1.0
    similarity = sums.product / (norm0 * norm1)
    return similarity if math.isnan(similarity) else max(-1.0, min(1.0, similarity))


def psnr(out0, out1) -> float:
    """Decibels; the peak is the first array's greatest element, or 1 if that is not positive."""
    sums = _kernels.pair_sums(out0, out1)
    if sums.size == 0 or sums.squared_difference == 0:
        return math.inf
    noise, peak = sums.squared_difference / sums.size, sums.peak
    if peak <= 0:
        peak = 1.0
    return 20 * math.log10(peak) - 10 * math.log10(noise) if noise == noise else math.nan


def snr(out0, out1) -> float:
    """Decibels of the first array over the difference."""
    sums = _kernels.pair_sums(out0, out1)
    if sums.size == 0 or sums.squared_difference == 0:
        return math.inf
    if sums.squares0 == 0:
        return -math.inf
    ratio = sums.squares0 / sums.squared_difference
    if ratio == 0:
        return -math.inf
    return 10 * math.log10(ratio) if ratio > 0 else math.nan
