// Model files: edits on the way, external data, old and new IR versions.

#include <filesystem>
#include <span>
#include <vector>

#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/runtimes/contract/contract_case.h"
#include "polygraphy/runtimes/contract/workbench.h"

namespace polygraphy::contract {
namespace {

std::vector<std::string> names_of(const ValueMap& outputs) {
  std::vector<std::string> names;
  for (const auto& entry : outputs) names.push_back(entry.first);
  return names;
}

constexpr std::string_view kChain = R"(
  g (float[N, 4] x) => (float[N, 4] y) <float[4] w = {1, 2, 3, 4}> {
    a = Add (x, w)  b = Relu (a)  c = Softmax (b)  y = Neg (c) })";

ValueMap run(Workbench& bench, ModelSource source, const ValueMap& feeds) {
  const auto runner = bench.runner(std::move(source));
  ActiveRunner active(*runner);
  return active.infer(feeds);
}

ValueMap feed() {
  return {{"x", array_of<float>({1, 4}, {-3, 0, 1, 2})}};
}

void unedited_model_is_not_loaded_by_us(Workbench& bench) {
  run(bench, {.path = bench.file(kChain)}, feed());
  bench.holds("a model without edits is handed over as a file", !bench.log().has("Loading model"));
}

void all_tensors_as_outputs(Workbench& bench) {
  const ValueMap outputs = run(bench, {.path = bench.file(kChain), .outputs = {"*"}}, feed());
  bench.names_are("the outputs", names_of(outputs), {"a", "b", "c", "y"});
  bench.number_is("a[0]", number(outputs, "a", 0), -2);
  bench.number_is("b[0]", number(outputs, "b", 0), 0);
  bench.number_is("c[0]", number(outputs, "c", 0), -number(outputs, "y", 0));
  bench.holds("the log names the edited model",
              bench.log().has("[I] Loading model: " + bench.folder().path() + "/model.onnx"));
}

void some_tensors_as_outputs(Workbench& bench) {
  bench.names_are("the outputs",
                  names_of(run(bench, {.path = bench.file(kChain), .outputs = {"c", "a"}}, feed())),
                  {"c", "a"});
  bench.names_are(
      "the outputs",
      names_of(run(bench, {.path = bench.file(kChain), .outputs_by_type = {"relu"}}, feed())),
      {"b"});
}

void an_output_that_is_listed_twice(Workbench& bench) {
  const std::string path =
      bench.file("g (float[N, 4] x) => (float[N, 4] y, float[N, 4] y) { y = Neg (x) }");
  const ValueMap outputs = run(bench, {.path = path}, feed());
  bench.names_are("the outputs", names_of(outputs), {"y"});
  bench.number_is("y[0]", number(outputs, "y", 0), 3);
}

// It outlives its feed.
void an_input_as_output(Workbench& bench) {
  const std::string path =
      bench.file("g (float[65536, 4] x) => (float[65536, 4] y) { y = Neg (x) }");
  const auto outputs = [&] {
    const std::vector<float> numbers(65536 * 4, -3);
    const ValueMap feed = {{"x", Array::of<float>({65536, 4}, std::span<const float>(numbers))}};
    return run(bench, {.path = path, .outputs = {"x", "y"}}, feed);
  }();
  if (!bench.names_are("the outputs", names_of(outputs), {"x", "y"})) return;
  bench.number_is("x[0]", number(outputs, "x", 0), -3);
}

// 1024 x 4 weights in a separate file.
std::string external_model(Workbench& bench, const std::string& data_folder = {}) {
  std::string text = "g (float[N, 1024] x) => (float[N, 4] y) <float[1024, 4] w = {";
  for (int i = 0; i < 4096; ++i) text += (i ? "," : "") + std::to_string(i % 4);
  const graphsurgeon::Model model =
      graphsurgeon::parse_onnx_text(text + "}> { t = MatMul (x, w) y = Neg (t) }");
  const std::string path = bench.folder() / "big.onnx";
  graphsurgeon::SaveOptions options;
  options.external_data = "weights.bin";
  graphsurgeon::save_model(model, path, options);
  bench.holds("the data are in a separate file",
              std::filesystem::exists(bench.folder() / "weights.bin"));
  if (!data_folder.empty()) {
    std::filesystem::create_directories(data_folder);
    std::filesystem::rename(bench.folder() / "weights.bin", data_folder + "/weights.bin");
  }
  return path;
}

ValueMap ones() {
  Array x = Array::uninitialized(DataType::kFloat32, {1, 1024});
  for (int i = 0; i < 1024; ++i) reinterpret_cast<float*>(x.mutable_data())[i] = 1;
  return {{"x", x}};
}

void external_data_beside_the_model(Workbench& bench) {
  const ValueMap outputs = run(bench, {.path = external_model(bench)}, ones());
  bench.number_is("y[3]", number(outputs, "y", 3), -3 * 1024);
}

void external_data_of_an_edited_model(Workbench& bench) {
  const ValueMap outputs = run(bench, {.path = external_model(bench), .outputs = {"t"}}, ones());
  bench.number_is("t[3]", number(outputs, "t", 3), 3 * 1024);
}

void external_data_elsewhere(Workbench& bench) {
  const std::string folder = bench.folder() / "elsewhere";
  const ValueMap outputs =
      run(bench, {.path = external_model(bench, folder), .external_data_dir = folder}, ones());
  bench.number_is("y[2]", number(outputs, "y", 2), -2 * 1024);
}

std::string stamped(std::string_view text, int64_t ir_version) {
  graphsurgeon::Model model = graphsurgeon::parse_onnx_text(text);
  model.ir_version = ir_version;
  return graphsurgeon::encode_model(model);
}

void newest_ir_version(Workbench& bench) {
  const std::string path = bench.file_of_bytes(stamped(kChain, 14));
  bench.count_is("run(bench, {.path = path}, feed()).size()",
                 run(bench, {.path = path}, feed()).size(), 1u);
  bench.count_is("run(bench, {.path = path, .outputs = {'*'}}, feed()).size()",
                 run(bench, {.path = path, .outputs = {"*"}}, feed()).size(), 4u);
  bench.holds("the file is as before", contents_of(path) == stamped(kChain, 14));
}

void newest_ir_version_with_external_data(Workbench& bench) {
  const std::string path = external_model(bench);
  graphsurgeon::Model model = graphsurgeon::load_model(path);
  model.ir_version = 14;
  bench.file_of_bytes(graphsurgeon::encode_model(model), "new.onnx");
  const ValueMap outputs = run(bench, {.path = bench.folder() / "new.onnx"}, ones());
  bench.number_is("y[3]", number(outputs, "y", 3), -3 * 1024);
}

// IR 3 lists weights as inputs as well, but callers of the model do not feed them.
void initializers_that_are_inputs(Workbench& bench) {
  const auto runner = bench.runner({.path = bench.file(R"(<ir_version: 3, opset_import: ["": 7]>
      g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {10, 20}> { y = Add (x, w) })")});
  ActiveRunner active(*runner);
  std::vector<std::string> inputs;
  for (const auto& entry : active->input_metadata()) inputs.push_back(entry.first);
  bench.names_are("the inputs", inputs, {"x"});
  bench.number_is("y[1]", number(active.infer({{"x", array_of<float>({2}, {1, 2})}}), "y", 1), 22);
}

void old_opset(Workbench& bench) {
  const ValueMap outputs = bench.run(
      R"(<ir_version: 3, opset_import: ["": 6]> g (float[2] x) => (float[2] y) { y = Abs (x) })",
      {{"x", array_of<float>({2}, {-1, 2})}});
  bench.number_is("y[0]", number(outputs, "y", 0), 1);
}

void no_default_domain(Workbench& bench) {
  const ValueMap outputs = bench.run(
      R"(<ir_version: 7, opset_import: ["ai.onnx.ml": 2]>
         g (float[1, 2] x) => (float[1, 2] y) { y = ai.onnx.ml.Normalizer <norm = "MAX"> (x) })",
      {{"x", array_of<float>({1, 2}, {1, 4})}});
  bench.number_is("y[0]", number(outputs, "y", 0), 0.25);
}

void local_functions(Workbench& bench) {
  const ValueMap outputs = bench.run(
      R"(<ir_version: 8, opset_import: ["": 17, "here": 1]>
         g (float[2] x) => (float[2] y) { y = here.twice (x) }
         <domain: "here", opset_import: ["": 17]> twice (a) => (b) { b = Add (a, a) })",
      {{"x", array_of<float>({2}, {1, 2})}});
  bench.number_is("y[1]", number(outputs, "y", 1), 4);
}

void subgraphs(Workbench& bench) {
  const auto runner = bench.runner({.path = bench.file(R"(
      g (bool c, float[2] x) => (float[2] y) {
        y = If (c) <then_branch = t () => (float[2] a) { a = Neg (x) },
                    else_branch = e () => (float[2] b) { b = Identity (x) }> })")});
  ActiveRunner active(*runner);
  const Array x = array_of<float>({2}, {1, 2});
  bench.number_is("y[1] of then",
                  number(active.infer({{"c", array_of<bool>({}, {true})}, {"x", x}}), "y", 1), -2);
  bench.number_is("y[1] of else",
                  number(active.infer({{"c", array_of<bool>({}, {false})}, {"x", x}}), "y", 1), 2);
}

void shape_inference_first(Workbench& bench) {
  const ValueMap outputs =
      run(bench, {.path = bench.file(kChain), .outputs = {"b"}, .shape_inference = true}, feed());
  bench.shape_is("the shape of b", tensor(outputs, "b").shape(), (Shape{1, 4}));
}

std::vector<Case> case_list() {
  return {{"models/unedited_model_is_not_loaded_by_us", unedited_model_is_not_loaded_by_us},
          {"models/all_tensors_as_outputs", all_tensors_as_outputs},
          {"models/some_tensors_as_outputs", some_tensors_as_outputs},
          {"models/an_output_that_is_listed_twice", an_output_that_is_listed_twice},
          {"models/an_input_as_output", an_input_as_output},
          {"models/external_data_beside_the_model", external_data_beside_the_model},
          {"models/external_data_of_an_edited_model", external_data_of_an_edited_model},
          {"models/external_data_elsewhere", external_data_elsewhere},
          {"models/newest_ir_version", newest_ir_version},
          {"models/newest_ir_version_with_external_data", newest_ir_version_with_external_data},
          {"models/initializers_that_are_inputs", initializers_that_are_inputs},
          {"models/old_opset", old_opset},
          {"models/no_default_domain", no_default_domain},
          {"models/local_functions", local_functions},
          {"models/subgraphs", subgraphs},
          {"models/shape_inference_first", shape_inference_first}};
}

}  // namespace

extern constinit const CaseGroup case_group_models = {.cases = case_list};

}  // namespace polygraphy::contract
