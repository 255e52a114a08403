// Command lines of agents that follow the skills which come with TensorRT 11 (a model from ONNX to
// an engine that computes the same): its library, its flags, its kinds of inputs.
#include "base/text.h"
#include "fixture.h"

namespace polygraphy::cli {
namespace {

class Skills : public TensorRt {
 protected:
  Skills() {
    // Integers that choose, mask and mark segments, as encoders of language read them.
    model(R"(<ir_version: 8, opset_import: ["": 18]>
        encoder (int64[batch_size, sequence_length] input_ids,
                 int64[batch_size, sequence_length] attention_mask,
                 int64[batch_size, sequence_length] token_type_ids)
            => (float[batch_size, sequence_length] last_hidden_state) <float scale = {0.001}> {
          ids = Cast<to = 1>(input_ids)  small = Mul(ids, scale)  hidden = Tanh(small)
          mask = Cast<to = 1>(attention_mask)  kept = Mul(hidden, mask)
          type = Cast<to = 1>(token_type_ids)  last_hidden_state = Add(kept, type) })",
          "model.clean.onnx");
    model(R"(<ir_version: 8, opset_import: ["": 18]>
        vision (float[batch_size, 3, 8, 8] pixel_values) => (float[batch_size, 3, 8, 8] logits) {
          half = Cast<to = 10>(pixel_values)  active = Relu(half)  logits = Cast<to = 1>(active) })",
          "model.fp16.onnx");
  }

  static std::vector<std::string> words(const std::string& line) {
    std::vector<std::string> words;
    for (const auto word : split(line, ' ')) words.emplace_back(word);
    return words;
  }
  Outcome without_library(const std::string& line) const {
    return run_in_process(words(line), {.root = folder_.path()});
  }
};

constexpr const char* kTolerances =
    " --trt --onnxrt --atol 1e-2 --rtol 1e-2 --check-error-stat mean";
constexpr const char* kInputs =
    " --input-shapes input_ids:[8,128] attention_mask:[8,128] token_type_ids:[8,128]"
    " --val-range input_ids:[0,30000] attention_mask:[1,1] token_type_ids:[0,0] --seed 42";

TEST_F(Skills, AModelIsSanitizedAndItsInputsAreListed) {
  const Outcome sanitized =
      without_library("surgeon sanitize model.clean.onnx -o model.surgeon.onnx --fold-constants");
  EXPECT_EQ(sanitized.code, 0) << sanitized.err;
  const Outcome shown = without_library("inspect model model.surgeon.onnx");
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("---- 3 Graph Input(s) ----"));
  EXPECT_THAT(shown.out,
              HasSubstr("{input_ids [dtype=int64, shape=('batch_size', 'sequence_length')]"));
}

TEST_F(Skills, AnEngineHasTheNumbersOfOnnxRuntime) {
  const Outcome of_11 =
      run(words(std::string("run model.clean.onnx") + kTolerances + kInputs), "11");
  EXPECT_EQ(of_11.code, 0) << of_11.out << of_11.err;
  EXPECT_THAT(of_11.out, AllOf(HasSubstr("PASSED"), HasSubstr("Pass Rate: 100.00%"),
                               HasSubstr("Checking mean error")));
  const Outcome of_10 =
      run(words(std::string("run model.clean.onnx") + kTolerances + kInputs + " --fp16"));
  EXPECT_EQ(of_10.code, 0) << of_10.out << of_10.err;
  EXPECT_THAT(recorded(), HasSubstr("setFlag(kFP16)"));
}

TEST_F(Skills, AModelThatIsInFloat16Already) {
  const std::string run_it = std::string("run model.fp16.onnx") + kTolerances +
                             " --input-shapes pixel_values:[16,3,8,8]"
                             " --val-range pixel_values:[0,1] --seed 42";
  for (const std::string& command : {run_it, run_it + " --strongly-typed"}) {
    const Outcome seen = run(words(command), "11");
    EXPECT_EQ(seen.code, 0) << seen.out << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("PASSED"));
  }
}

}  // namespace
}  // namespace polygraphy::cli
