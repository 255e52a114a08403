"""Every deliberate difference from the original, each with the reason.

A test that meets one calls `expect(id, ours, original)`: both texts are asserted, so neither side can change unnoticed.
"""
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    id: str
    reason: str    # why
    original: str  # regular expression that the original's text matches
    ours: str      # regular expression that ours matches


ALL = {}
asserted = set()


def _add(id, reason, original, ours):
    assert id not in ALL, id
    ALL[id] = Difference(id, reason, original, ours)


def expect(id, ours, original):
    d = ALL[id]
    assert re.search(d.original, original, re.M), f"{id}: the original no longer says {d.original!r}:\n{original}"
    assert re.search(d.ours, ours, re.M), f"{id}: we no longer say {d.ours!r}:\n{ours}"
    asserted.add(id)


_add("average-line-when-streaming", "a line that people scrape and 0.53 prints only with --sequential-runners",
     r"\A(?![\s\S]*Average inference time)", r"\| Completed \d+ iteration\(s\) in <t> ms \| Average inference time: <t> ms\.")
_add("version-line", "our own version stands in parentheses behind the compatible one",
     r"^Polygraphy \| Version: 0\.53\.6 \| Path: \['.*'\]$", r"^Polygraphy \| Version: 0\.53\.6 \| Path: \['.*'\] \(.*\d+\.\d+\.\d+.*\)$")
_add("types-the-original-cannot-name", "its list of types ends before ONNX's newest types; it prints their numbers and warns, we print their names",
     r"Could not convert: \d+ to a corresponding Polygraphy data type", r"dtype=(u?int2|complex\d+|float8e8m0)")
_add("values-without-a-type", "a value_info without a type says nothing; the original reads it as type 0 of rank 0 and warns",
     r" \[dtype=0, shape=\(\)\]", r"\A(?![\s\S]*dtype=0)")
_add("traceback-missing-model", "a message instead of a traceback", r"Traceback", r"\[!\] cannot open 'nosuch\.onnx': No such file or directory")
_add("traceback-unreadable-json", "a message with line and byte instead of a traceback", r"Traceback", r"\[!\] bad\.json: line \d+ \(byte \d+\): ")
_add("traceback-range-of-a-number", "`--val-range 1 2`", r"TypeError", r"\[!\] .*--val-range")
_add("newer-ir-version-runs", "the engine gets a copy stamped with what it takes", r"Unsupported model IR version: 15", r"PASSED \| Runtime")
_add("bfloat16-runs", "NumPy lacks the type, we do not", r"Could not convert data type", r"y \[dtype=bfloat16, shape=\(2, 3\)\]")
_add("strings-run", "strings are tensors like any other", r"Cannot reuse input data due to mismatch", r"y \[dtype=string, shape=\(2,\)\]")
_add("next-step", "the command that finds the node, before the last line", r"\A(?![\s\S]*Which node)[\s\S]*FAILED \| Runtime",
     r"^\[I\] Is it rounding\? Add --noise-floor\. Which node\? polygraphy debug locate a\.onnx --onnxrt --load-outputs b\.json.*\n\[E\] FAILED \| Runtime")
_add("suggestion", "a suggestion behind the original's line", r"Unrecognized Options: \['--onxrt'\]\s*\Z", r"Did you mean '--onnxrt'\?")
_add("nothing-was-compared", "outputs without elements agree, but nothing was compared, so nothing has passed", r"\A(?![\s\S]*Nothing was compared)[\s\S]*PASSED \| Runtime",
     r"\[W\] Nothing was compared: 1 output of .* has no elements$[\s\S]*FAILED \| Runtime")
_add("a-script-judged-nothing", "a comparison of nothing has not passed", r"PASSED \| Runtime", r"^\[W\] Nothing was compared\n\[E\] FAILED \| Runtime")
_add("unknown-output-before-the-run", "a tolerance for no output is warned of before the run, not only behind it", r"\A(?![\s\S]*No output has the name)[\s\S]*Extra items in the rtol dictionary", r"No output has the name 'nosuch', for which rtol is given\.[\s\S]*Activating[\s\S]*Extra items in the rtol dictionary")
_add("warm-up-when-streaming", "--warm-up in both execution modes", r"--warm-up requires --sequential-runners", r"PASSED \| Runtime")
_add("subprocess-when-streaming", "--use-subprocess is --isolate, in both execution modes", r"--use-subprocess requires --sequential-runners", r"PASSED \| Runtime")
_add("options-of-0.49", "what 0.49 accepted still works, with a warning", r"Unrecognized Options: \['--int-min'", r"\[W\] .*--int-min")
_add("integer-sums-do-not-wrap", "metrics over integers are exact", r"L2 Norm: 1 \(", r"L2 Norm: 4\.295e\+09 \(")
_add("metrics-of-bools", "the original cannot subtract bools; they count as 0 and 1", r"TypeError: numpy boolean subtract", r"L2 Norm: 0 \(tolerance: 1e-05\) \| PASSED")
_add("threshold-that-is-no-number", "a message instead of a traceback", r"TypeError", r"\[!\] --l2-threshold/--l2-tolerance: .abc. is not a number")
_add("limits-that-pass-everything", "no figure exceeds nan, so that everything would pass", r"PASSED \| Runtime", r"\[!\] --atol: nan cannot be a threshold")
_add("shapes-of-no-input", "an option that changes nothing is a mistake, seen too late in a warning", r"PASSED \| Runtime", r"^\[!\] No input is named 'nosuch'")
_add("shapes-of-some-inputs", "the warning at the start is far away when the run ends", r"\A(?![\s\S]*Shapes were given for)[\s\S]*PASSED \| Runtime",
     r"^\[W\] Shapes were given for \['nosuch'\], but no inputs have these names[\s\S]*PASSED \| Runtime")
_add("saved-verdicts", "no threshold asked for means the saved verdicts, not PASSED", r"PASSED \| Accuracy results passed",
     r"FAILED \| Accuracy results did not pass their saved thresholds\.")
_add("top-k-of-unsigned", "the original negates to sort: an unsigned 0 comes out as the largest", r"y \| Stats: mean=0\.5,.* max=1 at \(1,\)",
     r"y \| Stats: mean=1\.5,.* max=2 at \(1,\)")
_add("traceback-postprocess", "a message instead of a traceback", r"Traceback", r"\[!\] (Invalid post-processing function|Output: y \| top-2 along axis 7)")
_add("merge-keeps-iterations-apart", "padding shares one dictionary, so that every iteration is the last one, and warns of overwriting",
     r"Overwriting input 'a' while merging data from a3\.json", r"\A(?![\s\S]*Overwriting)[\s\S]*Saving input file containing 3 iteration")
_add("traceback-data-of-folders", "`data merge` and `concat` of folders", r"IsADirectoryError", r"\[I\] Saving (in|out)put file containing")
_add("mark-all-without-warning", "0.49's `mark all` stays, without a warning", r"\[W\] 'mark all' is deprecated",
     r"\A(?![\s\S]*deprecated)[\s\S]*PASSED \| Runtime")
_add("prune-keeps-the-model", "it drops functions, metadata, all opset imports but the first, and doc strings",
     r"\A(?![\s\S]*(domain: \"mine\"\s*version|from the paper|functions))", r"from the paper[\s\S]*domain: \"mine\"\s*version: 1[\s\S]*functions")
_add("prune-bfloat16", "it zeroes the second and third of every four, whatever they are", r"^803f000000008040$", r"^0000000040408040$")
_add("sparsity-without-the-axis", "a warning instead of an AssertionError", r"AssertionError",
     r"\[W\] Skipping tensor: w since its shape \[4\] has no axis 1")
_add("strip-behind-quantized-convolutions", "weights behind Q/DQ are weights, too; it looks at operand 0 of a Conv only, which is no weight, unless"
     " nodes have no names", r"'sliced'\]$", r"'sliced', 'ck'\]$")
_add("strip-excluded-weights", "it forgets an excluded name when it first meets it", r"^TRT_WEIGHTLESS/$", r"\A\Z")
_add("strip-typed-fields", "it empties raw data only", r"float_data: 1", r"\A(?![\s\S]*float_data)")
_add("extract-keeps-slots", "it takes the slot of a new input away, and the second output of the node becomes the first", r"\] q = Split", r"p_unused, q = Split")
_add("insert-refuses-cycles", "a node that feeds itself: an error instead of a broken model", r"r = Foo \(s\)", r"\[!\] .*cycle")
_add("insert-attribute-without-value", "it makes an attribute without a name", r"Foo <: string", r"\[!\] Could not understand the attribute 'a'")
_add("override-keeps-ranks-of-outputs", "the checker refuses outputs without a shape", r"g \(float\[1,3,8,8\] x\) => \(float\[\] y, float\[\] z\)",
     r"g \(float\[1,3,8,8\] x\) => \(float\[\?,\?,\?,\?\] y, float\[\?,\?,\?,\?\] z\)")
_add("override-of-no-input", "it makes the tensor an input and cuts off what computes it", r"Overriding input shapes to:", r"\[!\] The shape of the tensor 'y' cannot be overridden")
_add("shape-without-brackets", "it takes 1x3 for the name of a dimension", r"PASSED", r"Did you mean: r:\[1,3\]:float32\?")
_add("traceback-data-type", "a message instead of a traceback", r"KeyError", r"Did you mean: r:\[1\]:float16\?")
_add("many-passes", "one sweep infers and folds; the original needs a pass per level of shape arithmetic", r"Pass 3", r"\A(?![\s\S]*Pass 3)[\s\S]*Pass 2")
_add("growth-is-limited", "folding that bloats the file is put off", r"After Folding:     1 ", r"After Folding:     2 [\s\S]*--max-growth to unlimited")
_add("unknown-rank-is-not-a-scalar", "a value_info without a shape says that the rank is not known; the original prints that of a scalar",
     r"\{y \[dtype=float32, shape=\(\)\]\}", r"\{y \[dtype=float32\]\}")
_add("nothing-fails", "the unreduced model is checked before it is called the minimum",
     r"Minimum Bad Model", r"The check passes on the model itself, so there is nothing to reduce")
_add("lint-says-what-the-file-is", "errors say what was seen and where", r"^Error parsing message with type 'onnx.ModelProto': Wire format was corrupt$",
     r"^Error parsing message with type 'onnx.ModelProto': .*unparseable\.onnx is not an ONNX model: it is a text file$")
_add("lint-knows-captures", "bodies of If, Loop and Scan use values of the outer graph",
     r"^Nodes in a graph must be topologically sorted, however input 't'[\s\S]*failing: bad, if$", r"passing: if, relu; failing: bad$")
_add("lint-runs-omitted-inputs", "it never has a value for an input that is left out, and leaves the node out in silence", r"passing: ; failing: bad$",
     r"passing: clip; failing: bad$")
_add("lint-old-ir", "its own round trip drops them from the inputs", r"w in initializer but not in graph input", r"passing: add; failing: $")
_add("lint-overrides-fixed-shapes", "it runs the model with the shapes of the file, which contradict the requested ones",
     r"Received incompatible shape: \(4, 3\)", r"matmul.*Incompatible dimensions for matrix multiplication")
_add("lint-no-outputs", "a model without outputs has no results", r"\A(?![\s\S]*The model has no outputs)", r"^The model has no outputs, so ")
_add("missing-tactics", "a folder of tactic replays that is not there is a mistake, not an empty one",
     r"Loaded 0 good tactic replays\.", r"cannot search for tactic replays in 'goood': No such file or directory")
_add("shard-gathers-once", "it gathers keys that two layers share twice, and devices get too many of them", r"Inserting DistCollective for tensor: shard_6[\s\S]*shard_8",
     r"\A(?![\s\S]*tensor: shard_6)[\s\S]*Saving ONNX model")
_add("scaled-attention", "its matcher finds no diamonds, so that attention pattern 1 matches nothing", r"\A(?![\s\S]*Found attention layer)", r"Found attention layer with Q tensor q")
_add("traceback-shard-hints", "a message that names the place in the hints instead of a traceback", r"KeyError: 'nosuch'", r"\[!\] \S*h\.json: (Input|Output|Attention layer) 0 of the hints: ")
_add("shard-ranks-that-differ", "a Transpose of more axes than the tensor has cannot run", r"Saving ONNX model", r"\[!\] \S*h\.json: Input 0 of the hints: 'rank' is 5, but the tensor 'x' has rank 3")
_add("shard-axes-count-from-0", "it writes a Transpose with the axis -1", r"Saving ONNX model", r"'seq_len_idx' is -1, and the tensor has rank 3")
_add("shard-hints-of-0.49", "what 0.49 wrote is read", r"KeyError: 'dist_collectives'", r"Loaded hints: parallelism=CP, group_size=2, root=1, groups=\[0, 1\]")
_add("shard-gathers-for-the-caller", "it hands gathered outputs to layers that go on with their part", r"MatMul:whole", r"MatMul:part")
_add("plugin-values-of-python", "what it writes of tuples and NumPy's numbers, its own `plugin replace` cannot read", r"!!python/tuple", r"\A(?![\s\S]*!!)")
_add("plugin-without-a-replacement", "a function that is optional is not missed", r"^\[!\] Could not import symbol: replace_with_plugin", r"\A\Z")
_add("plugin-of-another-name", "it names a Python module that is not there", r"Note: Error was: No module named 'pattern'",
     r"^\[W\] No pattern file of the plugin other: ")
_add("plugin-keeps-other-consumers", "every node that reads nothing but inputs of the plugin loses them, although its outputs are needed",
     r"b = B \(\)", r"b = B \(i1\)")
_add("plugin-nodes-are-sorted", "the nodes of a model must be sorted", r" P$", r"^(?!.* P$)")
_add("autotune-takes-all-plugins", "where all plugins are excluded, it looks for all of them", r"^\[I\] \{.*'relu': 2.*\}$", r"^\[I\] \{\}$")
_add("no-folder-of-plugins", "a wrong path is not an empty folder", r"^\[I\] Matching subgraphs saved to config\.yaml$", r"^\[!\] The folder of plugins \S+/nowhere is missing$")
