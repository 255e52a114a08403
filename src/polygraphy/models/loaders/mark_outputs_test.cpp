#include "polygraphy/models/loaders/mark_outputs.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"
#include "base/testdata/recording_log.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::parse_onnx_text;
using graphsurgeon::Tensor;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kModel = R"(
  g (float[N, 4] x) => (float[N, 4] y) <float[4] w = {1, 2, 3, 4}, float[N, 4] conv_1> {
    c = Constant <value = float[1] {2}> ()
    conv_1 = Add (x, w)
    conv_2 = Mul (conv_1, c)
    soft = Softmax (conv_2)
    y = Relu (soft)
  })";

std::vector<std::string> outputs_of(const Model& model) {
  std::vector<std::string> names;
  for (const auto& output : model.graph->outputs()) names.emplace_back(output->name());
  return names;
}

class SelectOutputs : public testing::Test {
 protected:
  // The outputs after selecting; also that the model still encodes and loads with them.
  std::vector<std::string> select(OutputSelection selection, std::string_view text = kModel) {
    model_ = parse_onnx_text(text);
    select_outputs(model_, selection, log_.log());
    const std::string bytes = graphsurgeon::encode_model(model_);
    const Model again = graphsurgeon::load_model_from_bytes(
        std::as_bytes(std::span(bytes.data(), bytes.size())), nullptr, "again");
    EXPECT_EQ(outputs_of(again), outputs_of(model_));
    return outputs_of(model_);
  }
  std::string error(OutputSelection selection, std::string_view text = kModel) {
    try {
      select(std::move(selection), text);
    } catch (const Error& error) {
      hint_ = error.hint();
      return error.what();
    }
    return "no error";
  }
  const Tensor& output(size_t i) { return *model_.graph->outputs()[i]; }

  RecordingLog log_;
  Model model_;
  std::string hint_;
};

TEST_F(SelectOutputs, NamesReplaceTheOutputsInTheGivenOrderEachOnce) {
  EXPECT_THAT(select({.names = {"soft", "conv_1", "soft"}}), ElementsAre("soft", "conv_1"));
}

TEST_F(SelectOutputs, TypesComeFromValueInfoOrAreLeftOut) {
  select({.names = {"conv_1", "soft"}});
  EXPECT_EQ(output(0).dtype(), DataType::kFloat32);
  EXPECT_EQ(output(0).shape(), (graphsurgeon::DimList{"N", 4}));
  EXPECT_EQ(output(1).dtype(), DataType::kUndefined);
  EXPECT_EQ(output(1).shape(), std::nullopt);
  EXPECT_THAT(model_.graph->value_infos(), testing::SizeIs(1));  // y, an output no more
}

TEST_F(SelectOutputs, AnOutputThatStaysKeepsItsType) {
  select({.names = {"y", "soft"}});
  EXPECT_EQ(output(0).shape(), (graphsurgeon::DimList{"N", 4}));
}

TEST_F(SelectOutputs, EverythingIsAllNodeOutputsButThoseOfConstants) {
  EXPECT_THAT(select({.names = {"*"}}), ElementsAre("conv_1", "conv_2", "soft", "y"));
  EXPECT_THAT(select({.names = {"mark", "all"}}), ElementsAre("conv_1", "conv_2", "soft", "y"));
}

TEST_F(SelectOutputs, OptionalOutputsWithoutNameAreNone) {
  EXPECT_THAT(select({.names = {"*"}},
                     R"(g (float[2, 1, 4] x, float[1, 12, 4] w, float[1, 12, 3] r) => (h) {
                                            "", h = GRU <hidden_size = 3> (x, w, r)
                                            z = Relu (h) })"),
              ElementsAre("h", "z"));
}

TEST_F(SelectOutputs, PatternsMatchWhatNodesMake) {
  EXPECT_THAT(select({.names = {"conv_?"}}), ElementsAre("conv_1", "conv_2"));
  EXPECT_THAT(select({.names = {"[xsy]*"}}), ElementsAre("soft", "y"));  // not the input x
  EXPECT_THAT(log_.messages(), IsEmpty());
}

TEST_F(SelectOutputs, APatternThatMatchesNothingWarns) {
  EXPECT_THAT(select({.names = {"y", "zz*"}}), ElementsAre("y"));
  EXPECT_THAT(log_.messages(), ElementsAre("[W] No tensors matched wildcard pattern: 'zz*'"));
  EXPECT_EQ(error({.names = {"zz*"}}),
            "No outputs were selected. Please check your wildcard patterns.");
}

TEST_F(SelectOutputs, ANameWithBracketsThatExistsIsThatTensor) {
  constexpr std::string_view kBrackets = R"(g (float[2] x) => (float[2] y) {
      "a[0]" = Relu (x)  a0 = Neg ("a[0]")  y = Abs (a0) })";
  EXPECT_THAT(select({.names = {"a[0]"}}, kBrackets), ElementsAre("a[0]"));
  EXPECT_THAT(select({.names = {"a[01]"}}, kBrackets), ElementsAre("a0"));
}

TEST_F(SelectOutputs, ModelInputsCanBeOutputs) {
  EXPECT_THAT(select({.names = {"x", "y"}}), ElementsAre("x", "y"));
}

TEST_F(SelectOutputs, UnknownNamesAreListedWithAllThereAre) {
  EXPECT_EQ(error({.names = {"conv_3", "y"}}),
            "The following outputs were not found in the model: {'conv_3'}.\n"
            "Note: outputs requested were: {'conv_3', 'y'}, but all outputs are: "
            "{'conv_1', 'conv_2', 'soft', 'y', 'x'}");
  EXPECT_EQ(hint_, "Did you mean 'conv_1' or 'conv_2'?");
}

TEST_F(SelectOutputs, ByTypeInAnyLetterCaseReplacesNames) {
  EXPECT_THAT(select({.names = {"soft"}, .types = {"relu", "ADD"}}), ElementsAre("y", "conv_1"));
}

TEST_F(SelectOutputs, AnUnknownTypeIsAnErrorLineAndChangesNothing) {
  EXPECT_THAT(select({.types = {"Softma"}}), ElementsAre("y"));
  EXPECT_THAT(select({.types = {"Con"}}), ElementsAre("y"));
  EXPECT_THAT(select({.types = {"LSTM"}}), ElementsAre("y"));
  EXPECT_THAT(
      log_.messages(),
      ElementsAre("[E] No ONNX nodes of op type 'Softma' were found in the model. Did you "
                  "mean one of: ['Softmax']?",
                  "[E] No ONNX nodes of op type 'Con' were found in the model. Available op "
                  "types: ['Add', 'Constant', 'Mul', 'Relu', 'Softmax']",
                  "[E] No ONNX nodes of op type 'LSTM' were found in the model. Available op "
                  "types: ['Add', 'Constant', 'Mul', 'Relu', 'Softmax']"));
}

TEST_F(SelectOutputs, ExcludeTakesAwayKeepingTheOrder) {
  EXPECT_THAT(select({.names = {"*"}, .exclude = {"conv_*"}}), ElementsAre("soft", "y"));
  EXPECT_THAT(select({.names = {"soft", "y", "conv_1"}, .exclude = {"y"}}),
              ElementsAre("soft", "conv_1"));
  EXPECT_THAT(error({.exclude = {"nope"}}), HasSubstr("were not found in the model: {'nope'}"));
  EXPECT_THAT(error({.exclude = {"y"}}), HasSubstr("All outputs of the model are excluded"));
}

TEST_F(SelectOutputs, AlsoAddsTensorsAndNodesByNameInTheOrderOfTheGraph) {
  constexpr std::string_view kNodes = R"(g (float[2] x) => (float[2] y) {
      [first] a = Relu (x)  [b] c = Neg (a)  [last] b = Abs (c)  y = Sin (b) })";
  EXPECT_THAT(select({.also = {"b", "first"}}, kNodes), ElementsAre("a", "b", "y"));
  EXPECT_THAT(select({.names = {"c"}, .also = {"y", "a*"}}, kNodes), ElementsAre("a", "y", "c"));
  EXPECT_THAT(select({.also = {"y"}}, kNodes), ElementsAre("y"));
  EXPECT_THAT(error({.also = {"firs"}}, kNodes), HasSubstr("not found in the model: {'firs'}"));
}

TEST_F(SelectOutputs, ManyNamesAreCutShortInMessages) {
  std::string text = "g (float[2] x) => (float[2] t999) { t0 = Relu (x)\n";
  for (int i = 1; i < 1000; ++i) {
    text += "t" + std::to_string(i) + " = Relu (t" + std::to_string(i - 1) + ")\n";
  }
  EXPECT_THAT(error({.names = {"nope"}}, text + "}"), HasSubstr("'t9', ... and 991 more}"));
}

TEST(SelectsAll, KnowsBothSpellings) {
  EXPECT_TRUE(selects_all({"*"}));
  EXPECT_TRUE(selects_all({"mark", "all"}));
  EXPECT_FALSE(selects_all({"all", "mark"}));
  EXPECT_FALSE(selects_all({"*", "y"}));
  EXPECT_FALSE(selects_all({}));
}

}  // namespace
}  // namespace polygraphy
