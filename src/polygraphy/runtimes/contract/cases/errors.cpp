// Each failure is one message, and everything else works afterwards.

#include "polygraphy/runtimes/contract/contract_case.h"
#include "polygraphy/runtimes/contract/workbench.h"

namespace polygraphy::contract {
namespace {

constexpr std::string_view kRelu = "g (float[N, 2] x) => (float[N, 2] y) { y = Relu (x) }";

std::string activation_error(Workbench& bench, ModelSource source) {
  const auto runner = bench.runner(std::move(source));
  const std::string error = error_of([&] { runner->activate(); });
  bench.holds("a runner is inactive after a failed activation", !runner->active());
  return error;
}

void file_that_is_not_there(Workbench& bench) {
  bench.text_has("the error", activation_error(bench, {.path = bench.folder() / "none.onnx"}),
                 {"none.onnx", "No such file"});
}

void folder_instead_of_a_file(Workbench& bench) {
  bench.text_has("the error", activation_error(bench, {.path = bench.folder().path()}),
                 {bench.folder().path()});
}

void bytes_that_are_no_model(Workbench& bench) {
  bench.text_has("the error",
                 activation_error(bench, {.path = bench.file_of_bytes("this is not a model")}),
                 {"model.onnx"});
  bench.text_has("the error for an empty file",
                 activation_error(bench, {.path = bench.file_of_bytes("")}), {"model.onnx"});
}

void truncated_model(Workbench& bench) {
  std::string bytes = encode(kRelu);
  bytes.resize(bytes.size() / 2);
  bench.text_has("the error", activation_error(bench, {.path = bench.file_of_bytes(bytes)}),
                 {"model.onnx"});
}

void bytes_given_to_the_runtime(Workbench& bench) {
  bench.fails("load() of bytes that are not a model",
              error_of([&] { bench.session_of_bytes("this is not a model"); }));
}

void operator_without_a_kernel(Workbench& bench) {
  const std::string error = activation_error(
      bench, {.path = bench.file(R"(<ir_version: 8, opset_import: ["": 17, "far.away": 1]>
                                    g (float[2] x) => (float[2] y) { y = far.away.Teleport (x) })")});
  bench.text_has("the error", error, {bench.runtime() + " cannot load ", "model.onnx", "Teleport"});
  bench.text_lacks("the error", error, ".cc:");
  bench.text_lacks("the error", error, ".cpp:");
}

void cycle(Workbench& bench) {
  bench.fails(
      "loading a graph with a cycle",
      activation_error(bench, {.path = bench.file("g (float[2] x) => (float[2] y) "
                                                  "{ a = Add (x, b) b = Relu (a) y = Neg (b) }")}));
}

void missing_external_data(Workbench& bench) {
  // external_data of one initializer: location "gone.bin".
  const std::string error =
      activation_error(bench, {.path = bench.file(R"(<ir_version: 8, opset_import: ["": 17]>
          g (float[2] x) => (float[2] y) <float[2] w = ["location": "gone.bin", "offset": "0", "length": "8"]>
          { y = Add (x, w) })")});
  bench.text_has("the error", error, {"gone.bin"});
}

void wrong_feeds(Workbench& bench) {
  const auto runner = bench.runner({.path = bench.file(kRelu)});
  ActiveRunner active(*runner);
  const auto error = [&](const ValueMap& feeds) { return error_of([&] { active.infer(feeds); }); };
  const Array x = array_of<float>({1, 2}, {-1, 2});
  bench.text_has("the error without feeds", error({}), {"not found in input data: {'x'}"});
  bench.text_has("the error for a feed too many", error({{"x", x}, {"z", x}}),
                 {"Extra inputs in input data: {'z'}"});
  bench.text_has("the error for float64 in place of float32",
                 error({{"x", array_of<double>({1, 2}, {1, 2})}}), {"unexpected dtype"});
  bench.text_has("the error for 3 columns in place of 2",
                 error({{"x", array_of<float>({1, 3}, {1, 2, 3})}}), {"incompatible shape"});
  bench.number_is("y[1]", number(active.infer({{"x", x}}), "y", 1), 2);
}

// Past our checks: the runtime's own error.
void wrong_feeds_at_the_runtime(Workbench& bench) {
  const auto session = bench.session(kRelu);
  const auto error = [&](const ValueMap& feeds) {
    return error_of([&] { session->infer(feeds); });
  };
  const Array x = array_of<float>({1, 2}, {-1, 2});
  bench.text_has("the error without feeds", error({}), {"x"});
  bench.text_has("the error for a feed too many", error({{"x", x}, {"elsewhere", x}}),
                 {"elsewhere"});
  bench.fails("infer() with float64 in place of float32",
              error({{"x", array_of<double>({1, 2}, {1, 2})}}));
  bench.fails("infer() with 3 columns in place of 2",
              error({{"x", array_of<float>({1, 3}, {1, 2, 3})}}));
  bench.number_is("y[1]", number(session->infer({{"x", x}}).outputs, "y", 1), 2);
}

void failing_inference(Workbench& bench) {
  const auto runner = bench.runner(
      {.path = bench.file("g (float[N] x, int64[2] s) => (float[A, B] y) { y = Reshape (x, s) }")});
  ActiveRunner active(*runner);
  const ValueMap bad = {{"x", array_of<float>({3}, {1, 2, 3})},
                        {"s", array_of<int64_t>({2}, {2, 2})}};
  const ValueMap good = {{"x", array_of<float>({4}, {1, 2, 3, 4})},
                         {"s", array_of<int64_t>({2}, {2, 2})}};
  bench.text_has("the error", error_of([&] { active.infer(bad); }),
                 {runner->name(), bench.runtime() + " failed to run "});
  bench.shape_is("the shape of y", tensor(active.infer(good), "y").shape(), {2, 2});
}

bool has_threads(const pgb_backend_options& backend) {
  for (size_t i = 0; i < backend.option_count; ++i) {
    if (std::string_view(backend.options[i].key) == "threads") return takes_onnx(backend);
  }
  return false;
}

void thread_counts_that_are_none(Workbench& bench) {
  for (const char* threads : {"0", "-3", "many", "", "2.5", "99999999999999999999"}) {
    bench.text_has("the error for " + std::string(threads) + " threads",
                   error_of([&] { bench.session(kRelu, {{"threads", {threads}}}); }),
                   {"-threads takes a whole number of at least 1"});
  }
}

std::vector<Case> case_list() {
  return {{"errors/file_that_is_not_there", file_that_is_not_there},
          {"errors/folder_instead_of_a_file", folder_instead_of_a_file},
          {"errors/bytes_that_are_no_model", bytes_that_are_no_model},
          {"errors/truncated_model", truncated_model},
          {"errors/bytes_given_to_the_runtime", bytes_given_to_the_runtime},
          {"errors/operator_without_a_kernel", operator_without_a_kernel},
          {"errors/cycle", cycle},
          {"errors/missing_external_data", missing_external_data},
          {"errors/wrong_feeds", wrong_feeds},
          {"errors/wrong_feeds_at_the_runtime", wrong_feeds_at_the_runtime},
          {"errors/failing_inference", failing_inference},
          {"errors/thread_counts_that_are_none", thread_counts_that_are_none, has_threads}};
}

}  // namespace

extern constinit const CaseGroup case_group_errors = {.cases = case_list};

}  // namespace polygraphy::contract
