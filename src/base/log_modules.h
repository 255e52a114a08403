// The module paths of log messages: `--verbosity path:level` selects messages by them, and
// `line-info` shows them.
#pragma once

#include <string_view>

namespace polygraphy::log_modules {

// --- modules of the original that log the same messages

inline constexpr std::string_view kComparator = "comparator/comparator.py";
inline constexpr std::string_view kCompare = "comparator/compare.py";
inline constexpr std::string_view kStatistics = "comparator/util.py";
inline constexpr std::string_view kDataLoader = "comparator/data_loader.py";
inline constexpr std::string_view kSerde = "json/serde.py";
inline constexpr std::string_view kUtil = "util/util.py";

inline constexpr std::string_view kRunner = "backend/base/runner.py";
inline constexpr std::string_view kOnnxLoader = "backend/onnx/loader.py";
inline constexpr std::string_view kOnnxUtil = "backend/onnx/util.py";
inline constexpr std::string_view kOnnxrtLoader = "backend/onnxrt/loader.py";

inline constexpr std::string_view kGraph = "onnx_graphsurgeon/ir/graph.py";
inline constexpr std::string_view kFunction = "onnx_graphsurgeon/ir/function.py";

inline constexpr std::string_view kArgGroup = "tools/args/base.py";
inline constexpr std::string_view kArgUtil = "tools/args/util/util.py";
inline constexpr std::string_view kCompareOptions = "tools/args/comparator/compare.py";
inline constexpr std::string_view kDataLoaderOptions = "tools/args/comparator/data_loader.py";
inline constexpr std::string_view kInferenceOptions = "tools/args/comparator/comparator.py";
inline constexpr std::string_view kModelOptions = "tools/args/model.py";
inline constexpr std::string_view kOnnxLoaderOptions = "tools/args/backend/onnx/loader.py";
inline constexpr std::string_view kPostprocessOptions = "tools/args/comparator/postprocess.py";

inline constexpr std::string_view kTrtConfig = "tools/args/backend/trt/config.py";
inline constexpr std::string_view kTrtNetwork = "tools/args/backend/trt/loader.py";

inline constexpr std::string_view kMain = "tools/_main.py";
inline constexpr std::string_view kTool = "tools/base/tool.py";
inline constexpr std::string_view kToolUtil = "tools/util.py";
inline constexpr std::string_view kRun = "tools/run/run.py";
inline constexpr std::string_view kCheckAccuracy = "tools/check/subtool/accuracy.py";
inline constexpr std::string_view kCheckConsistency = "tools/check/subtool/consistency.py";
inline constexpr std::string_view kLint = "tools/check/subtool/lint.py";
inline constexpr std::string_view kData = "tools/data/data.py";
inline constexpr std::string_view kMerge = "tools/data/subtool/merge.py";
inline constexpr std::string_view kConcat = "tools/data/subtool/concat.py";
inline constexpr std::string_view kIterativeDebug = "tools/debug/subtool/iterative_debug_args.py";
inline constexpr std::string_view kReduce = "tools/debug/subtool/reduce.py";
inline constexpr std::string_view kInspectData = "tools/inspect/subtool/data.py";
inline constexpr std::string_view kDebugBuild = "tools/debug/subtool/build.py";
inline constexpr std::string_view kDebugPrecision = "tools/debug/subtool/precision.py";
inline constexpr std::string_view kLocate = "tools/debug/subtool/locate.py";
inline constexpr std::string_view kSensitivity = "tools/debug/subtool/sensitivity.py";
inline constexpr std::string_view kInspectCapability = "tools/inspect/subtool/capability.py";
inline constexpr std::string_view kInspectModel = "tools/inspect/subtool/model/model.py";
inline constexpr std::string_view kInspectEngine = "tools/inspect/subtool/model/extractors/_trt.py";
inline constexpr std::string_view kInspectOnnx = "tools/inspect/subtool/model/extractors/_onnx.py";
inline constexpr std::string_view kViewer = "tools/inspect/subtool/model/viewer/_viewer.py";
inline constexpr std::string_view kTasks = "tools/task/task.py";
inline constexpr std::string_view kZoo = "tools/zoo/zoo.py";
inline constexpr std::string_view kTactics = "tools/inspect/subtool/tactics.py";
inline constexpr std::string_view kDiffTactics = "tools/inspect/subtool/diff_tactics.py";
inline constexpr std::string_view kSparsity = "tools/sparse.py";
inline constexpr std::string_view kSurgeon = "tools/surgeon/subtool/base.py";
inline constexpr std::string_view kSurgeonDiff = "tools/surgeon/subtool/diff.py";
inline constexpr std::string_view kSurgeonExtract = "tools/surgeon/subtool/extract.py";
inline constexpr std::string_view kSurgeonInsert = "tools/surgeon/subtool/insert.py";
inline constexpr std::string_view kSurgeonSanitize = "tools/surgeon/subtool/sanitize.py";
inline constexpr std::string_view kWeightReconstruct =
    "tools/surgeon/subtool/weight_reconstruct.py";
inline constexpr std::string_view kWeightStrip = "tools/surgeon/subtool/weight_strip.py";
inline constexpr std::string_view kPlugin = "tools/plugin/subtool/plugin_base.py";
inline constexpr std::string_view kPluginReplace = "tools/plugin/subtool/replace.py";
inline constexpr std::string_view kAutotune = "tools/plugin/subtool/autotune.py";
inline constexpr std::string_view kTemplateTrtNetwork = "tools/template/subtool/trt_network.py";
inline constexpr std::string_view kTemplateTrtConfig = "tools/template/subtool/trt_config.py";
inline constexpr std::string_view kShardHints = "tools/template/subtool/shard_hint.py";
inline constexpr std::string_view kShard = "tools/multi_device/subtool/shard.py";
inline constexpr std::string_view kTemplateOnnxGs = "tools/template/subtool/onnx_gs.py";

// --- modules that the original does not have: --verbosity accepts them all the same

inline constexpr std::string_view kPluginHost = "backend/plugin_host.py";        // back ends
inline constexpr std::string_view kProgramRunner = "backend/program_runner.py";  // --model-runner
inline constexpr std::string_view kWorkerRunner = "backend/worker_runner.py";    // --isolate
inline constexpr std::string_view kSurgeonVerify = "surgeon/verify";      // sanitize --verify
inline constexpr std::string_view kBackends = "tools/backends.py";        // polygraphy backends
inline constexpr std::string_view kBenchmark = "benchmark/benchmark.py";  // run --benchmark
inline constexpr std::string_view kUserScript = "script.py";  // loggers of the user's scripts

}  // namespace polygraphy::log_modules
