#include "polygraphy/model_tools/visual/viewer_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/json_reader.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/model_tools/visual/visualize_onnx.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

constexpr std::string_view kBranches = R"(<ir_version: 8, opset_import: ["" : 17]>
g (float[N,4] x, bool c) => (float[N,4] y) <float[4] w = {1, 2, 3, 4}> {
  a = Transpose <perm = [0, 1]> (x)
  s = Clip (a, , w)
  y = If (c) <then_branch = t () => (float[N,4] p) { p = Add (s, w) },
              else_branch = e () => (float[N,4] q) { q = Identity (x) }>
})";

VisualModel branches() {
  Logger silent;
  return visualize(graphsurgeon::parse_onnx_text(kBranches), silent);
}

std::vector<std::string> ids(const VisualGraph& graph) {
  std::vector<std::string> result;
  for (const VisualNode& node : graph.nodes) result.push_back(node.id);
  return result;
}

size_t occurrences(std::string_view text, std::string_view what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++count;
  return count;
}

TEST(Visualize, InputsNodesAndOutputsAreNodes) {
  const VisualModel model = branches();
  EXPECT_EQ(model.title, "g | ONNX Opset: 17");
  EXPECT_THAT(ids(model.graphs[0]),
              ElementsAre("input_0", "input_1", "node_0", "node_1", "node_2", "output_0"));
  const VisualNode& transpose = model.graphs[0].nodes[2];
  EXPECT_EQ(transpose.op, "Transpose");
  EXPECT_THAT(transpose.attributes, ElementsAre(Pair("perm", "[0, 1]")));
  const VisualTensor& x = model.graphs[0].tensors[transpose.inputs[0]];
  EXPECT_EQ(x.name, "x");
  EXPECT_EQ(x.type, "float32");
  EXPECT_EQ(x.shape, "('N', 4)");
}

TEST(Visualize, SubgraphsAreGraphsWithTheTensorsThatTheyCapture) {
  const VisualModel model = branches();
  ASSERT_EQ(model.graphs.size(), 3u);
  EXPECT_THAT(model.graphs[0].nodes[4].subgraphs,
              ElementsAre(Pair("then_branch", 1), Pair("else_branch", 2)));
  EXPECT_EQ(model.graphs[1].title, "then_branch of If");
  EXPECT_THAT(ids(model.graphs[1]),
              ElementsAre("graph_1/capture_0", "graph_1/node_0", "graph_1/output_0"));
  EXPECT_EQ(model.graphs[1].nodes[0].name, "s");
}

TEST(Visualize, LongValuesAreCutWhereACharacterEnds) {
  Logger silent;
  std::string text =
      "<ir_version: 8, opset_import: [\"\" : 17]> g (float x) => (float y) "
      "{ y = Foo <note = \"a";
  for (int i = 0; i < 1500; ++i) text += "é";
  const VisualModel model = visualize(graphsurgeon::parse_onnx_text(text + "\"> (x) }"), silent);
  const std::string& value = model.graphs[0].nodes[1].attributes[0].second;
  EXPECT_TRUE(value.ends_with("é … (501 more characters)")) << value.substr(1980);
}

TEST(Visualize, ConstantsHaveTheirValues) {
  Logger silent;
  const auto parsed = graphsurgeon::parse_onnx_text(kBranches);
  EXPECT_FALSE(visualize(parsed, silent).graphs[0].tensors[4].values);
  const VisualModel model = visualize(parsed, silent, 4);
  const VisualTensor& w = model.graphs[0].tensors[4];
  ASSERT_EQ(w.name, "w");
  ASSERT_TRUE(w.values);
  EXPECT_EQ(w.values->mean, 2.5);
  EXPECT_THAT(w.values->first, ElementsAre("1.0", "2.0", "3.0", "4.0"));
  EXPECT_TRUE(model.graphs[1].tensors[1].values) << "of an outer graph";
  EXPECT_THAT(viewer_page(model), HasSubstr(R"x("float32","(4,)","",1,{"min":1)x"));
  EXPECT_THAT(node_json(model, model.graphs[0], model.graphs[0].nodes[3]),
              HasSubstr("\"std_dev\": 1.118"));
  EXPECT_EQ(visualize(parsed, silent, 3).graphs[0].tensors[4].note,
            "values not read: the model has too many");
}

TEST(NodeJson, HasTensorsAttributesAndSubgraphs) {
  const VisualModel model = branches();
  const std::string clip = node_json(model, model.graphs[0], model.graphs[0].nodes[3]);
  EXPECT_THAT(clip, HasSubstr("\"op_type\": \"Clip\""));
  EXPECT_THAT(clip, HasSubstr("\"shape\": \"(4,)\""));
  EXPECT_THAT(clip, HasSubstr("\"initializer\": true"));
  const std::string branch = node_json(model, model.graphs[0], model.graphs[0].nodes[4]);
  EXPECT_THAT(branch, HasSubstr("\"graph_2/node_0\""));
}

// The model's texts as the page's script reads them.
std::string embedded_model(const std::string& page) {
  const std::string_view begin = "id=\"report\">";
  const size_t at = page.find(begin) + begin.size();
  return page.substr(at, page.find("</script>", at) - at);
}

TEST(ViewerPage, NoNameBreaksOut) {
  const std::string evil = "</script><script>alert(1)</script><!--\"'&\xff";
  VisualModel model{.title = evil, .graphs = {{.title = evil}}};
  model.graphs[0].tensors = {{.name = evil, .type = evil, .shape = evil, .note = evil}};
  model.graphs[0].nodes = {
      {.id = "node_0", .name = evil, .op = evil, .outputs = {0}, .attributes = {{evil, evil}}}};
  const std::string page = viewer_page(model);
  EXPECT_EQ(occurrences(page, "</script>"), 10u);
  EXPECT_EQ(occurrences(page, "<script"), 10u);
  EXPECT_THAT(page, Not(HasSubstr("<!--")));
  const std::string json = embedded_model(page);
  JsonReader reader(json, "page");
  reader.skip_value();
  reader.finish();
  EXPECT_THAT(json, HasSubstr("\\u003c/script>\\u003cscript>alert(1)"));
}

// The name of the SVG namespace is not an address that is fetched.
TEST(ViewerPage, NeedsNothingBesideItself) {
  const std::string page = viewer_page(branches());
  EXPECT_EQ(occurrences(page, "://"), 1u);
  EXPECT_THAT(page, HasSubstr("'http://www.w3.org/2000/svg'"));
  for (const char* reference : {" src=", " href=", "url(", "@import", "XMLHttp"}) {
    EXPECT_THAT(page, Not(HasSubstr(reference)));
  }
  EXPECT_EQ(occurrences(page, "fetch("), occurrences(page, "fetch('/extract'"));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
}

TEST(ViewerPage, OtherPagesDoNotCarryItsScript) {
  const ReportSection table = ReportTable{};
  EXPECT_THAT(report_html({.sections = {table}}), Not(HasSubstr("class Drawing")));
  const VisualModel models[] = {branches(), branches()};
  const std::string both = report_html({.sections = {table, graphs_section(models, "Both")}});
  EXPECT_EQ(occurrences(both, "class Drawing"), 1u);
  EXPECT_EQ(occurrences(both, "\"title\":\"g | ONNX Opset: 17\""), 2u);
  EXPECT_THAT(both, HasSubstr("<h2>Both</h2>\n<div class=\"drawn\" data-section=\"1\"></div>"));
}

TEST(ViewerPage, ReportsSayThatAModelIsTooLarge) {
  VisualModel model{.title = "wide", .graphs = {{}}};
  model.graphs[0].nodes.resize(50'001);
  const ReportSection section = graphs_section({&model, 1}, "Graph");
  const auto* notes = std::get_if<ReportNotes>(&section);
  ASSERT_NE(notes, nullptr);
  EXPECT_THAT(notes->lines, ElementsAre(HasSubstr("wide has 50001 nodes")));
}

TEST(ViewerPage, OfTheSameModelIsTheSame) {
  EXPECT_EQ(viewer_page(branches()), viewer_page(branches()));
}

}  // namespace
}  // namespace polygraphy
