// One question has one answer: run, run --noise-floor, debug locate and check consistency on the
// same models, engines and inputs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <regex>
#include <string>
#include <tuple>
#include <vector>

#include "../cli/in_process.h"
#include "../locate/small_networks.h"
#include "../locate/traced_networks.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"

namespace polygraphy::cli {
namespace {

using graphsurgeon::Model;

struct Engines {
  const char* name;
  std::vector<std::string> options;
  bool same;  // an engine against itself, which is always right
};

const std::vector<Engines>& engines() {
  static const std::vector<Engines> all = {
      {"onnxrt_itself", {"--onnxrt", "--onnxrt"}, true},
      {"openvino_itself", {"--openvino", "--openvino"}, true},
      {"float32", {"--onnxrt", "--openvino"}, false},
      {"bfloat16", {"--onnxrt", "--openvino", "--openvino-precision", "bf16"}, false},
  };
  return all;
}

std::string agreement_in(const std::string& json) {
  std::smatch found;
  static const std::regex kAgreement("\"agreement\": \"([a-z ]+)\"");
  return std::regex_search(json, found, kAgreement) ? found[1].str() : "no agreement";
}

struct TestedModel {
  std::string name;
  std::function<Model()> make;
  std::vector<std::string> options = {};  // of its inputs
};

Model load(const std::string& file) {
  return graphsurgeon::load_model(std::string(PG_DEPS_DIR) + "/" + file);
}

// As their authors exported them.
std::vector<TestedModel> real_models() {
  std::vector<TestedModel> all = {{.name = "magika",
                                   .make = [] { return load("models/magika.onnx"); },
                                   .options = {"--val-range", "bytes:[0,255]"}}};
  for (const std::string name : {"squeezenet", "shufflenet"}) {
    all.push_back({.name = name,
                   .make = [name] { return load("onnx-testdata/light/light_" + name + ".onnx"); }});
  }
  return all;
}

using Case = std::tuple<TestedModel, const Engines*>;

class VerdictMatrix : public testing::TestWithParam<Case> {
 protected:
  VerdictMatrix() {
    graphsurgeon::save_model(std::get<0>(GetParam()).make(), folder_.path() + "/m.onnx", {});
  }

  struct Answer {
    int code;
    std::string agreement, log;
  };
  // `file`: where the command writes its answer.
  Answer ask(std::vector<std::string> command, const std::vector<std::string>& more,
             const std::string& file) {
    const auto& [model, engines] = GetParam();
    command.push_back("m.onnx");
    for (const auto& options : {engines->options, model.options, more})
      command.insert(command.end(), options.begin(), options.end());
    const Outcome outcome = run_in_process(command, {.root = folder_.path()});
    return {outcome.code, agreement_in(folder_.read(file)), outcome.out + outcome.err};
  }
  // The exit code says the same.
  static void expect_code(const Answer& answer) {
    const bool passed = answer.agreement == "agrees";
    EXPECT_EQ(answer.code, passed ? 0 : 1) << answer.agreement << "\n" << answer.log;
  }

  TemporaryFolder folder_;
};

TEST_P(VerdictMatrix, TheCommandsAgree) {
  const Answer run = ask({"run"}, {"--output-dir", "run"}, "run/report.json");
  const Answer noise =
      ask({"run"}, {"--noise-floor", "--output-dir", "noise"}, "noise/report.json");
  const Answer locate = ask({"debug", "locate"}, {"--json", "locate.json"}, "locate.json");
  for (const Answer& answer : {run, noise, locate}) expect_code(answer);
  EXPECT_EQ(noise.agreement, locate.agreement) << noise.log << "\n" << locate.log;
  if (!std::get<1>(GetParam())->same) return;
  EXPECT_EQ(run.agreement, "agrees") << run.log;
  EXPECT_EQ(noise.agreement, "agrees") << noise.log;
  const Answer consistency =
      ask({"check", "consistency"}, {"--only-check", "repeat", "--json", "c.json"}, "c.json");
  EXPECT_EQ(consistency.agreement, "agrees") << consistency.log;
  expect_code(consistency);
}

std::vector<Case> cases() {
  std::vector<Case> all;
  std::vector<TestedModel> models = real_models();
  for (const SmallNetwork& network : small_networks())
    models.push_back({network.name, network.make});
  for (const TestedModel& model : models) {
    for (const Engines& both : engines()) all.emplace_back(model, &both);
  }
  for (const SmallNetwork& network : traced_networks())
    all.emplace_back(TestedModel{network.name, network.make}, &engines().front());
  return all;
}

INSTANTIATE_TEST_SUITE_P(Verdicts, VerdictMatrix, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Case>& one) {
                           return std::get<0>(one.param).name + "_" + std::get<1>(one.param)->name;
                         });

}  // namespace
}  // namespace polygraphy::cli
