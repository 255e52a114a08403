#include "polygraphy/model_tools/inspect/model_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using graphsurgeon::Attribute;
using graphsurgeon::AttributeType;
using graphsurgeon::Model;
using graphsurgeon::parse_onnx_text;
using graphsurgeon::Tensor;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr ModelTextOptions kPlain = {};
constexpr ModelTextOptions kLayers = {.layers = true};
constexpr ModelTextOptions kAttrs = {.layers = true, .attrs = true};
constexpr ModelTextOptions kAll = {.layers = true, .attrs = true, .weights = true};

std::string text_of(const Model& model, const ModelTextOptions& options) {
  Logger silent;
  return model_text(model, options, silent);
}
std::string text_of(const char* text, const ModelTextOptions& options) {
  return text_of(parse_onnx_text(text), options);
}

constexpr char kSmall[] = R"(
  small (float[N, 3] x, int64 unused) => (float[N, 2] y, float[N, 2] z)
  <float[3, 2] w = {1, 2, 3, 4, 5, 6.5}, float b = {0.1}> {
    [mm] h = MatMul (x, w)
    y, z = Both <alpha = 0.1, axis = -1, to = 1, mode = "left", taps = [1, 2], names = ["a", "b'"]> (h, , b)
    k = Constant <value = float[1] {2}> ()
  })";

TEST(ModelText, PlainShowsInputsOutputsAndCounts) {
  EXPECT_EQ(text_of(kSmall, kPlain),
            R"(Name: small | ONNX Opset: 20

---- 2 Graph Input(s) ----
{x [dtype=float32, shape=('N', 3)],
 unused [dtype=int64, shape=()]}

---- 2 Graph Output(s) ----
{y [dtype=float32, shape=('N', 2)],
 z [dtype=float32, shape=('N', 2)]}

---- 2 Initializer(s) ----

---- 3 Node(s) ----)");
}

TEST(ModelText, LayersShowNodesAndInitializers) {
  EXPECT_THAT(text_of(kSmall, kLayers), HasSubstr(R"(
---- 2 Initializer(s) ----
{w [dtype=float32, shape=(3, 2)],
 b [dtype=float32, shape=()]}

---- 3 Node(s) ----
Node 0    | mm [Op: MatMul]
    {x [dtype=float32, shape=('N', 3)],
     Initializer | w [dtype=float32, shape=(3, 2)]}
     -> {h}

Node 1    |  [Op: Both]
    {h,
     ,
     Initializer | b [dtype=float32, shape=()]}
     -> {y [dtype=float32, shape=('N', 2)],
         z [dtype=float32, shape=('N', 2)]}

Node 2    |  [Op: Constant]
    {} -> {k})"));
}

TEST(ModelText, WeightsShowValuesInsteadOfTheMap) {
  const std::string text = text_of(kSmall, {.weights = true});
  EXPECT_THAT(text, HasSubstr(R"(
---- 2 Initializer(s) ----
Initializer | w [dtype=float32, shape=[3, 2]] | Values:
    [[1.  2. ]
     [3.  4. ]
     [5.  6.5]]

Initializer | b [dtype=float32, shape=[]] | Values:
    0.1

---- 3 Node(s) ----)"));
  EXPECT_THAT(text, Not(HasSubstr("MatMul")));
}

TEST(ModelText, AttributesShowPythonsForms) {
  EXPECT_THAT(text_of(kSmall, kAttrs), HasSubstr(R"(
    ---- Attributes ----
    alpha = 0.10000000149011612
    axis = -1
    to = float32
    mode = left
    taps = [1, 2]
    names = ['a', "b'"]

Node 2    |  [Op: Constant]
    {} -> {k}
    ---- Attributes ----
    value = Tensor: [dtype=float32, shape=[1]])"));
  EXPECT_THAT(text_of(kSmall, kAll), HasSubstr(R"(
    value = Tensor: [dtype=float32, shape=[1]] | Values:
        [2.])"));
}

TEST(ModelText, AttributesNeedLayers) {
  EXPECT_EQ(text_of(kSmall, {.attrs = true}), text_of(kSmall, kPlain));
}

TEST(ModelText, NumbersOfTypesAreNamedWhereTheyMeanTypes) {
  const std::string text = text_of(
      "g (float x) => (y) { y = Cast <to = 11, dtype = 16, target_type = 23, other = 11> (x) "
      "z = Cast <to = 0, dtype = 99> (x) }",
      kAttrs);
  EXPECT_THAT(
      text,
      HasSubstr(
          "to = float64\n    dtype = bfloat16\n    target_type = float4e2m1\n    other = 11\n"));
  EXPECT_THAT(text, HasSubstr("to = undefined\n    dtype = 99"));
}

TEST(ModelText, NamesAreInFrontOfAttributes) {
  EXPECT_THAT(text_of("g (float x) => (y) { [n1] y = Elu <alpha = 2.0> (x) }", kAttrs),
              HasSubstr("\n    n1.alpha = 2.0"));
}

TEST(ModelText, SubgraphsMoveRight) {
  EXPECT_EQ(text_of(R"(
    g (bool c, float[2] x) => (float[2] y) <float[2] w = {1, 2}> {
      y = If (c) <then_branch = t () => (float[2] a) <float k = {3}> { a = Mul (w, k) },
                  else_branch = e () => (b) {
                    b = If (c) <then_branch = tt () => (d) { d = Neg (x) }, deep = 1>
                  }>
    })",
                    kAll),
            R"(Name: g | ONNX Opset: 20

---- 2 Graph Input(s) ----
{c [dtype=bool, shape=()],
 x [dtype=float32, shape=(2,)]}

---- 1 Graph Output(s) ----
{y [dtype=float32, shape=(2,)]}

---- 1 Initializer(s) ----
Initializer | w [dtype=float32, shape=[2]] | Values:
    [1. 2.]

---- 1 Node(s) ----
Node 0    |  [Op: If]
    {c [dtype=bool, shape=()]}
     -> {y [dtype=float32, shape=(2,)]}
    ---- Attributes ----
    then_branch = 
            ---- 0 Subgraph Input(s) ----
            {}
            
            ---- 1 Subgraph Output(s) ----
            {a [dtype=float32, shape=(2,)]}
            
            ---- 1 Initializer(s) ----
            Initializer | k [dtype=float32, shape=[]] | Values:
                3.0
            
            ---- 1 Node(s) ----
            Node 0    |  [Op: Mul]
                {w [dtype=float32, shape=(2,)],
                 Initializer | k [dtype=float32, shape=()]}
                 -> {a [dtype=float32, shape=(2,)]}
            
    else_branch = 
            ---- 0 Subgraph Input(s) ----
            {}
            
            ---- 1 Subgraph Output(s) ----
            {b}
            
            ---- 0 Initializer(s) ----
            {}
            
            ---- 1 Node(s) ----
            Node 0    |  [Op: If]
                {c [dtype=bool, shape=()]}
                 -> {b}
                ---- Attributes ----
                then_branch = 
                                ---- 0 Subgraph Input(s) ----
                                {}
                                
                                ---- 1 Subgraph Output(s) ----
                                {d}
                                
                                ---- 0 Initializer(s) ----
                                {}
                                
                                ---- 1 Node(s) ----
                                Node 0    |  [Op: Neg]
                                    {x [dtype=float32, shape=(2,)]}
                                     -> {d}
                                
                deep = 1)");
}

TEST(ModelText, HeaderNamesOtherDomains) {
  EXPECT_THAT(text_of(R"(<ir_version: 10, opset_import: ["it's" : 2, "" : 17, "ai.onnx.ml" : 3]>
                g (float x) => (float y) { y = Relu (x) })",
                      kPlain),
              testing::StartsWith(
                  "Name: g | ONNX Opset: 17 | Other Opsets: {\"it's\": 2, 'ai.onnx.ml': 3}\n"));
  EXPECT_THAT(
      text_of(R"(<ir_version: 10, opset_import: ["ai.onnx.ml" : 3]>
                g (float x) => (float y) { y = Relu (x) })",
              kPlain),
      testing::StartsWith("Name: g | ONNX Opset: Unknown | Other Opsets: {'ai.onnx.ml': 3}\n"));
  EXPECT_THAT(text_of(R"(<ir_version: 10, opset_import: ["ai.onnx" : 9]>
                g (float x) => (float y) { y = Relu (x) })",
                      kPlain),
              testing::StartsWith("Name: g | ONNX Opset: 9\n"));
}

TEST(ModelText, InitializersAreNotInputs) {
  EXPECT_THAT(text_of(R"(<ir_version: 3, opset_import: ["" : 9]>
                g (float x, float[2] w = {1, 2}) => (float[2] y) { y = Mul (x, w) })",
                      kPlain),
              HasSubstr("---- 1 Graph Input(s) ----\n{x [dtype=float32, shape=()]}\n"));
}

TEST(ModelText, DocStringComesWithAttributes) {
  Model model = parse_onnx_text("g (float x) => (float y) { y = Relu (x) }");
  model.graph->set_doc_string("made by\nhand");
  EXPECT_THAT(text_of(model, {.attrs = true}),
              HasSubstr("Opset: 20\n\n---- Docstring ----\nmade by\nhand\n\n---- 1 Graph Input"));
  EXPECT_THAT(text_of(model, kLayers), Not(HasSubstr("Docstring")));
}

TEST(ModelText, LineBreaksInNamesKeepTheBlock) {
  Model model = parse_onnx_text("g (float x) => (float y) { y = Elu <mode = \"\"> (x) }");
  model.graph->inputs()[0]->set_name("a\nb");
  Attribute mode = *model.graph->nodes()[0]->attribute("mode");
  mode.encoded = {};
  mode.value = std::string_view("one\ntwo\n");
  model.graph->nodes()[0]->set_attribute(mode);
  EXPECT_THAT(text_of(model, kAttrs), HasSubstr("    {a\n    b [dtype=float32, shape=()]}\n"));
  EXPECT_THAT(text_of(model, kAttrs), HasSubstr("    mode = one\n    two"));
}

TEST(ModelText, TextsThatAreNotUtf8AreEscaped) {
  Model model =
      parse_onnx_text("g (float x) => (float y) { y = Op <bytes = \"\", many = [\"\"]> (x) }");
  for (const char* name : {"bytes", "many"}) {
    Attribute attribute = *model.graph->nodes()[0]->attribute(name);
    attribute.encoded = {};
    if (attribute.type == AttributeType::kString) {
      attribute.value = std::string_view("\xffgr\xc3\xbc\xc3");
    } else {
      attribute.value = std::vector<std::string_view>{"\x80"};
    }
    model.graph->nodes()[0]->set_attribute(attribute);
  }
  EXPECT_THAT(text_of(model, kAttrs), HasSubstr("bytes = \\xffgr\xc3\xbc\\xc3\n"));
}

// A summary of 8 GiB of missing values reads nothing.
TEST(ModelText, WeightsThatCannotBeLoadedSaySo) {
  Model model = parse_onnx_text("g (float[2] x) => (float[2] y) { y = Add (x, w) }");
  graphsurgeon::ExternalRange range;
  range.location = "missing.bin";
  range.folder = testing::TempDir();
  const auto weight = Tensor::constant(
      model.graph->store(), "w",
      graphsurgeon::external_payload(DataType::kFloat32, {2147483648}, std::move(range)));
  model.graph->nodes()[0]->inputs().set(1, weight);
  model.graph->mutable_initializers().push_back(weight);

  EXPECT_THAT(text_of(model, kLayers),
              HasSubstr("Initializer | w [dtype=float32, shape=(2147483648,)]"));
  std::vector<std::string> errors;
  Logger logger([&](Severity severity, std::string_view text) {
    if (severity == Severity::kError) errors.emplace_back(text);
  });
  EXPECT_THAT(model_text(model, kAll, logger),
              HasSubstr("| Values:\n    <error: failed to load weights>\n"));
  EXPECT_THAT(errors, ElementsAre(testing::AllOf(HasSubstr("Failed to load weights."),
                                                 HasSubstr("missing.bin"))));
}

}  // namespace
}  // namespace polygraphy
