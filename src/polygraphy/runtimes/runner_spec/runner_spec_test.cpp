#include "polygraphy/runtimes/runner_spec/runner_spec.h"

#include <gtest/gtest.h>

#include "polygraphy/runtimes/runner_spec/runner_spec_json.h"

namespace polygraphy {
namespace {

// Text in, text out: the canonical form.
std::string canonical(std::string_view text) {
  return parse_runner_spec(text).text();
}

std::string refusal(std::string_view text) {
  try {
    parse_runner_spec(text);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

RunnerSpec full_spec() {
  RunnerSpec spec{.backend = "onnxrt",
                  .library = "/opt/my ort/libonnxruntime.so",
                  .bundled = true,
                  .session = {.options = {{"providers", {"cuda", "cpu"}}, {"profile_all", {}}},
                              .profile = true,
                              .single_run = true,
                              .verbatim = true},
                  .model = "saved model",
                  .isolated = true,
                  .timeout = 2.5,
                  .name = "it's mine"};
  spec.session.inputs.set("x", {.dtype = DataType::kFloat16, .shape = DimList{1, "n", Dim()}});
  spec.session.inputs.set("y", {});
  return spec;
}

TEST(RunnerSpecText, SaysEverythingThatDecidesHowAModelIsRun) {
  EXPECT_EQ(full_spec().text(),
            "onnxrt providers=cuda providers+=cpu profile_all "
            "'--library=/opt/my ort/libonnxruntime.so' '--model=saved model' --bundled --isolated "
            "--profile --single-run "
            "--verbatim --timeout=2.5 '--input=x:[1,n,-1]:float16' --input=y:auto:auto "
            "'--name=it'\\''s mine'");
}

TEST(RunnerSpecText, ReadsWhatItWrites) {
  EXPECT_EQ(parse_runner_spec(full_spec().text()), full_spec());
  EXPECT_EQ(canonical("onnxrt"), "onnxrt");
  EXPECT_EQ(canonical("./run.py --timeout=10"), "./run.py --timeout=10");
  EXPECT_EQ(canonical("onnxrt   'providers=cpu'"), "onnxrt providers=cpu");
}

TEST(RunnerSpecText, AnOptionGivenTwiceIsNoListOfTwoValues) {
  const RunnerSpec twice = parse_runner_spec("tensorrt profile=x:[1] profile=x:[2]");
  const RunnerSpec list = parse_runner_spec("tensorrt profile=x:[1] profile+=x:[2]");
  EXPECT_EQ(twice.session.options.size(), 2u);
  EXPECT_EQ(list.session.options.size(), 1u);
  EXPECT_FALSE(twice == list);
}

TEST(RunnerSpecText, APathIsAProgramAndANameABackEnd) {
  EXPECT_EQ(parse_runner_spec("tools/run.sh").program, "tools/run.sh");
  EXPECT_EQ(parse_runner_spec("openvino").backend, "openvino");
  EXPECT_EQ((RunnerSpec{.program = "run.sh"}).text(), "./run.sh");
}

TEST(RunnerSpecText, RefusesWithTheWordAtFault) {
  EXPECT_EQ(refusal(""), "A runner without a back end");
  EXPECT_EQ(refusal("--isolated"), "'--isolated' of a runner comes before the back end");
  EXPECT_EQ(refusal("providers=cpu"), "'providers=cpu' of a runner comes before the back end");
  EXPECT_EQ(refusal("onnxrt =cpu"), "'=cpu' of a runner is not an option");
  EXPECT_EQ(refusal("onnxrt a+=b"),
            "'a+=b' of a runner adds to an option that does not stand before it");
  EXPECT_EQ(refusal("onnxrt --isolated=yes"), "'--isolated=yes' of a runner takes no value");
  EXPECT_EQ(refusal("onnxrt --timeout=soon"),
            "'--timeout=soon' of a runner is not a positive number of seconds");
  EXPECT_EQ(refusal("onnxrt --timeout"),
            "'--timeout' of a runner is not known, or lacks its value");
  EXPECT_EQ(refusal("onnxrt --color=red"), "'--color=red' of a runner is not known");
}

TEST(RunnerSpecDigest, IsOfEverythingButTheName) {
  const RunnerSpec spec = parse_runner_spec("onnxrt providers=cpu --name=a");
  EXPECT_EQ(spec.digest(), parse_runner_spec("onnxrt providers=cpu --name=b").digest());
  EXPECT_NE(spec.digest(), parse_runner_spec("onnxrt providers=cuda").digest());
  EXPECT_NE(spec.digest(), parse_runner_spec("onnxrt providers=cpu --isolated").digest());
  // Files hold digests: they stay the same from one version to the next.
  EXPECT_EQ(parse_runner_spec("onnxrt").digest().text(), fingerprint("onnxrt").text());
}

TEST(RunnerSpecEquality, OfACallbackCountsWhetherItIsThere) {
  RunnerSpec with = parse_runner_spec("tensorrt int8"), without = with;
  with.session.calibration = [](const Metadata&, bool, const std::function<bool()>&) {
    return std::optional<ValueMap>();
  };
  EXPECT_FALSE(with == without);
  EXPECT_EQ(with.digest(), without.digest());
}

TEST(RunnerSpecJson, ReadsWhatItWrites) {
  const std::string json = runner_spec_json(full_spec());
  EXPECT_EQ(parse_runner_spec_json(json), full_spec()) << json;
  EXPECT_EQ(parse_runner_spec_json(R"({"program": "run.sh", "timeout": 3})"),
            (RunnerSpec{.program = "run.sh", .timeout = 3}));
}

TEST(RunnerSpecJson, RefusesWhatIsNoRunner) {
  EXPECT_THROW(parse_runner_spec_json("{}"), Error);
  EXPECT_THROW(parse_runner_spec_json(R"({"backend": "a", "program": "b"})"), Error);
  EXPECT_THROW(parse_runner_spec_json(R"({"backend": "a", "color": "red"})"), Error);
  EXPECT_THROW(parse_runner_spec_json(R"({"backend": "a", "options": [["k"]]})"), Error);
  EXPECT_THROW(parse_runner_spec_json(R"({"backend": "a", "timeout": 0})"), Error);
  EXPECT_THROW(parse_runner_spec_json(R"({"backend": "a", "timeout": Infinity})"), Error);
  EXPECT_THROW(parse_runner_spec_json(R"({"backend": "a"} {})"), Error);
}

TEST(RunnerSpecLabel, IsTheBackEndOrTheFileOfTheProgram) {
  EXPECT_EQ(parse_runner_spec("onnxrt").label(), "onnxrt");
  EXPECT_EQ(parse_runner_spec("/opt/run.sh").label(), "run.sh");
}

}  // namespace
}  // namespace polygraphy
