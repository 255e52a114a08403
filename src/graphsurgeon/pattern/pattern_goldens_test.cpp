// Random graphs and patterns, with the original's matches: see testdata/make_matches.py.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "graphsurgeon/pattern/graph_pattern.h"

namespace graphsurgeon {
namespace {

// "a|b||c" has four fields.
std::vector<std::string> fields(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  for (size_t at; (at = text.find(separator)) != std::string_view::npos;) {
    parts.emplace_back(text.substr(0, at));
    text.remove_prefix(at + separator.size());
  }
  parts.emplace_back(text);
  return parts;
}

// The same, but an empty text has none.
std::vector<std::string> split(std::string_view text, std::string_view separator) {
  return text.empty() ? std::vector<std::string>() : fields(text, separator);
}

// `name:t,u=A(x,k)`
struct Call {
  std::string name, op;
  std::vector<std::string> inputs, outputs;
};

Call parse_call(std::string text) {
  Call call;
  if (const size_t colon = text.find(':'); colon != std::string::npos) {
    call.name = text.substr(0, colon);
    text.erase(0, colon + 1);
  }
  const size_t equals = text.find('='), open = text.find('(');
  call.outputs = split(std::string_view(text).substr(0, equals), ",");
  call.op = text.substr(equals + 1, open - equals - 1);
  call.inputs = split(std::string_view(text).substr(open + 1, text.size() - open - 2), ",");
  return call;
}

GraphRef parse_graph(Store& store, const std::string& text) {
  const GraphRef graph = Graph::create(store);
  std::map<std::string, TensorRef> tensors;
  const auto tensor = [&](const std::string& name) {
    TensorRef& found = tensors[name];
    if (!found && name[0] == '#') {
      found = Tensor::constant(store, name, owned_payload(Array::of<float>({1}, {1.f})));
    } else if (!found) {
      found = Tensor::variable(store, name);
    }
    return found;
  };
  const auto parts = fields(text, "|");
  for (const std::string& call_text : split(parts[0], " ")) {
    const Call call = parse_call(call_text);
    const NodeRef node = Node::create(store, call.op, "n" + std::to_string(graph->nodes().size()));
    for (const std::string& name : call.inputs) node->inputs().append(tensor(name));
    for (const std::string& name : call.outputs) node->outputs().append(tensor(name));
    graph->mutable_nodes().push_back(node);
  }
  for (const std::string& name : split(parts[1], ",")) {
    graph->mutable_outputs().push_back(tensor(name));
  }
  return graph;
}

GraphPattern parse_pattern(const std::string& text) {
  std::vector<GraphPattern> patterns;
  for (const std::string& pattern_text : fields(text, " / ")) {
    GraphPattern pattern;
    std::map<std::string, PatternTensor> tensors;
    const auto list = [&](const std::vector<std::string>& names) {
      std::vector<PatternTensor> result;
      result.reserve(names.size());
      for (const std::string& name : names) result.push_back(tensors.at(name));
      return result;
    };
    const auto parts = fields(pattern_text, "|");
    for (const std::string& name : split(parts[0], ",")) tensors[name] = pattern.variable();
    for (const std::string& name : split(parts[1], ",")) tensors[name] = pattern.constant(name);
    for (const std::string& call_text : split(parts[2], " ")) {
      const Call call = parse_call(call_text);
      const PatternOutputs outputs =
          call.op[0] == '@'
              ? pattern.add(call.name, patterns.at(call.op[1] - '0'), list(call.inputs))
              : pattern.add(call.name, call.op, list(call.inputs), call.outputs.size());
      for (size_t i = 0; i < call.outputs.size(); ++i) tensors[call.outputs[i]] = outputs[i];
    }
    pattern.set_output_tensors(list(split(parts[3], ",")));
    patterns.push_back(pattern);
  }
  return patterns.back();
}

std::string names(const std::vector<TensorRef>& tensors) {
  std::string text;
  for (const TensorRef& tensor : tensors) {
    text += (text.empty() ? "" : ",") + std::string(tensor->name());
  }
  return text;
}

std::string first_node(const PatternMapping& match) {
  const PatternMapping::Member& first = match.members()[0];
  return first.node ? std::string(first.node->name()) : first_node(first.sub);
}

std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

TEST(GraphPatternGoldens, FindsWhatTheOriginalFinds) {
  std::ifstream file(PG_SOURCE_DIR "/src/graphsurgeon/pattern/testdata/matches.txt");
  size_t cases = 0;
  for (std::string line; std::getline(file, line); ++cases) {
    const auto parts = fields(line, " ; ");
    ASSERT_EQ(parts.size(), 3u) << line;
    Store* store = Store::create();
    const GraphRef graph = parse_graph(*store, parts[0]);
    const bool starts_only = parts[2].starts_with("!");
    std::string found = starts_only ? "!" : "";
    for (const PatternMapping& match : parse_pattern(parts[1]).match_all(*graph)) {
      if (!found.empty()) found += " ";
      found += starts_only ? first_node(match)
                           : names(match.inputs()) + "->" + names(match.outputs()) +
                                 without_spaces(match.text());
    }
    EXPECT_EQ(found, parts[2]) << parts[0] << "\n" << parts[1];
  }
  EXPECT_GE(cases, 300u);
}

}  // namespace
}  // namespace graphsurgeon
