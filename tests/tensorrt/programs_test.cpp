// What programs do without a command line.
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
                .library = cli::double_of("11"),
                .paths = paths_of_tree(PG_TREE),
                .program = PG_POLYGRAPHY};
  EXPECT_THROW(build_engine(job, folder_.path() + "/m.engine", log), RunnerFailure);
  fail("");
  EXPECT_EQ(describe_network(job, log).layers.size(), 2u);
  EXPECT_TRUE(find_capability(job, log).supported);
}

}  // namespace
}  // namespace polygraphy
