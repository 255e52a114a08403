#include "graphsurgeon/io/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"
#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/wire/testdata/message.h"

namespace graphsurgeon {
namespace {

using polygraphy::put;
using polygraphy::TemporaryFolder;
using testing::AllOf;
using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using wire::floats;
using wire::graph_attribute;
using wire::model;
using wire::node;
using wire::num;
using wire::real;
using wire::text;
using wire::value;

Model load(const std::string& bytes, const LoadOptions& options = {}) {
  return load_model_from_bytes(std::as_bytes(std::span(bytes)), nullptr, "m.onnx", {}, options);
}

std::string load_error(const std::string& bytes, const LoadOptions& options = {}) {
  try {
    const Model m = load(bytes, options);
    // Attributes are decoded late.
    for_each_payload(m, [](const PayloadUse&) {});
  } catch (const polygraphy::FormatError& error) {
    return error.what();
  }
  return "none";
}

const Node& node_at(const Graph& graph, size_t i) {
  return *graph.nodes()[i];
}

TEST(Load, ReadsTheHeader) {
  const Model m =
      load(num(1, 8) + text(2, "maker") + text(3, "1.0") + text(4, "org") + num(5, 3) +
           text(6, "doc") + text(7, text(2, "g")) + text(8, text(1, "com.microsoft") + num(2, 1)) +
           text(8, num(2, 17)) + text(14, text(1, "k") + text(2, "v")));
  EXPECT_EQ(m.ir_version, 8);
  EXPECT_EQ(m.producer_name, "maker");
  EXPECT_EQ(m.producer_version, "1.0");
  EXPECT_EQ(m.domain, "org");
  EXPECT_TRUE(m.has_model_version);
  EXPECT_EQ(m.model_version, 3);
  EXPECT_EQ(m.doc_string, "doc");
  EXPECT_EQ(m.graph->name(), "g");
  EXPECT_EQ(m.opset(), 17);
  EXPECT_THAT(m.metadata, ElementsAre(testing::Pair("k", "v")));
  EXPECT_TRUE(m.untouched());
}

TEST(Load, KnowsNoOpsetWhereNoneIsImported) {
  EXPECT_EQ(load(text(7, "") + text(8, text(1, "custom") + num(2, 3))).opset(), std::nullopt);
  EXPECT_EQ(load(text(7, "") + text(8, text(1, "ai.onnx") + num(2, 3))).opset(), 3);
}

TEST(Load, LinksNodesByTheNamesOfTheirTensors) {
  const Model m = load(model(
      text(1, node("Relu", {"x"}, {"h"})) + text(1, node("Add", {"h", "w"}, {"y"})) + text(2, "g") +
      text(5, floats("w", {1, 2})) + text(11, value("x", 1)) + text(12, value("y", 1))));
  const Graph& g = *m.graph;
  ASSERT_THAT(g.nodes(), SizeIs(2));
  EXPECT_EQ(node_at(g, 0).op(), "Relu");
  Tensor* h = node_at(g, 1).inputs()[0];
  EXPECT_EQ(h, node_at(g, 0).outputs()[0]);
  EXPECT_EQ(h->producer(), &node_at(g, 0));
  EXPECT_EQ(g.inputs()[0].get(), node_at(g, 0).inputs()[0]);
  EXPECT_EQ(g.outputs()[0].get(), node_at(g, 1).outputs()[0]);
  EXPECT_EQ(g.initializers()[0].get(), node_at(g, 1).inputs()[1]);
  EXPECT_TRUE(g.initializers()[0]->is_constant());
  EXPECT_EQ(g.inputs()[0]->dtype(), DataType::kFloat32);
  EXPECT_EQ(g.inputs()[0]->shape(), std::nullopt);
  EXPECT_EQ(h->dtype(), DataType::kUndefined);
  EXPECT_THAT(g.tensor_map(), SizeIs(4));
}

TEST(Load, TakesFieldsInAnyOrder) {
  // Initializers and inputs before the nodes, a consumer before its producer.
  const Model m =
      load(model(text(12, value("y", 1)) + text(5, floats("w", {1})) + text(11, value("x", 1)) +
                 text(1, node("Add", {"h", "w"}, {"y"})) + text(1, node("Relu", {"x"}, {"h"}))));
  const Graph& g = *m.graph;
  EXPECT_EQ(node_at(g, 0).inputs()[0]->producer(), &node_at(g, 1));
  EXPECT_TRUE(node_at(g, 0).inputs()[1]->is_constant());
  EXPECT_EQ(g.outputs()[0].get(), node_at(g, 0).outputs()[0]);
}

TEST(Load, GivesEachOmittedSlotATensorOfItsOwn) {
  const Model m = load(model(text(1, node("Clip", {"x", "", ""}, {"y", ""}))));
  const Node& clip = node_at(*m.graph, 0);
  ASSERT_EQ(clip.inputs().size(), 3u);
  EXPECT_TRUE(clip.inputs()[1]->is_empty());
  EXPECT_NE(clip.inputs()[1], clip.inputs()[2]);
  EXPECT_TRUE(clip.outputs()[1]->is_empty());
}

TEST(Load, InitializersThatAreInputsAreOneTensor) {
  const Model m = load(model(text(1, node("Relu", {"w"}, {"y"})) + text(5, floats("w", {1, 2})) +
                             text(11, value("w", 11))));
  const Tensor& w = *m.graph->inputs()[0];
  EXPECT_EQ(&w, m.graph->initializers()[0].get());
  EXPECT_EQ(w.dtype(), DataType::kFloat32) << "that of the values";
  EXPECT_EQ(w.declared_dtype(), DataType::kFloat64) << "what the input says";
  EXPECT_THAT(*w.shape(), ElementsAre(Dim(2)));
}

TEST(Load, ReadsTypesAndShapes) {
  const std::string shape = text(2, text(1, num(1, 3)) + text(1, text(2, "N")) + text(1, ""));
  const Model m =
      load(model(text(11, text(1, "x") + text(2, text(1, num(1, 10) + shape)) + text(3, "doc") +
                              text(4, "meta")) +
                 text(11, text(1, "s") + text(2, text(4, text(1, text(1, num(1, 1)))))) +
                 text(11, text(1, "o") + text(2, text(9, ""))) +
                 text(11, text(1, "m") + text(2, text(5, ""))) +
                 text(11, text(1, "sp") + text(2, text(8, num(1, 1)))) +
                 text(11, text(1, "op") + text(2, text(7, ""))) + text(11, text(1, "untyped"))));
  const auto& inputs = m.graph->inputs();
  EXPECT_EQ(inputs[0]->dtype(), DataType::kFloat16);
  EXPECT_THAT(*inputs[0]->shape(), ElementsAre(Dim(3), Dim("N"), Dim()));
  EXPECT_EQ(inputs[0]->doc_string(), "doc");
  EXPECT_EQ(inputs[0]->unknown_fields(), text(4, "meta"));
  EXPECT_THAT(inputs[0]->type_proto(), IsEmpty());
  std::vector<TypeKind> kinds;
  for (const TensorRef& input : inputs) kinds.push_back(input->type_kind());
  EXPECT_THAT(kinds, ElementsAre(TypeKind::kTensor, TypeKind::kSequence, TypeKind::kOptional,
                                 TypeKind::kMap, TypeKind::kSparseTensor, TypeKind::kOpaque,
                                 TypeKind::kNone));
  EXPECT_EQ(inputs[1]->type_proto(), text(4, text(1, text(1, num(1, 1)))));
}

TEST(Load, TheFirstDeclarationCountsAndLaterOnesFillIn) {
  const std::string shaped =
      text(1, "y") + text(2, text(1, num(1, 1) + text(2, text(1, num(1, 5)))));
  const Model m =
      load(model(text(1, node("Op", {}, {"y", "z"})) + text(12, text(1, "y")) +
                 text(12, value("z", 1)) + text(13, shaped) + text(13, value("z", 11))));
  EXPECT_EQ(m.graph->outputs()[0]->dtype(), DataType::kFloat32);
  EXPECT_THAT(*m.graph->outputs()[0]->shape(), ElementsAre(Dim(5)));
  EXPECT_EQ(m.graph->outputs()[1]->dtype(), DataType::kFloat32);
}

TEST(Load, DuplicateNamesKeepTheModelReadable) {
  const Model m =
      load(model(text(1, node("A", {"x"}, {"y"})) + text(1, node("B", {"x"}, {"y"})) +
                 text(1, node("C", {"y", "w"}, {"z"})) + text(5, floats("w", {1})) +
                 text(5, floats("w", {2})) + text(11, value("x", 1)) + text(11, value("x", 11))));
  const Graph& g = *m.graph;
  EXPECT_THAT(node_at(g, 2).inputs()[0]->producers(), ElementsAre(&node_at(g, 0), &node_at(g, 1)));
  ASSERT_THAT(g.initializers(), SizeIs(2));
  EXPECT_EQ(g.initializers()[0].get(), node_at(g, 2).inputs()[1]) << "first come wins";
  EXPECT_EQ(g.initializers()[0]->payload()->load("w").get_double(0), 1.0);
  EXPECT_EQ(g.initializers()[1]->payload()->load("w").get_double(0), 2.0);
  EXPECT_THAT(g.inputs(), SizeIs(2));
  EXPECT_EQ(g.inputs()[0], g.inputs()[1]);
}

// --- scopes

const Graph& subgraph(const Node& n, size_t i = 0) {
  return *n.subgraphs()[i];
}

TEST(Load, SubgraphsSeeOuterTensors) {
  const std::string inner = text(1, node("Add", {"x", "w"}, {"t"})) + text(12, value("t", 1));
  const Model m =
      load(model(text(1, node("If", {"c"}, {"y"}, graph_attribute("then_branch", inner))) +
                 text(5, floats("w", {1})) + text(11, value("x", 1))));
  const Node& add = node_at(subgraph(node_at(*m.graph, 0)), 0);
  EXPECT_EQ(add.inputs()[0], m.graph->inputs()[0].get());
  EXPECT_EQ(add.inputs()[1], m.graph->initializers()[0].get());
  EXPECT_EQ(add.outputs()[0], subgraph(node_at(*m.graph, 0)).outputs()[0].get());
  EXPECT_THAT(m.graph->inputs()[0]->consumers(), ElementsAre(&add));
}

TEST(Load, InnerNamesShadowOuterOnesWhereverTheyAreProduced) {
  // Inside, x is produced after it is used; w is an inner initializer; i an inner input.
  const std::string inner = text(1, node("Use", {"x", "w", "i", "o"}, {"t"})) +
                            text(1, node("Make", {}, {"x"})) + text(5, floats("w", {2})) +
                            text(11, value("i", 1)) + text(12, value("o", 1));
  const Model m = load(
      model(text(1, node("Loop", {"x", "w", "i", "o"}, {"y"}, graph_attribute("body", inner))) +
            text(5, floats("w", {1})) + text(11, value("x", 1)) + text(11, value("i", 1)) +
            text(11, value("o", 1))));
  const Node& loop = node_at(*m.graph, 0);
  const Graph& body = subgraph(loop);
  const Node& use = node_at(body, 0);
  for (size_t i = 0; i < 4; ++i) EXPECT_NE(use.inputs()[i], loop.inputs()[i]) << i;
  EXPECT_EQ(use.inputs()[0]->producer(), &node_at(body, 1));
  EXPECT_EQ(use.inputs()[1]->payload()->load("w").get_double(0), 2.0);
  EXPECT_EQ(use.inputs()[2], body.inputs()[0].get());
  EXPECT_EQ(use.inputs()[3], body.outputs()[0].get());
}

TEST(Load, SubgraphsSeeTensorsThatTheOuterGraphProducesLater) {
  const std::string inner = text(1, node("Relu", {"late"}, {"t"}));
  const Model m =
      load(model(text(1, node("If", {"c"}, {"y"}, graph_attribute("then_branch", inner))) +
                 text(1, node("Make", {}, {"late"}))));
  const Node& relu = node_at(subgraph(node_at(*m.graph, 0)), 0);
  EXPECT_EQ(relu.inputs()[0]->producer(), &node_at(*m.graph, 1));
}

TEST(Load, TwoLevelsDownTheNearestScopeCounts) {
  const std::string innermost =
      text(1, node("Relu", {"a"}, {"p"})) + text(1, node("Relu", {"b"}, {"q"}));
  const std::string middle =
      text(1, node("Make", {}, {"b"})) +
      text(1, node("If", {}, {"r"}, graph_attribute("then_branch", innermost)));
  const Model m =
      load(model(text(1, node("If", {}, {"s"}, graph_attribute("then_branch", middle))) +
                 text(11, value("a", 1)) + text(11, value("b", 1))));
  const Graph& mid = subgraph(node_at(*m.graph, 0));
  const Graph& inner = subgraph(node_at(mid, 1));
  EXPECT_EQ(node_at(inner, 0).inputs()[0], m.graph->inputs()[0].get());
  EXPECT_EQ(node_at(inner, 1).inputs()[0]->producer(), &node_at(mid, 0));
  EXPECT_THAT(all_graphs(m), ElementsAre(m.graph.get(), &mid, &inner));
}

TEST(Load, NamesOfNobodyAreVariablesOfTheGraphThatUsesThem) {
  const Model m = load(model(
      text(1, node("If", {}, {"s"},
                   graph_attribute("then_branch", text(1, node("Relu", {"ghost"}, {"p"})) +
                                                      text(1, node("Relu", {"ghost"}, {"q"}))))) +
      text(1, node("Relu", {"other"}, {"r"}))));
  const Graph& inner = subgraph(node_at(*m.graph, 0));
  EXPECT_EQ(node_at(inner, 0).inputs()[0], node_at(inner, 1).inputs()[0]);
  EXPECT_EQ(node_at(inner, 0).inputs()[0]->producer(), nullptr);
}

TEST(Load, FunctionsAreScopesOfTheirOwn) {
  const std::string function = text(1, "f") + text(4, "x") + text(5, "y") + text(6, "required") +
                               text(7, node("Relu", {"x"}, {"y"})) + text(9, num(2, 18)) +
                               text(10, "local") +
                               text(11, text(1, "alpha") + real(2, 0.5f) + num(20, 1)) +
                               text(12, value("y", 1)) + text(13, "v2");
  const Model m = load(model(text(1, node("f", {"x"}, {"y"}))) + text(25, function));
  ASSERT_THAT(m.functions, SizeIs(1));
  const Function& f = *m.functions[0];
  EXPECT_EQ(f.name(), "f");
  EXPECT_EQ(f.domain(), "local");
  EXPECT_EQ(f.overload(), "v2");
  EXPECT_THAT(f.required_attributes, ElementsAre("required"));
  ASSERT_THAT(f.default_attributes, SizeIs(1));
  EXPECT_EQ(f.default_attributes[0].as_float(), 0.5f);
  EXPECT_EQ(f.opset_imports[0].version, 18);
  EXPECT_EQ(f.inputs()[0].get(), node_at(f, 0).inputs()[0]);
  EXPECT_NE(f.inputs()[0].get(), node_at(*m.graph, 0).inputs()[0]);
  EXPECT_EQ(f.outputs()[0]->dtype(), DataType::kFloat32);
}

// --- files that are not models

TEST(Load, SaysWhatTheFileIsInstead) {
  EXPECT_EQ(load_error(""), "m.onnx is not an ONNX model: it is empty");
  EXPECT_THAT(load_error("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\n"),
              HasSubstr("it is a Git LFS pointer"));
  EXPECT_THAT(load_error("<!DOCTYPE html><html>404</html>"), HasSubstr("it is a web page"));
  EXPECT_THAT(load_error("{\"lst\": []}"), HasSubstr("it is a JSON file"));
  EXPECT_THAT(load_error("ir_version: 8\ngraph { node {"), HasSubstr("it is a text file"));
  EXPECT_THAT(load_error(std::string("PK\x03\x04\x14\0\0\0", 8)), HasSubstr("a zip archive"));
  EXPECT_THAT(load_error(std::string("\x1f\x8b\x08\0\0", 5)), HasSubstr("gzip"));
  EXPECT_THAT(load_error(std::string("\x18\0\0\0TFL3\0", 9)), HasSubstr("TensorFlow Lite"));
  EXPECT_THAT(load_error("ftrt\x01\x02"), HasSubstr("a TensorRT engine"));
  EXPECT_THAT(load_error(std::string("vtrt\0\0", 6)), HasSubstr("a TensorRT-RTX engine"));
  EXPECT_THAT(load_error(std::string("\x93NUMPY\x01\0", 8)), HasSubstr("a NumPy array"));
  EXPECT_THAT(load_error(std::string("\x7f") + "ELF\x02"), HasSubstr("shared library"));
  EXPECT_THAT(load_error(std::string(64, '\0')),
              AllOf(HasSubstr("m.onnx: at byte 0"), HasSubstr("not an ONNX model")));
  // A tensor of a test case, and a graph without a model around it.
  EXPECT_THAT(load_error(num(1, 2) + num(2, 1) + text(9, "12345678")),
              HasSubstr("is not an ONNX model: it has no graph"));
}

TEST(Load, HasAHintForEachOfThem) {
  for (const std::string& bytes :
       {std::string(), std::string("version https://git-lfs"), std::string("{}"),
        std::string("\x3a\x05"), std::string("\x08\x08"), std::string("some words")}) {
    try {
      (void)load(bytes);
      FAIL();
    } catch (const polygraphy::FormatError& error) {
      EXPECT_THAT(error.hint(), testing::Not(IsEmpty())) << error.what();
    }
  }
}

std::string small_model() {
  const std::string tensor_attribute =
      text(5, text(1, "value") + text(5, floats("t", {1, 2})) + num(20, 4));
  const std::string inner = text(1, node("Add", {"x", "w"}, {"t"})) + text(12, value("t", 1));
  return model(text(1, node("Constant", {}, {"c"}, tensor_attribute)) +
               text(1, node("If", {"c"}, {"y"}, graph_attribute("then_branch", inner))) +
               text(2, "g") + text(5, floats("w", {1, 2, 3})) + text(11, value("x", 1)) +
               text(12, value("y", 1)) + text(15, text(1, floats("s", {1})) + num(3, 9)) +
               text(16, "meta")) +
         text(25, text(1, "f") + text(7, node("Relu", {"a"}, {"b"})));
}

TEST(Load, EveryTruncationIsAMessageOrAModel) {
  const std::string whole = small_model();
  ASSERT_EQ(load_error(whole), "none");
  int refused = 0;
  for (size_t cut = 0; cut < whole.size(); ++cut) {
    SCOPED_TRACE(cut);
    const std::string error = load_error(whole.substr(0, cut));
    if (error != "none") {
      EXPECT_THAT(error,
                  AnyOf(StartsWith("m.onnx: at byte "), StartsWith("m.onnx is not an ONNX model")));
      ++refused;
    }
  }
  EXPECT_GT(refused, static_cast<int>(whole.size()) * 3 / 4);
}

TEST(Load, EveryDamagedByteIsAMessageOrAModel) {
  const std::string whole = small_model();
  for (size_t at = 0; at < whole.size(); ++at) {
    for (const char wrong : {'\0', '\xff', '\x7f', '\x80'}) {
      std::string damaged = whole;
      damaged[at] = wrong;
      try {
        const Model m = load(damaged);
        for_each_payload(m, [](const PayloadUse& use) {
          if (use.values->size() > 1'000'000) return;
          try {
            (void)use.values->load(use.name);
          } catch (const polygraphy::Error&) {
          }
        });
        (void)encode_model(m);
        m.graph->store().edited();
        (void)encode_model(m);
      } catch (const polygraphy::Error&) {
      }
    }
  }
}

TEST(Load, NamesThePlaceOfTheDamage) {
  const std::string bad = "\x0a\x7f";  // a field that claims 127 bytes
  EXPECT_THAT(load_error(model(text(1, node("Relu", {"x"}, {"y"})) +
                               text(1, text(3, "conv1") + text(4, "Conv") + bad))),
              AllOf(StartsWith("m.onnx: at byte "), HasSubstr("node 1 ('conv1', Conv): "),
                    HasSubstr("claims 127 bytes, but only 0 are left")));
  EXPECT_THAT(load_error(model(text(5, text(8, "weight") + bad))),
              HasSubstr("initializer 0 ('weight'): "));
  EXPECT_THAT(load_error(model(text(11, text(1, "x") + text(2, bad)))),
              HasSubstr("input 0 ('x'): "));
  EXPECT_THAT(load_error(model(text(13, text(1, "v") + text(2, bad)))),
              HasSubstr("value_info 0 ('v'): "));
  EXPECT_THAT(load_error(model(text(5, floats("ok", {1})) + text(5, text(8, "neg") + num(1, -3)))),
              AllOf(HasSubstr("initializer 1 ('neg')"), HasSubstr("-3")));
  // Detected on the first access of the attributes.
  EXPECT_THAT(load_error(model(text(
                  1, node("Op", {}, {}, text(5, text(1, "axes") + text(8, "\x80") + num(20, 7)))))),
              AllOf(HasSubstr("m.onnx: at byte"), HasSubstr("(Op)"), HasSubstr("'axes'")));
}

TEST(Load, RefusesNestingBeyondTheLimit) {
  std::string graph = text(2, "innermost");
  for (int i = 0; i < 300; ++i) graph = text(1, node("If", {}, {}, graph_attribute("g", graph)));
  EXPECT_THAT(load_error(model(graph)),
              AllOf(HasSubstr("nested more than 200 deep"), Not(HasSubstr("damaged"))));
  LoadOptions deep;
  deep.max_nesting = 300;
  EXPECT_EQ(load_error(model(graph), deep), "none");
  LoadOptions flat;
  flat.max_nesting = 0;
  EXPECT_THAT(load_error(small_model(), flat), HasSubstr("nested more than 0 deep"));
}

TEST(Load, TypesInTypesMayNestAsDeepAsTheyLike) {
  std::string type = text(1, num(1, 1));
  for (int i = 0; i < 5000; ++i) type = text(4, text(1, type));
  const Model m = load(model(text(11, text(1, "x") + text(2, type))));
  EXPECT_EQ(m.graph->inputs()[0]->type_kind(), TypeKind::kSequence);
}

TEST(Load, KeepsUnknownFields) {
  const Model m = load(model(text(1, node("Op", {}, {}, text(9, "meta") + text(10, "device"))) +
                             text(14, "quantization") + num(99, 1)) +
                       text(20, "training"));
  EXPECT_EQ(node_at(*m.graph, 0).unknown_fields(), text(9, "meta") + text(10, "device"));
  EXPECT_EQ(m.graph->unknown_fields(), text(14, "quantization") + num(99, 1));
  EXPECT_EQ(m.unknown_fields, text(20, "training"));
}

// --- files

// Scattered over the message, so that they cannot be views of it.
TEST(Load, KeepsWhatContradictsTheDataLocation) {
  const std::string location = text(13, text(1, "location") + text(2, "a_file_of_some_name.bin"));
  const std::string offset = text(13, text(1, "offset") + text(2, "4096"));
  const Model m = load(model(
      text(5, location + num(1, 2) + num(2, 1) + offset + text(8, "w") + text(9, "12345678"))));
  const TensorRef w = m.graph->initializers()[0];
  EXPECT_NE(w->payload()->kind(), Payload::Kind::kExternal);
  m.graph->store().edited();
  EXPECT_THAT(encode_model(m), HasSubstr(location + offset));
}

TEST(LoadModel, ReadsAFileAndItsExternalData) {
  const TemporaryFolder folder;
  const std::string external = num(1, 1) + num(2, 1) + text(8, "w") +
                               text(13, text(1, "location") + text(2, "w.bin")) + num(14, 1);
  put(folder / "m.onnx", model(text(5, external)));
  put(folder / "w.bin", std::string("\0\0\x80\x3f", 4));
  const Model m = load_model(folder / "m.onnx");
  EXPECT_EQ(m.path, folder / "m.onnx");
  EXPECT_EQ(m.graph->initializers()[0]->payload()->load("w").get_double(0), 1.0);
  EXPECT_NO_THROW(check_external_data(m));

  put(folder / "w.bin", "abc");
  EXPECT_THROW(check_external_data(load_model(folder / "m.onnx")), polygraphy::FormatError);

  LoadOptions structure_only;
  structure_only.ignore_external_data = true;
  const Model bare = load_model(folder / "m.onnx", structure_only);
  EXPECT_EQ(bare.graph->initializers()[0]->payload()->nbytes(), 4);
  EXPECT_THROW((void)bare.graph->initializers()[0]->payload()->load("w"), polygraphy::Error);
}

TEST(LoadModel, LooksForExternalDataWhereItIsTold) {
  const TemporaryFolder folder, data;
  const std::string external = num(1, 1) + num(2, 1) + text(8, "w") +
                               text(13, text(1, "location") + text(2, "w.bin")) + num(14, 1);
  put(folder / "m.onnx", model(text(5, external)));
  put(data / "w.bin", std::string("\0\0\x80\x3f", 4));
  LoadOptions options;
  options.external_data_dir = data.path();
  const Model m = load_model(folder / "m.onnx", options);
  EXPECT_EQ(m.external_data_dir, data.path());
  EXPECT_EQ(m.graph->initializers()[0]->payload()->load("w").get_double(0), 1.0);
}

// As caches of downloads have it: all files are links into a folder beside.
TEST(LoadModel, LinksBesideALinkedModelAreItsDataWhereverTheFolderIsNamed) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "blobs");
  std::filesystem::create_directories(folder / "snapshot");
  put(folder / "blobs/1",
      model(text(5, num(1, 1) + num(2, 1) + text(8, "w") +
                        text(13, text(1, "location") + text(2, "w.bin")) + num(14, 1))));
  put(folder / "blobs/2", std::string("\0\0\x80\x3f", 4));
  std::filesystem::create_symlink("../blobs/1", folder / "snapshot/m.onnx");
  std::filesystem::create_symlink("../blobs/2", folder / "snapshot/w.bin");
  for (const std::string& named : {std::string(), folder / "snapshot"}) {
    LoadOptions options;
    options.external_data_dir = named;
    const Model m = load_model(folder / "snapshot/m.onnx", options);
    EXPECT_EQ(m.graph->initializers()[0]->payload()->load("w").get_double(0), 1.0) << named;
  }
}

TEST(LoadModel, FindsExternalDataInAttributesToo) {
  const TemporaryFolder folder;
  const std::string external =
      num(1, 1) + num(2, 1) + text(13, text(1, "location") + text(2, "gone.bin")) + num(14, 1);
  put(folder / "m.onnx",
      model(text(1, node("Constant", {}, {"c"},
                         text(5, text(1, "value") + text(5, external) + num(20, 4))))));
  try {
    check_external_data(load_model(folder / "m.onnx"));
    FAIL();
  } catch (const polygraphy::IoError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("value of node Constant"), HasSubstr("gone.bin")));
  }
}

TEST(LoadModel, SaysWhichFileIsMissing) {
  EXPECT_THROW(load_model("/nowhere/m.onnx"), polygraphy::IoError);
}

TEST(LoadModel, FromMemoryHasNoFolderForExternalData) {
  const std::string external = num(1, 1) + num(2, 1) + text(8, "w") +
                               text(13, text(1, "location") + text(2, "w.bin")) + num(14, 1);
  const Model m = load(model(text(5, external)));
  try {
    (void)m.graph->initializers()[0]->payload()->load("w");
    FAIL();
  } catch (const polygraphy::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("a model from memory has no folder"));
  }
}

// --- was it touched?

TEST(Untouched, NoticesEveryKindOfEdit) {
  const std::string bytes = small_model();
  const auto touched_by = [&](auto edit) {
    Model m = load(bytes);
    EXPECT_TRUE(m.untouched());
    edit(m);
    return !m.untouched();
  };
  EXPECT_FALSE(touched_by([](Model& m) { (void)node_at(*m.graph, 0).attributes(); }));
  EXPECT_FALSE(touched_by([](Model& m) { (void)encode_model(m); }));
  EXPECT_FALSE(touched_by([](Model& m) {
    Model other = std::move(m);
    m = std::move(other);
  }));
  EXPECT_TRUE(touched_by([](Model& m) { m.ir_version = 3; }));
  EXPECT_TRUE(touched_by([](Model& m) { m.producer_name = "x"; }));
  EXPECT_TRUE(touched_by([](Model& m) { m.opset_imports[0].version = 3; }));
  EXPECT_TRUE(touched_by([](Model& m) { m.metadata.emplace_back("k", "v"); }));
  EXPECT_TRUE(touched_by([](Model& m) { m.functions.clear(); }));
  EXPECT_TRUE(touched_by([](Model& m) { m.functions[0]->required_attributes.push_back("a"); }));
  EXPECT_TRUE(touched_by([](Model& m) { m.functions[0]->default_attributes.emplace_back(); }));
  EXPECT_TRUE(touched_by([](Model& m) { m.functions[0]->opset_imports.emplace_back(); }));
  EXPECT_TRUE(touched_by([](Model& m) { m.graph->set_name("h"); }));
  EXPECT_TRUE(touched_by([](Model& m) { m.graph->inputs()[0]->set_name("z"); }));
  EXPECT_TRUE(touched_by([](Model& m) { m.graph->mutable_outputs().clear(); }));
  EXPECT_TRUE(touched_by([](Model& m) { m.graph->nodes()[0]->remove_attribute("value"); }));
  EXPECT_TRUE(touched_by([](Model& m) {
    const GraphRef inner = m.graph->nodes()[1]->subgraphs()[0];
    inner->nodes()[0]->set_op("Sub");
  }));
  EXPECT_TRUE(touched_by([](Model& m) { m.graph = Graph::create(m.graph->store()); }));
  EXPECT_FALSE(Model().untouched());
}

TEST(Abandon, KeepsTheModelReachable) {
  Model m = load(small_model());
  const GraphRef graph = m.graph;
  abandon(std::move(m));
  EXPECT_EQ(graph->nodes().size(), 2u);
}

}  // namespace
}  // namespace graphsurgeon
