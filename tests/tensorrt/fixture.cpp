#include "fixture.h"

#include <algorithm>
#include <cstdlib>

#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy::cli {
namespace {

constexpr const char* kFail = "PG_TENSORRT_DOUBLE_FAIL";
constexpr const char* kDriverFail = "PG_CUDA_DOUBLE_FAIL";
constexpr const char* kRecord = "PG_TENSORRT_DOUBLE_RECORD";

}  // namespace

std::string double_of(const std::string& set) {
  return std::string(PG_DOUBLES) + "/" + set + "/" +
         (set == "rtx" ? "libtensorrt_rtx.so.1" : "libnvinfer.so." + set);
}

// Child processes, which inherit these, open the libraries.
TensorRt::TensorRt() {
  setenv(kRecord, (folder_.path() + "/recorded").c_str(), 1);
}

TensorRt::~TensorRt() {
  for (const char* name : {kFail, kDriverFail, kRecord}) unsetenv(name);
}

std::string TensorRt::model(std::string_view text, const std::string& name) const {
  folder_.write(name, graphsurgeon::encode_model(graphsurgeon::parse_onnx_text(text)));
  return name;
}

Outcome TensorRt::run(std::vector<std::string> args, const std::string& set) const {
  const std::vector<std::string> libraries = {"--trt-lib", double_of(set), "--trt-driver",
                                              std::string(PG_DOUBLES) + "/libcuda.so.1"};
  const std::string given = args.at(args.size() > 2 ? 2 : 1);
  const bool of_engine = args.front() == "inspect" && !given.ends_with(".onnx");
  // Behind the model: some options take all that follows.
  const auto model = std::find(args.begin(), args.end(), of_engine ? given : "model.onnx");
  args.insert(model == args.end() ? model : model + 1, libraries.begin(), libraries.end());
  return run_in_process(args, {.root = folder_.path(), .columns = 200});
}

std::string TensorRt::recorded() const {
  std::string lines = folder_.read("recorded");
  folder_.write("recorded", "");
  return lines;
}

void TensorRt::fail(const char* how) {
  setenv(kFail, how, 1);
}

void TensorRt::fail_driver(const char* how) {
  setenv(kDriverFail, how, 1);
}

}  // namespace polygraphy::cli
