"""Properties of every call of the API: threads, interruptions, callbacks, files that change."""

import logging
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import onnx
import pytest

import polygraphy_native as pn
from api_models import proto

ONES = {"x": np.ones((2, 3), np.float32)}


@pytest.fixture
def model():
    return pn.Model.from_proto(proto())


def feeds(entered, go_on):
    entered.set()
    go_on.wait(30)
    yield ONES


def test_a_model_in_use_is_not_shared(model):
    entered, go_on = threading.Event(), threading.Event()
    results = []
    thread = threading.Thread(target=lambda: results.extend(pn.run(model, inputs=feeds(entered, go_on))))
    thread.start()
    assert entered.wait(30)
    for use in (model.cleanup, lambda: model.nodes[0], lambda: pn.run(model), model.to_bytes):
        with pytest.raises(pn.Error, match="in use"):
            use()
    go_on.set()
    thread.join()
    assert results[0].outputs["z"].tolist() == [[2, 6, 12]] * 2
    model.cleanup()


def test_threads_with_models_of_their_own(model):
    def work(mine, out):
        for _ in range(5):
            mine.fold()
            out.append(pn.run(mine, inputs=ONES)[0].outputs["z"].tolist())

    out = []
    threads = [threading.Thread(target=work, args=(model.copy(), out)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert out == [[[2, 6, 12]] * 2] * 20


def test_other_threads_run_meanwhile(model):
    count, ended = 0, threading.Event()

    def work():
        pn.run(model, iterations=3000)
        ended.set()

    threading.Thread(target=work).start()
    while not ended.wait(0.001):
        count += 1
    assert count > 3


def test_callbacks_run_in_the_calling_thread(model):
    seen = []

    def one():
        seen.append(threading.current_thread())
        yield ONES

    pn.run(model, inputs=one())
    assert seen == [threading.current_thread()]


def test_what_callbacks_raise_comes_through(model):
    class Own(Exception):
        pass

    failure = Own()

    def broken():
        yield ONES
        raise failure

    with pytest.raises(Own) as caught:
        pn.run(model, inputs=broken())
    assert caught.value is failure
    assert pn.run(model, inputs=ONES)


def test_what_log_handlers_raise_comes_through(model):
    class Handler(logging.Handler):
        def emit(self, record):
            raise KeyError("of the handler")

    logger, handler = logging.getLogger("polygraphy_native"), Handler()
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        with pytest.raises(KeyError, match="of the handler"):
            pn.run(model, inputs=ONES)
    finally:
        logger.removeHandler(handler)
        logger.setLevel(logging.NOTSET)


def test_a_callback_cannot_use_the_model_that_is_worked_on(model):
    def meddling():
        model.cleanup()
        yield ONES

    with pytest.raises(pn.Error, match="in use"):
        pn.run(model, inputs=meddling())


@pytest.mark.parametrize("work", [
    lambda model: pn.run(model, iterations=10_000_000),
    lambda model: pn.compare(model, backends=["onnxrt", "onnxrt"], iterations=10_000_000),
    lambda model: pn.reduce(model, check=["sleep", "60"]),
    lambda model: pn.run(model, iterations=10_000_000, isolate=True),
    lambda model: pn.locate(model, "onnxrt", "onnxrt", iterations=200_000),
    lambda model: pn.check_consistency(model, "onnxrt", samples=200_000),
    lambda model: pn.benchmark(model, "onnxrt", runs=10_000_000),
], ids=["run", "compare", "reduce", "isolated", "locate", "check_consistency", "benchmark"])
def test_interruptions(model, work):
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        work(model)
    assert time.monotonic() - begin < 10
    assert pn.run(model, inputs=ONES)[0].outputs["z"].tolist() == [[2, 6, 12]] * 2


def test_other_signal_handlers_run_during_work(model):
    seen = []
    before = signal.signal(signal.SIGUSR1, lambda *_: seen.append(1))
    try:
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGUSR1)).start()
        pn.reduce(model, check=["sh", "-c", "sleep 0.5; exit 1"])
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert seen == [1]


def test_files_that_are_cut_short(tmp_path):
    path = tmp_path / "m.onnx"
    onnx.save(proto(), path)
    model = pn.load(path)
    os.truncate(path, 10)
    for use in (lambda: model.nodes[0], lambda: model.inputs, lambda: model.array("c"), model.fold, model.copy,
                model.to_bytes, model.to_graph, lambda: pn.run(model), lambda: pn.lint(model),
                lambda: pn.diff(model, model), lambda: model.save(tmp_path / "other.onnx")):
        with pytest.raises(pn.Error, match="changed or truncated") as error:
            use()
    assert "from_bytes" in error.value.hint


def test_external_data_that_is_cut_short(tmp_path):
    path = tmp_path / "m.onnx"
    pn.Model.from_proto(proto()).save(path, external_data="values.bin", size_threshold=0)
    model = pn.load(path)
    assert model.array("c").tolist() == [1, 2, 3]
    os.truncate(tmp_path / "values.bin", 4)
    for use in (lambda: model.array("c"), model.to_bytes):
        with pytest.raises(pn.Error, match="values.bin"):
            use()


def test_a_file_that_is_replaced_does_no_harm(tmp_path):
    path = tmp_path / "m.onnx"
    onnx.save(proto(), path)
    model = pn.load(path)
    (tmp_path / "new").write_bytes(b"")
    os.replace(tmp_path / "new", path)
    assert model.array("c").tolist() == [1, 2, 3]
    assert pn.run(model, inputs=ONES)[0].outputs["z"].tolist() == [[2, 6, 12]] * 2


def test_importing_is_light():
    code = ("import sys, polygraphy_native as pn; "
            "assert not {'numpy', 'onnx', 'logging', 'polygraphy_native._native'} & set(sys.modules), 'eager'; "
            "pn.load; assert not {'numpy', 'onnx'} & set(sys.modules), 'eager'")
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_interpreter_ends_well_with_models_and_arrays_around():
    code = ("import polygraphy_native as pn, numpy as np, onnx.parser, sys; sys.path.insert(0, sys.argv[1]); "
            "from api_models import proto; model = pn.Model.from_proto(proto()); "
            "model.set_array('c', np.float32([1, 2, 3])); results = pn.run(model); array = model.array('c')")
    done = subprocess.run([sys.executable, "-X", "dev", "-c", code, os.path.dirname(__file__)], capture_output=True,
                          text=True)
    assert (done.returncode, done.stdout) == (0, "") and "Fatal" not in done.stderr
