// The rows of operator_facts.cpp beside the schemas.
#include <gtest/gtest.h>
#include <onnx/defs/schema.h>

#include <algorithm>
#include <climits>

#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/onnx/schema.h"
#include "graphsurgeon/operators/operator_facts.h"

namespace graphsurgeon {
namespace {

NodeRef node(std::string_view op) {
  return Node::create(*Store::create(), op);
}

// Operators without a fact that the program needs.
constexpr std::string_view kPlain[][11] = {
    {"AveragePool", "BitCast", "CumProd", "Det", "GlobalAveragePool", "GlobalLpPool",
     "ImageDecoder", "LpPool", "NegativeLogLikelihoodLoss", "OptionalHasElement", "RegexFullMatch"},
    {"RoiAlign", "RotaryEmbedding", "SequenceEmpty", "SequenceLength", "SequenceMap",
     "SoftmaxCrossEntropyLoss", "StringConcat", "StringNormalizer", "StringSplit", "SwiGLU",
     "TfIdfVectorizer"}};

// A new version of ONNX brings operators: each gets a row, or stands above.
TEST(FactsOfSchemas, KnowsEveryOperatorOfTheStandard) {
  const OperatorFacts& none = facts_of(*node("NoSuchOperator"));
  for (const onnx::OpSchema& schema : onnx::OpSchemaRegistry::get_all_schemas()) {
    if (!schema.domain().empty()) continue;
    const bool has_facts = &facts_of(*node(schema.Name())) != &none;
    const bool is_plain = std::ranges::any_of(kPlain, [&](const auto& names) {
      return std::ranges::find(names, schema.Name()) != std::end(names);
    });
    EXPECT_NE(has_facts, is_plain) << schema.Name();
  }
}

TEST(FactsOfSchemas, AgreesWithTheSchemas) {
  for (const onnx::OpSchema& theirs : onnx::OpSchemaRegistry::get_all_schemas_with_history()) {
    if (!theirs.domain().empty() || theirs.Deprecated()) continue;
    const NodeRef made = node(theirs.Name());
    const OperatorFacts& facts = facts_of(*made);
    const auto schema = find_schema(theirs.Name(), theirs.since_version());
    ASSERT_TRUE(schema) << theirs.Name();
    const auto has = [&](std::string_view attribute) {
      return std::ranges::any_of(schema->attributes(),
                                 [&](const OpAttribute& one) { return one.name == attribute; });
    };
    EXPECT_LT(facts.weight, schema->max_inputs()) << theirs.Name();
    if (facts.axis != kNoAxis && theirs.Name() != "LpNormalization") {
      EXPECT_TRUE(has("axis")) << theirs.Name();
    }
    if (!facts.type_attribute.empty()) {
      EXPECT_TRUE(has(facts.type_attribute)) << theirs.Name();
    }
    if (facts.random) {
      EXPECT_NE(schema->deterministic(), true) << theirs.Name();
    }
    if (facts.movement == Movement::kReshapes || facts.movement == Movement::kPermutes) {
      EXPECT_EQ(schema->outputs()[0].type, schema->inputs()[0].type) << theirs.Name();
    }
    // Older forms have some of them as attributes.
    if (find_schema(theirs.Name(), INT_MAX)->since_version() != theirs.since_version()) continue;
    for (size_t slot = 0; slot < 8; ++slot) {
      if (facts.decides_shape(slot)) {
        EXPECT_LT(static_cast<int>(slot), schema->max_inputs()) << theirs.Name();
      }
    }
  }
}

TEST(FactsOfSchemas, NamesOperatorsWithFloatsThatExist) {
  for (const char* op : {"QLinearConv", "QLinearMatMul", "ConvInteger", "MatMulInteger"}) {
    const OperatorFacts& facts = facts_of(*node(op));
    const OperatorFacts& floats = facts_of(*node(facts.float_op));
    EXPECT_TRUE(find_schema(facts.float_op, 13)) << op;
    EXPECT_EQ(facts.layout, floats.layout) << op;
    EXPECT_EQ(facts.layer, floats.layer) << op;
    EXPECT_FALSE(floats.computes_with_codes()) << op;
  }
  EXPECT_TRUE(facts_of(*node("MatMulInteger")).sums_codes());
  EXPECT_FALSE(facts_of(*node("QLinearMatMul")).sums_codes());
}

}  // namespace
}  // namespace graphsurgeon
