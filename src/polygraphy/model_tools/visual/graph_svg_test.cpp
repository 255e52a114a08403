#include "polygraphy/model_tools/visual/graph_svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/model_tools/visual/neighbourhood.h"
#include "polygraphy/model_tools/visual/visualize_onnx.h"

namespace polygraphy {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

VisualModel model_of(std::string_view text) {
  Logger silent;
  return visualize(graphsurgeon::parse_onnx_text(text), silent);
}

constexpr std::string_view kBranches = R"(<ir_version: 8, opset_import: ["" : 17]>
g (float[N,4] x, bool c) => (float[N,4] y) <float[4] w = {1, 2, 3, 4}> {
  [sum] s = Add (x, w)
  [choice] y = If (c) <then_branch = t () => (float[N,4] p) { p = Neg (s) },
                       else_branch = e () => (float[N,4] q) { q = Identity (x) }>
})";

TEST(GraphSvg, ShowsNodesTensorsAndConstants) {
  const std::string svg = graph_svg(model_of(kBranches));
  EXPECT_THAT(svg, AllOf(StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\""),
                         HasSubstr("<g class=\"input\"><title>Graph Input\nx\nout: x float32"),
                         HasSubstr("<g class=\"output\">"),
                         HasSubstr("<title>Add\nsum\nin: x float32 ('N', 4)\n"
                                   "constant: w float32 (4,)\nout: s"),
                         HasSubstr("<text class=\"weight\""), HasSubstr(">w (4,)</text>")));
}

TEST(GraphSvg, SubgraphsAreBoxesThatTheirNodeLeadsTo) {
  const std::string svg = graph_svg(model_of(kBranches));
  EXPECT_THAT(svg, AllOf(HasSubstr("<a href=\"#graph1\"><g class=\"inner\">"),
                         HasSubstr("<g id=\"graph1\">"), HasSubstr("<g id=\"graph2\">"),
                         HasSubstr("Graph 1: then_branch of choice</text>"),
                         HasSubstr("then_branch: graph 1 below")));
}

TEST(GraphSvg, TheCentreOfANeighbourhoodStandsOut) {
  const std::string svg = graph_svg(neighbourhood(model_of(kBranches), "sum", 1));
  EXPECT_THAT(svg, AllOf(HasSubstr("<g class=\"centre\"><title>Add\n"),
                         HasSubstr("<g class=\"input\"><title>Graph Input\nx\n")));
}

TEST(GraphSvg, NamesAreText) {
  VisualModel model = model_of("g (float[1] x) => (float[1] y) { y = Neg (x) }");
  model.graphs[0].nodes[1].name = "<script>&\"\x01\xff";
  const std::string svg = graph_svg(model);
  EXPECT_THAT(svg, AllOf(HasSubstr("&lt;script&gt;&amp;&quot;\xEF\xBF\xBD\xEF\xBF\xBD"),
                         Not(HasSubstr("<script"))));
}

TEST(GraphSvg, TheSameModelGivesTheSameBytes) {
  EXPECT_EQ(graph_svg(model_of(kBranches)), graph_svg(model_of(kBranches)));
}

TEST(GraphSvg, AModelWithoutNodesIsAPicture) {
  EXPECT_THAT(graph_svg({.title = "nothing", .graphs = {{.title = "g"}}}), HasSubstr("</svg>"));
}

// An empty corner would hide the nodes.
TEST(GraphSvg, WideGraphsAreFittedIntoTheWindow) {
  VisualModel model{.title = "wide", .graphs = {{.title = "wide"}}};
  VisualGraph& graph = model.graphs[0];
  const auto add = [&](size_t count) {
    for (size_t i = 0; i < count; ++i) graph.nodes.push_back({.name = "n", .op = "Relu"});
    return graph_svg(model);
  };
  EXPECT_THAT(add(3), AllOf(Not(HasSubstr("100%")), Not(HasSubstr("#full"))));
  EXPECT_THAT(add(100), AllOf(HasSubstr("svg:not(:target){width:100%;height:100%}"),
                              HasSubstr("\" id=\"full\" width=\""),
                              HasSubstr("<a class=\"full\" href=\"#full\">")));
}

TEST(GraphSvg, LargeGraphsShowOperatorsOnly) {
  VisualModel model{.title = "chain", .graphs = {{.title = "chain"}}};
  VisualGraph& graph = model.graphs[0];
  for (size_t i = 0; i < 5000; ++i) {
    graph.tensors.push_back({.name = "t" + std::to_string(i), .shape = "(1, 2)"});
    graph.nodes.push_back({.name = "n" + std::to_string(i), .op = "Relu", .outputs = {i}});
    if (i > 0) graph.nodes[i].inputs = {i - 1};
  }
  const std::string svg = graph_svg(model);
  EXPECT_THAT(svg, AllOf(HasSubstr("<title>Relu\nn4999</title>"), Not(HasSubstr("(1, 2)")),
                         Not(HasSubstr(">n4999</text>"))));
}

}  // namespace
}  // namespace polygraphy
