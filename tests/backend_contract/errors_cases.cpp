// What goes wrong ends in one message, and nothing else is the worse for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "contract.h"

namespace polygraphy::contract {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kRelu = "g (float[N, 2] x) => (float[N, 2] y) { y = Relu (x) }";

std::string activation_error(Bench& bench, ModelSource source) {
  const auto runner = bench.runner(std::move(source));
  const std::string error = error_of([&] { runner->activate(); });
  EXPECT_FALSE(runner->active());
  return error;
}

void file_that_is_not_there(Bench& bench) {
  EXPECT_THAT(activation_error(bench, {.path = bench.folder() / "none.onnx"}),
              AllOf(HasSubstr("none.onnx"), HasSubstr("No such file")));
}

void folder_instead_of_a_file(Bench& bench) {
  EXPECT_THAT(activation_error(bench, {.path = bench.folder().path()}),
              HasSubstr(bench.folder().path()));
}

void bytes_that_are_no_model(Bench& bench) {
  EXPECT_THAT(activation_error(bench, {.path = bench.file_of_bytes("this is not a model")}),
              HasSubstr("model.onnx"));
  EXPECT_THAT(activation_error(bench, {.path = bench.file_of_bytes("")}), HasSubstr("model.onnx"));
}

void truncated_model(Bench& bench) {
  std::string bytes = encode(kRelu);
  bytes.resize(bytes.size() / 2);
  EXPECT_THAT(activation_error(bench, {.path = bench.file_of_bytes(bytes)}),
              HasSubstr("model.onnx"));
}

void bytes_given_to_the_runtime(Bench& bench) {
  EXPECT_NE(error_of([&] { bench.session_of_bytes("this is not a model"); }), "no error");
}

void operator_without_a_kernel(Bench& bench) {
  const std::string error = activation_error(
      bench, {.path = bench.file(R"(<ir_version: 8, opset_import: ["": 17, "far.away": 1]>
                                    g (float[2] x) => (float[2] y) { y = far.away.Teleport (x) })")});
  EXPECT_THAT(error, AllOf(HasSubstr(bench.runtime() + " cannot load "), HasSubstr("model.onnx"),
                           HasSubstr("Teleport"), Not(HasSubstr(".cc:")), Not(HasSubstr(".cpp:"))));
}

void cycle(Bench& bench) {
  EXPECT_NE(
      activation_error(bench, {.path = bench.file("g (float[2] x) => (float[2] y) "
                                                  "{ a = Add (x, b) b = Relu (a) y = Neg (b) }")}),
      "no error");
}

void missing_external_data(Bench& bench) {
  // external_data of one initializer: location "gone.bin".
  const std::string error =
      activation_error(bench, {.path = bench.file(R"(<ir_version: 8, opset_import: ["": 17]>
          g (float[2] x) => (float[2] y) <float[2] w = ["location": "gone.bin", "offset": "0", "length": "8"]>
          { y = Add (x, w) })")});
  EXPECT_THAT(error, HasSubstr("gone.bin"));
}

void wrong_feeds(Bench& bench) {
  const auto runner = bench.runner({.path = bench.file(kRelu)});
  ActiveRunner active(*runner);
  const auto error = [&](const ValueMap& feeds) { return error_of([&] { active.infer(feeds); }); };
  const Array x = array_of<float>({1, 2}, {-1, 2});
  EXPECT_THAT(error({}), HasSubstr("not found in input data: {'x'}"));
  EXPECT_THAT(error({{"x", x}, {"z", x}}), HasSubstr("Extra inputs in input data: {'z'}"));
  EXPECT_THAT(error({{"x", array_of<double>({1, 2}, {1, 2})}}), HasSubstr("unexpected dtype"));
  EXPECT_THAT(error({{"x", array_of<float>({1, 3}, {1, 2, 3})}}), HasSubstr("incompatible shape"));
  EXPECT_EQ(active.infer({{"x", x}}).find("y")->tensor().get_double(1), 2);
}

// Past our checks: what the runtime itself says.
void wrong_feeds_at_the_runtime(Bench& bench) {
  const auto session = bench.session(kRelu);
  const auto error = [&](const ValueMap& feeds) {
    return error_of([&] { session->infer(feeds); });
  };
  const Array x = array_of<float>({1, 2}, {-1, 2});
  EXPECT_THAT(error({}), HasSubstr("x"));
  EXPECT_THAT(error({{"x", x}, {"elsewhere", x}}), HasSubstr("elsewhere"));
  EXPECT_NE(error({{"x", array_of<double>({1, 2}, {1, 2})}}), "no error");
  EXPECT_NE(error({{"x", array_of<float>({1, 3}, {1, 2, 3})}}), "no error");
  EXPECT_EQ(session->infer({{"x", x}}).outputs.find("y")->tensor().get_double(1), 2);
}

void failing_inference(Bench& bench) {
  const auto runner = bench.runner(
      {.path = bench.file("g (float[N] x, int64[2] s) => (float[A, B] y) { y = Reshape (x, s) }")});
  ActiveRunner active(*runner);
  const ValueMap bad = {{"x", array_of<float>({3}, {1, 2, 3})},
                        {"s", array_of<int64_t>({2}, {2, 2})}};
  const ValueMap good = {{"x", array_of<float>({4}, {1, 2, 3, 4})},
                         {"s", array_of<int64_t>({2}, {2, 2})}};
  EXPECT_THAT(error_of([&] { active.infer(bad); }),
              AllOf(HasSubstr(runner->name()), HasSubstr(bench.runtime() + " failed to run ")));
  EXPECT_EQ(active.infer(good).find("y")->tensor().shape(), (Shape{2, 2}));
}

void thread_counts_that_are_none(Bench& bench) {
  for (const char* threads : {"0", "-3", "many", "", "2.5", "99999999999999999999"}) {
    EXPECT_THAT(error_of([&] { bench.session(kRelu, {{"threads", {threads}}}); }),
                HasSubstr("-threads takes a whole number of at least 1"))
        << threads;
  }
}

}  // namespace

std::vector<Case> errors_cases() {
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
          {"errors/thread_counts_that_are_none", thread_counts_that_are_none}};
}

}  // namespace polygraphy::contract
