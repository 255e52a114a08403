"""Looks for NaN and infinite values."""

from __future__ import annotations

from polygraphy import util
from polygraphy.comparator import util as comp_util
from polygraphy.comparator.struct import RunResults
from polygraphy.logger import G_LOGGER, LogMode


def validate_run_results(
    run_results: RunResults, check_inf: bool, check_nan: bool, fail_fast: bool, prefix: str = ""
) -> bool:
    valid = True
    for runner_name, iterations in run_results.items():
        for iteration in iterations:
            for output_name, output in iteration.items():
                head = f"{runner_name:35} | {prefix}"
                valid &= _validate_output(head, output_name, output, check_inf, check_nan)
                if fail_fast and not valid:
                    return False
    return valid


def _validate_output(head: str, name: str, output, check_inf: bool, check_nan: bool) -> bool:
    G_LOGGER.start(
        f"{head}Validating output: {name} (check_inf={check_inf}, check_nan={check_nan})"
    )
    with G_LOGGER.indent():
        comp_util.log_output_stats(output)
        valid = True
        if check_nan:
            valid &= _is_not_nan(output)
        if check_inf:
            valid &= _is_finite(output)
        if valid:
            G_LOGGER.finish(f"PASSED | Output: {name} is valid")
        else:
            G_LOGGER.error(f"FAILED | Errors detected in output: {name}")
    return valid


def _is_finite(output) -> bool:
    non_finite = util.array.logical_not(util.array.isfinite(output))
    if not util.array.any(non_finite):
        return True
    G_LOGGER.error("Inf Detected | One or more non-finite values were encountered in this output")
    G_LOGGER.info(
        "Note: Use -vv or set logging verbosity to EXTRA_VERBOSE to display non-finite values",
        mode=LogMode.ONCE,
    )
    G_LOGGER.extra_verbose(lambda: f"Note: non-finite values at:\n{non_finite}")
    G_LOGGER.extra_verbose(lambda: f"Note: non-finite values:\n{output[non_finite]}")
    return False


def _is_not_nan(output) -> bool:
    nans = util.array.isnan(output)
    if not util.array.any(nans):
        return True
    G_LOGGER.error("NaN Detected | One or more NaNs were encountered in this output")
    G_LOGGER.info(
        "Note: Use -vv or set logging verbosity to EXTRA_VERBOSE to display locations of NaNs",
        mode=LogMode.ONCE,
    )
    G_LOGGER.extra_verbose(lambda: f"Note: NaNs at:\n{nans}")
    return False
