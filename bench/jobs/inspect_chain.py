"""`inspect model` on models of very many nodes."""
import models


def run(bench):
    show = ["--show", "layers", "attrs", "weights"]
    small = models.make("chain.py", bench.path("chain_small.onnx"), "--nodes", "1000", env=bench.env)
    bench.same_stdout(["inspect", "model", small, *show])
    chain = models.make("chain.py", bench.path("chain.onnx"), "--nodes", "100000", env=bench.env)
    for extra, bar in (([], 0.15), (show, 0.5)):
        ours, original = bench.time_both(["inspect", "model", chain, *extra], memory=True, original_runs=1)
        bench.row("inspect model, chain 1e5 " + " ".join(extra[1:]), ours, original, f"<= {bar} s", ours.cpu <= bar)
        bench.per_node = ours.cpu / 1e5
    if not bench.options.quick:
        chain6 = models.make("chain.py", bench.path("chain6.onnx"), "--nodes", "1000000", env=bench.env)
        ours, _ = bench.time_both(["inspect", "model", chain6, *show], runs=2, original_runs=0)
        bench.row("inspect model, chain 1e6, all shown", ours, None, "linear: <= 12 x the 1e5 one",
                 ours.cpu <= 12e5 * bench.per_node)
