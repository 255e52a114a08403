"""The cost of a command before it does anything."""


def run(bench):
    for arguments in (["--version"], ["run", "--help"]):
        ours, original = bench.time_both(arguments, runs=21, original_runs=5)
        bench.row("polygraphy " + " ".join(arguments), ours, original, "<= 5 ms", ours.cpu <= 0.005)
