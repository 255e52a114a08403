// Programs without a command line.
#include "fixture.h"
#include "graphsurgeon/io/load.h"
#include "polygraphy/polygraphy.h"

namespace polygraphy {
namespace {

using Programs = cli::TensorRt;

TEST_F(Programs, RunBesideOnnxRuntime) {
  const std::string path = folder_.path() + "/" + model(cli::kSum);
  BackendRunnerOptions options{
      .library = cli::double_of("10"),
      .options = {{"trt_driver", {PG_DOUBLES "/libcuda.so.1"}}, {"trt_min_shapes", {"x:[2,4]"}}},
      .tree = PG_TREE};
  TrtRunner tensorrt(ModelLoader(path.c_str()), options);
  const ActiveRunner active(tensorrt);
  const ValueMap outputs = tensorrt.infer({{"x", full<float>({2, 4}, 1)}});
  EXPECT_EQ(outputs.find("y")->tensor().get_double(7), 2);
}

TEST_F(Programs, BuildEnginesInAProcessOfTheirOwn) {
  fail("crash");
  Logger log;
  EngineJob job{.model = {.path = folder_.path() + "/" + model(cli::kSum)},
                .tools = {.paths = paths_of_tree(PG_TREE), .program = PG_POLYGRAPHY}};
  job.runner.library = cli::double_of("11");
  EXPECT_THROW(build_engine(job, folder_.path() + "/m.engine", log), RunnerFailure);
  fail("");
  EXPECT_EQ(describe_network(job, log).layers.size(), 2u);
  EXPECT_TRUE(find_capability(job, log).supported);
}

TEST_F(Programs, DescribeNetworksAndEngines) {
  Logger log;
  EngineJob job{.model = {.path = folder_.path() + "/" + model(cli::kSum)},
                .tools = {.paths = paths_of_tree(PG_TREE)}};
  job.runner.library = cli::double_of("10");
  job.runner.session.options = {{"trt_driver", {PG_DOUBLES "/libcuda.so.1"}},
                                {"trt_min_shapes", {"x:[2,4]"}}};
  const NetworkDescription network = describe_network(job, log);
  EXPECT_EQ(network.layers[1].op, "ActivationType.RELU");
  EXPECT_THAT(network_text(network, {.layers = true}), testing::HasSubstr("---- 2 Layer(s) ----"));
  EXPECT_EQ(onnx_like_from_network(network).graph->nodes().size(), 2u);

  const std::string path = folder_.path() + "/m.engine";
  build_engine(job, path, log);
  job.model = {.path = path, .format = "engine"};
  const EngineDescription engine = describe_engine(job, log);
  EXPECT_EQ(engine.profiles.at(0).at(0).least, (std::vector<int64_t>{2, 4}));
  EXPECT_EQ(engine.layers.at(0).size(), 2u);
  EXPECT_THAT(engine_text(engine, {}), testing::HasSubstr("Explicit Batch Engine"));
}

class Loaders : public cli::TensorRt {
 protected:
  std::string in_folder(const std::string& name) const { return folder_.path() + "/" + name; }
  static BackendRunnerOptions with_double(const std::string& set = "10") {
    return {.library = cli::double_of(set), .tree = PG_TREE};
  }
  static BackendRunnerOptions running() {
    BackendRunnerOptions options = with_double();
    options.options = {{"trt_driver", {PG_DOUBLES "/libcuda.so.1"}}};
    return options;
  }
  // y = relu(x + 1) of ones.
  static double run(TrtRunner& runner) {
    const ActiveRunner active(runner);
    return runner.infer({{"x", full<float>({2, 4}, 1)}}).find("y")->tensor().get_double(7);
  }
  static TrtConfig for_two() { return {.profiles = {Profile().add("x", {1, 4}, {2, 4}, {4, 4})}}; }
};

TEST_F(Loaders, DoNothingBeforeTheyAreCalled) {
  const auto network = NetworkFromOnnxPath(in_folder("missing.onnx"));
  const auto build = EngineFromNetwork(network, CreateConfig(), with_double());
  TrtRunner runner(SaveEngine(build, in_folder("m.engine")), running());
  EXPECT_THAT(recorded(), testing::IsEmpty());
  EXPECT_THROW(runner.activate(), Error);
}

TEST_F(Loaders, BuildSaveAndRun) {
  const auto network = NetworkFromOnnxPath(in_folder(model(cli::kSum)));
  TrtRunner built(
      SaveEngine(EngineFromNetwork(network, for_two(), with_double()), in_folder("m.engine")),
      running());
  EXPECT_EQ(run(built), 2);
  TrtRunner loaded(EngineFromPath(in_folder("m.engine")), running());
  EXPECT_EQ(run(loaded), 2);
  TrtRunner of_bytes(EngineFromBytes(BytesFromPath(in_folder("m.engine"))), running());
  EXPECT_EQ(run(of_bytes), 2);
  EXPECT_EQ(*EngineBytesFromNetwork(network, for_two(), with_double())(),
            *BytesFromEngine(EngineFromPath(in_folder("m.engine")))());
}

TEST_F(Loaders, ModelsInMemoryAreBuilt) {
  model(cli::kSum);
  const auto all = ModifyOutputs(OnnxFromPath(in_folder("model.onnx")), {"*"});
  TrtRunner runner(EngineFromNetwork(NetworkFromOnnx(all), for_two(), with_double()), running());
  const ActiveRunner active(runner);
  EXPECT_TRUE(runner.infer({{"x", full<float>({2, 4}, 1)}}).find("a"));
  EXPECT_TRUE(EngineFromNetwork(NetworkFromOnnxBytes(folder_.read("model.onnx")), for_two(),
                                with_double())()
                  .bytes);
}

TEST_F(Loaders, CalibrateWithBatches) {
  const auto network = NetworkFromOnnxPath(in_folder(model(cli::kSum)));
  TrtConfig config = for_two();
  config.int8 = true;
  config.calibrator = Calibrator{.data = std::vector<ValueMap>{{{"x", full<float>({2, 4}, 1)}},
                                                               {{"x", full<float>({2, 4}, 2)}}},
                                 .cache = in_folder("cache")};
  EngineFromNetwork(network, config, running())();
  EXPECT_THAT(recorded(), testing::HasSubstr("calibration batches: 2"));
  EXPECT_THAT(folder_.read("cache"), testing::HasSubstr("x: 3c810204"));  // 2 / 127
  EngineFromNetwork(network, config, running())();
  EXPECT_THAT(recorded(), testing::HasSubstr("calibration cache read"));
}

TEST_F(Loaders, SayWhichBatchIsNotOfTheNetwork) {
  TrtConfig config = for_two();
  config.int8 = true;
  config.calibrator = Calibrator{.data = std::vector<ValueMap>{{{"x", full<float>({2, 4}, 1)}},
                                                               {{"x", full<double>({2, 4}, 2)}}}};
  try {
    EngineFromNetwork(NetworkFromOnnxPath(in_folder(model(cli::kSum))), config, running())();
    FAIL() << "it was taken";
  } catch (const Error& failure) {
    EXPECT_THAT(failure.what(), testing::StartsWith("Calibration sample 2: input x is of float64"));
  }
}

TEST_F(Loaders, DescriptionsAreExtended) {
  const auto network =
      extend(NetworkFromOnnxPath(in_folder(model(cli::kSum))), [](TrtNetwork& described) {
        described.name = "Mine";
        described.outputs = {"*"};
      });
  const auto config = extend(CreateConfig(for_two()), [](TrtConfig& described) {
    described.fp16 = true;
    described.options.emplace_back("max_aux_streams", std::vector<std::string>{"2"});
  });
  EngineFromNetwork(network, config, with_double())();
  EXPECT_THAT(recorded(), testing::AllOf(testing::HasSubstr("Mine"), testing::HasSubstr("kFP16"),
                                         testing::HasSubstr("setMaxAuxStreams")));
}

TEST_F(Loaders, SayWhatAVersionLacks) {
  const auto network = NetworkFromOnnxPath(in_folder(model(cli::kSum)));
  EXPECT_THROW(EngineFromNetwork(network, CreateConfig({.fp16 = true}), with_double("11"))(),
               OptionError);
  TrtNetwork misspelt;
  misspelt.options = {{"mark_debgu", {"a"}}};
  EXPECT_THROW(EngineFromNetwork(NetworkFromOnnxPath(in_folder("model.onnx"), misspelt),
                                 CreateConfig(), with_double())(),
               OptionError);
  fail("no-kernel");
  EXPECT_THROW(EngineFromNetwork(network, for_two(), with_double())(), RunnerFailure);
}

TEST_F(Loaders, BytesThatAreNoEngineAreRefusedOnActivation) {
  TrtRunner runner(EngineFromBytes(std::string("no engine")), running());
  EXPECT_THROW(runner.activate(), RunnerFailure);
}

}  // namespace
}  // namespace polygraphy
