// The command line and the C++ libraries do the same: the file of a command is, byte for byte, that
// of a program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "base/progress.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "in_process.h"
#include "polygraphy/comparison/run_job/run_job.h"
#include "polygraphy/data/tensors/graph_metadata.h"
#include "polygraphy/diagnosis/reduce/reduce_job.h"
#include "polygraphy/facade/backend_runners.h"
#include "polygraphy/facade/comparator.h"
#include "polygraphy/facade/compare_func.h"
#include "polygraphy/facade/model_loaders.h"
#include "polygraphy/model_tools/codegen/run_script.h"
#include "polygraphy/model_tools/inspect/inspect_model.h"
#include "polygraphy/model_tools/inspect/inspect_sparsity.h"
#include "polygraphy/model_tools/lint/lint_job.h"
#include "polygraphy/model_tools/surgeon/diff.h"
#include "polygraphy/model_tools/surgeon/extract.h"
#include "polygraphy/model_tools/surgeon/insert.h"
#include "polygraphy/model_tools/surgeon/prune.h"
#include "polygraphy/model_tools/surgeon/sanitize.h"
#include "polygraphy/model_tools/surgeon/weight_reconstruct.h"
#include "polygraphy/model_tools/surgeon/weight_strip.h"
#include "polygraphy/runtimes/backend/default_evaluator.h"
#include "polygraphy/runtimes/backend/plugin_paths.h"

namespace polygraphy::cli {
namespace {

// Takes several passes: a result of the evaluator decides a shape, and the shape the If.
constexpr std::string_view kSeveralPasses = R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[2,3] x) => (float[] y, float[2,3] z) <float[2] w = {1, 4}, float two = {2}> {
  root = Sqrt (w)
  power = Erf (root)
  shape = Shape (power)
  size = Size (shape)
  one = Constant <value = int64 {1}> ()
  flat = Equal (size, one)
  y = If (flat) <then_branch = T () => (float[6] t) {
                   m = Constant <value = int64[1] {-1}> ()
                   t = Reshape (x, m)
                 },
                 else_branch = E () => (float[2,3] e) { e = Abs (x) }>
  z = Mul (x, two)
})";

// 64 MiB out of a few bytes: more than the budget.
constexpr std::string_view kFill = R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[4096] x) => (float[4096,4096] y) {
  shape = Constant <value = int64[2] {4096, 4096}> ()
  fill = ConstantOfShape (shape)
  y = Add (x, fill)
})";

class Library : public testing::TestWithParam<std::string_view> {
 protected:
  Library() {
    graphsurgeon::save_model(graphsurgeon::parse_onnx_text(GetParam()), path("m.onnx"));
    fold_.evaluator = evaluator_.get();
  }
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  void run(std::vector<std::string> args) {
    args.insert(args.begin(), {"surgeon", "sanitize", "m.onnx", "-o", "cli.onnx"});
    EXPECT_EQ(run_in_process(args, {.root = folder_.path()}).code, 0);
  }

  TemporaryFolder folder_;
  Logger silent_;
  std::unique_ptr<graphsurgeon::Evaluator> evaluator_ = default_evaluator(silent_, PG_BINARY_DIR);
  graphsurgeon::FoldOptions fold_;
};

TEST_P(Library, FoldConstants) {
  run({"--fold-constants"});
  SaveOnnx(InferShapes(FoldConstants(InferShapes(path("m.onnx")), fold_)), path("api.onnx"))();
  EXPECT_EQ(folder_.read("cli.onnx"), folder_.read("api.onnx"));
}

TEST_P(Library, FoldConstantsWithoutShapes) {
  run({"--fold-constants", "--no-shape-inference"});
  fold_.infer_shapes = false;
  SaveOnnx(FoldConstants(path("m.onnx"), fold_), path("api.onnx"))();
  EXPECT_EQ(folder_.read("cli.onnx"), folder_.read("api.onnx"));
}

INSTANTIATE_TEST_SUITE_P(Models, Library, testing::Values(kSeveralPasses, kFill));

// The jobs of the surgeon, one call each.
class Jobs : public testing::Test {
 protected:
  Jobs() { save("m.onnx", kMatMuls); }
  void save(const std::string& name, std::string_view text) const {
    graphsurgeon::save_model(graphsurgeon::parse_onnx_text(text), path(name));
  }
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  SurgeryFiles files(const std::string& model = "m.onnx") const {
    SurgeryFiles files;
    files.model.path = path(model);
    files.output.path = path("api.onnx");
    return files;
  }
  // Runs `surgeon <args>` and compares what it writes with what the job wrote.
  void expect_same(std::vector<std::string> args) {
    args.insert(args.begin(), "surgeon");
    args.insert(args.end(), {"-o", "cli.onnx"});
    EXPECT_EQ(run_in_process(args, {.root = folder_.path()}).code, 0);
    EXPECT_EQ(folder_.read("cli.onnx"), folder_.read("api.onnx"));
  }
  static ObservedRun observed_run() {
    ObservedRun run;
    run.plugins = paths_of_tree(PG_BINARY_DIR);
    return run;
  }

  static constexpr std::string_view kMatMuls = R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[N,8] x) => (float[N,4] y) <float[8,8] v = {
    1,2,3,4,5,6,7,8, 1,2,3,4,5,6,7,8, 1,2,3,4,5,6,7,8, 1,2,3,4,5,6,7,8,
    1,2,3,4,5,6,7,8, 1,2,3,4,5,6,7,8, 1,2,3,4,5,6,7,8, 1,2,3,4,5,6,7,8},
  float[8,4] w = {1,2,3,4, 5,6,7,8, 1,2,3,4, 5,6,7,8, 1,2,3,4, 5,6,7,8, 1,2,3,4, 5,6,7,8}> {
  a = MatMul (x, v)
  unused = Relu (a)
  b = Relu (a)
  y = MatMul (b, w)
})";
  TemporaryFolder folder_;
  Logger silent_;
};

TEST_F(Jobs, Sanitize) {
  SanitizeOptions options;
  options.files = files();
  options.files.model.shape_inference = true;
  options.cleanup = options.toposort = true;
  options.input_shapes.set("x", {DataType::kUndefined, DimList{2, 8}, {}});
  options.fold.emplace();
  options.run = observed_run();
  options.verify.emplace();
  const Sanitized result = sanitize(options, silent_);
  EXPECT_EQ(result.verdict, Verification::kSame);
  EXPECT_EQ(result.model.graph->nodes().size(), 3u);
  expect_same({"sanitize", "m.onnx", "--cleanup", "--toposort", "--override-input-shapes",
               "x:[2,8]", "--fold-constants", "--verify"});
}

TEST_F(Jobs, ACancelledSanitizeSavesNothing) {
  const std::atomic<bool> cancelled = true;
  SanitizeOptions options{.files = files(), .run = observed_run(), .cancel = cancelled};
  options.fold.emplace();
  EXPECT_THROW(sanitize(options, silent_), Interrupted);
  EXPECT_FALSE(std::filesystem::exists(path("api.onnx")));
}

TEST_F(Jobs, SanitizeByObservation) {
  SanitizeOptions options;
  options.files = files();
  options.observe_shapes = true;
  options.run = observed_run();
  EXPECT_EQ(sanitize(options, silent_).model.graph->outputs()[0]->shape(), (DimList{1, 4}));
  expect_same({"sanitize", "m.onnx", "--force-fallback-shape-inference"});
}

TEST_F(Jobs, Extract) {
  ExtractOptions options;
  options.files = files();
  options.inputs.emplace().set("a", {});
  options.outputs.emplace().set("b", {DataType::kFloat32, std::nullopt, {}});
  EXPECT_THAT(extract(options, silent_).undefined, testing::IsEmpty());
  expect_same({"extract", "m.onnx", "--inputs", "a:auto:auto", "--outputs", "b:float32"});
}

TEST_F(Jobs, ExtractNamesWhatNothingMakes) {
  ExtractOptions options;
  options.files.model.path = path("m.onnx");
  options.inputs.emplace();
  EXPECT_THAT(extract(options, silent_).undefined, testing::ElementsAre("x"));
  EXPECT_FALSE(std::filesystem::exists(path("api.onnx")));
}

TEST_F(Jobs, Insert) {
  InsertOptions options{.files = files(), .op = "Clip", .inputs = {"a", "", "w"}, .outputs = {"b"}};
  options.attributes = {{"i", 3}, {"f", 1.5}, {"s", "text"}, {"l", {1, 2}}};
  EXPECT_EQ(insert(options, silent_).graph->nodes().size(), 3u);
  expect_same({"insert", "m.onnx", "--op", "Clip", "--inputs", "a", "", "w", "--outputs", "b",
               "--attrs", "i=3", "f=1.5", "s=text", "l=[1,2]"});
}

TEST_F(Jobs, Prune) {
  prune({files()}, silent_);
  expect_same({"prune", "m.onnx"});
}

TEST_F(Jobs, WeightStripAndReconstruct) {
  weight_strip({files(), {"w"}}, silent_);
  folder_.write("keep.txt", "w \n");
  expect_same({"weight-strip", "m.onnx", "--exclude-list", "keep.txt"});
  std::filesystem::copy(path("api.onnx"), path("stripped.onnx"));
  weight_reconstruct({files("stripped.onnx"), 7}, silent_);
  expect_same({"weight-reconstruct", "stripped.onnx", "--seed", "7"});
}

TEST_F(Jobs, DiffAndInspections) {
  prune({files()}, silent_);
  EXPECT_TRUE(diff({path("m.onnx"), path("m.onnx")}, silent_).report.equal());
  EXPECT_FALSE(diff({path("m.onnx"), path("api.onnx")}, silent_).report.equal());
  EXPECT_THAT(inspect_sparsity({.path = path("api.onnx")}, silent_).sparse,
              testing::UnorderedElementsAre("v", "w"));
  EXPECT_EQ(inspect_model(ModelSource{.path = path("m.onnx")}, {}, silent_).graph->nodes().size(),
            4u);
}

// Fails on models with a Relu.
class NoRelu : public Check {
 public:
  CheckResult run(const std::string& artifact) override {
    const auto model = graphsurgeon::load_model(artifact);
    const auto& nodes = model.graph->nodes();
    return {std::none_of(nodes.begin(), nodes.end(),
                         [](const graphsurgeon::NodeRef& node) { return node->op() == "Relu"; })};
  }
};

class Reduction : public Jobs {
 protected:
  Reduction() {
    job_.model.path = path("m.onnx");
    job_.model.shape_inference = true;
    job_.output.path = job_.output.typed = path("api.onnx");
    job_.options.check = [](const CandidateInputs&) -> MakeCheck {
      return [](Logger&, CancelToken) { return std::make_unique<NoRelu>(); };
    };
    job_.options.loop.artifact = path("candidate.onnx");
    job_.options.tools.paths = observed_run().plugins;
  }
  Outcome run(std::vector<std::string> args) const {
    args.insert(args.begin(), {"debug", "reduce", "m.onnx", "-o", "cli.onnx"});
    args.insert(args.end(), {"--iter-artifact", path("candidate.onnx"), "--save-debug-replay",
                             path("replay.json"), "--check", "sh", "-c", "! grep -q Relu {model}"});
    return run_in_process(args, {.root = folder_.path()});
  }

  ReduceJob job_;
};

TEST_F(Reduction, OneNodeIsLeft) {
  const ReduceResult found = reduce(job_, silent_);
  EXPECT_EQ(found.bad->graph->nodes().size(), 1u);
  EXPECT_FALSE(found.good);
  EXPECT_EQ(run({}).code, 0);
  EXPECT_EQ(folder_.read("cli.onnx"), folder_.read("api.onnx"));
  EXPECT_FALSE(std::filesystem::exists(path("api_reproduction")));
}

TEST_F(Reduction, CandidatesAreWrittenToTheWorkFolder) {
  job_.options.loop.artifact = "";
  job_.work_dir = path("work");
  EXPECT_EQ(reduce(job_, silent_).bad->graph->nodes().size(), 1u);
  EXPECT_TRUE(std::filesystem::exists(path("work")));
}

TEST_F(Reduction, NeedsACheck) {
  job_.options.check = {};
  EXPECT_THROW(reduce(job_, silent_), Error);
}

TEST_F(Reduction, ModeAutoReproducesTheFailureBesideTheOutput) {
  job_.options.mode = ReduceMode::kAuto;
  job_.options.tools.program = PG_BINARY_DIR "/bin/polygraphy";
  job_.reproduction.emplace().command = {"grep", "Relu", "{model}"};
  const ReduceResult found = reduce(job_, silent_);
  EXPECT_EQ(found.bad->graph->nodes().size(), 1u);
  EXPECT_TRUE(std::filesystem::exists(path("api_reproduction/check.sh")));
  // They outlive the job, and its model.
  const Metadata inputs = metadata_of_variables(found.bad->graph->inputs());
  EXPECT_TRUE(found.inputs(inputs, 0, silent_).has_value());
}

TEST_F(Reduction, ACheckThatPassesOnTheModelLeavesNothing) {
  save("m.onnx", R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[2] x) => (float[2] y) { y = Abs (x) })");
  try {
    reduce(job_, silent_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kNothingToReduce);
    EXPECT_THAT(error.hint(), testing::Not(testing::HasSubstr("--")));
  }
  const Outcome told = run({});
  EXPECT_EQ(told.code, 1);
  EXPECT_THAT(told.err, testing::HasSubstr("--iter-artifact sets the file's name."));
  EXPECT_FALSE(std::filesystem::exists(path("cli.onnx")));
}

TEST_F(Reduction, WhatEveryCheckWritesIsForOneCheckAtATime) {
  EXPECT_EQ(checks_at_a_time(1, {.iter_info = "info.json"}), 1);
  EXPECT_EQ(checks_at_a_time(4, {.artifact = "m", .artifacts = {.paths = {"m"}}}), 4);
  EXPECT_GE(checks_at_a_time(0, {}), 1);
  try {
    checks_at_a_time(2, {.iter_info = "info.json"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kOneIterationInfo);
  }
  EXPECT_THAT(run({"--jobs", "2", "--iter-info", "info.json"}).err,
              testing::HasSubstr("--iter-info names one file, but several iterations run"));
}

TEST_F(Jobs, Lint) {
  save("m.onnx", R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[N] x) => (float[N] y) { y = Abs (x)  unused = Neg (y) })");
  LintJob job{.model = {.path = path("m.onnx")}, .typed_model = "m.onnx"};
  job.shapes.set("x", {DataType::kUndefined, DimList{2}, {}});
  job.options.tools.paths = observed_run().plugins;
  job.reports = {lint_report_file(path("api.json"), "api.json"),
                 lint_report_file(path("api.sarif"), "api.sarif")};
  EXPECT_TRUE(lint(job, silent_).passed);
  EXPECT_EQ(run_in_process({"check", "lint", "m.onnx", "--input-shapes", "x:[2]", "-o", "cli.json",
                            "--sarif", "cli.sarif"},
                           {.root = folder_.path()})
                .code,
            0);
  EXPECT_EQ(folder_.read("cli.json"), folder_.read("api.json"));
  EXPECT_EQ(folder_.read("cli.sarif"), folder_.read("api.sarif"));
}

TEST_F(Jobs, SavedOutputsAreComparedWithoutFeeds) {
  save("m.onnx", "g (float[2] x) => (float[2] y) { y = Relu (x) }");
  EXPECT_EQ(run_in_process({"run", "m.onnx", "--onnxrt", "--save-outputs", "saved.json"},
                           {.root = folder_.path()})
                .code,
            0);
  RunJob job;
  job.options.load_outputs = {path("saved.json"), path("saved.json")};
  job.options.metrics = CompareFunc::simple().metrics();
  RunnerFactory factory({}, silent_);
  EXPECT_TRUE(run(job, factory, silent_).passed());
  job.memory_limit.emplace();  // nothing runs
  EXPECT_TRUE(run(job, factory, silent_).passed());
}

// Runners of the built tree on kMatMuls.
class Runs : public Jobs {
 protected:
  RunResults run(std::shared_ptr<PluginHost> host, const ComparatorRunOptions& options = {}) const {
    OnnxrtRunner onnxrt(path("m.onnx"), {.tree = PG_BINARY_DIR, .host = std::move(host)});
    return Comparator::run({onnxrt}, options);
  }
  static std::shared_ptr<PluginHost> host() { return open_backends(PG_BINARY_DIR); }
};

TEST_F(Runs, SideBySideOnThreadsWithBackEndsOfTheirOwn) {
  std::vector<RunResults> results(4);
  {
    std::vector<std::jthread> threads;
    for (RunResults& result : results) threads.emplace_back([&] { result = run(host()); });
  }
  const auto y_of = [](const RunResults& result) {
    return *result.runners.at(0).second.at(0).outputs.find("y");
  };
  for (const RunResults& result : results) {
    EXPECT_TRUE(bitwise_equal(y_of(result), y_of(results[0])));
  }
}

TEST_F(Runs, TellProgressAndStop) {
  std::atomic<bool> cancelled = false;
  int64_t told = 0;
  ComparatorRunOptions options;
  options.data_loader = DataLoaderOptions{.iterations = 5};
  options.cancel = cancelled;
  const ProgressWatch watch([&](std::span<const Progress> phases) {
    if (phases.empty()) return;
    told = phases[0].done;
    cancelled = told == 2;
  });
  EXPECT_THROW(run(host(), options), Interrupted);
  EXPECT_EQ(told, 2);
}

TEST_F(Runs, AnOptionThatNoBackEndHasIsAnError) {
  OnnxrtRunner onnxrt(path("m.onnx"),
                      {.options = {{"treads", {"1"}}}, .tree = PG_BINARY_DIR, .host = host()});
  try {
    onnxrt.activate();
    FAIL();
  } catch (const OptionError& error) {
    EXPECT_STREQ(error.what(), "onnxrt has no option 'treads'");
    EXPECT_THAT(error.hint(), testing::StartsWith("Did you mean 'threads'?\nOptions: providers, "));
  }
}

TEST_F(Runs, TakeTheLibrariesThatTheEnvironmentNames) {
  constexpr const char* kVariable = "POLYGRAPHY_ONNXRT_LIB";
  constexpr const char* kLibrary = "/nowhere/libonnxruntime.so";
  const char* const before = std::getenv(kVariable);
  const std::string saved = before ? before : "";
  ::setenv(kVariable, kLibrary, 1);
  const std::shared_ptr<PluginHost> named = host();
  const RunnerTools tools = tools_of_tree(PG_BINARY_DIR);
  before ? ::setenv(kVariable, saved.c_str(), 1) : ::unsetenv(kVariable);

  OnnxrtRunner onnxrt(path("m.onnx"), {.tree = PG_BINARY_DIR, .host = named});
  EXPECT_THAT([&] { onnxrt.activate(); },
              testing::ThrowsMessage<Error>(testing::HasSubstr(kLibrary)));
  EXPECT_THAT(tools.paths.library_env,
              testing::Contains(testing::Pair(std::string("onnxrt"), std::string(kLibrary))));
}

TEST(Names, OfRulesAndFigures) {
  EXPECT_THAT(graphsurgeon::fold_rule_names(), testing::Contains("cast-elision"));
  EXPECT_THAT(applied_rules({.only = {"runs"}}), testing::ElementsAre("runs"));
  const Metric& psnr = *CompareFunc::psnr().metrics().at(0);
  EXPECT_EQ(name_of(psnr), "psnr");
  EXPECT_THAT(figure_names(psnr), testing::ElementsAre("psnr"));
}

TEST_F(Jobs, RunScript) {
  RunScript script;
  script.command_line = "polygraphy run m.onnx --onnxrt --seed 7 --validate --gen-script run.py";
  script.model.source.path = path("m.onnx");
  script.runners.emplace_back();
  script.inputs.seed = 7;
  script.validate = true;
  script.metrics = {find_metric("simple")};
  EXPECT_EQ(run_in_process({"run", "m.onnx", "--onnxrt", "--seed", "7", "--validate",
                            "--gen-script", "run.py"},
                           {.root = folder_.path()})
                .code,
            0);
  save_script(to_python(script, silent_), path("api.py"), "api.py", silent_);
  // All but the time at which they were made.
  const auto body = [&](const std::string& file) {
    const std::string text = folder_.read(file);
    return text.substr(text.find("# Generation Command"));
  };
  EXPECT_EQ(body("run.py"), body("api.py"));
}

}  // namespace
}  // namespace polygraphy::cli
