// Attributes go where the operator has a default, and the numbers of others become one.

#include <string>
#include <utility>
#include <vector>

#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/imports.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/onnx/schema.h"
#include "polygraphy/diagnosis/reduce/intermediates/describe.h"
#include "polygraphy/diagnosis/reduce/shrinker.h"
#include "polygraphy/diagnosis/search/ddmin.h"
#include "polygraphy/models/candidates/well_formed.h"

namespace polygraphy {
namespace {

using graphsurgeon::Attribute;
using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::Node;

// So few attributes are looked at one by one.
constexpr size_t kFew = 16;

// An attribute, in this model and in copies of it.
struct Place {
  size_t graph = 0;  // of inner_graphs_first()
  size_t node = 0;
  std::string name;
  bool optional = false;
};

Node& node_at(const std::vector<Graph*>& graphs, const Place& place) {
  return *graphs[place.graph]->nodes()[place.node];
}
Node& node_at(const Model& model, const Place& place) {
  return node_at(graphsurgeon::inner_graphs_first(*model.graph), place);
}

// Of operators that the standard knows. Graphs are not attributes here.
std::vector<Place> attributes_of(const Model& model) {
  std::vector<Place> places;
  const std::vector<Graph*> graphs = graphsurgeon::inner_graphs_first(*model.graph);
  for (size_t g = 0; g < graphs.size(); ++g) {
    for (size_t n = 0; n < graphs[g]->nodes().size(); ++n) {
      const Node& node = *graphs[g]->nodes()[n];
      // The attribute of a Constant is what it is.
      if (node.attributes().empty() || node.op() == "Constant") continue;
      const auto version = graphsurgeon::imported_version(model.opset_imports, node.domain());
      const auto schema =
          version ? graphsurgeon::find_schema(node.op(), *version, node.domain()) : std::nullopt;
      if (!schema) continue;
      for (const graphsurgeon::OpAttribute& known : schema->attributes()) {
        const Attribute* attribute = node.attribute(known.name);
        if (!attribute || attribute->holds_graphs() || !attribute->ref_attr_name.empty()) continue;
        places.push_back({g, n, std::string(known.name), !known.required});
      }
    }
  }
  return places;
}

// The same with a value that says less; false: there is none, or it has it already. Zeros are for
// axes only: no operator has a stride of zero.
bool simplify(Attribute& attribute) {
  const int64_t simple = attribute.name == "axis" ? 0 : 1;
  attribute.encoded = {};
  if (auto* number = std::get_if<int64_t>(&attribute.value)) {
    return std::exchange(*number, simple) != simple;
  }
  if (auto* number = std::get_if<float>(&attribute.value)) {
    return std::exchange(*number, 1.F) != 1.F;
  }
  if (auto* list = std::get_if<std::vector<int64_t>>(&attribute.value)) {
    const std::vector<int64_t> ones(list->size(), 1);
    return std::exchange(*list, ones) != ones;
  }
  return false;
}

class AttributeSearch {
 public:
  AttributeSearch(const Model& model, ShrinkTools& tools)
      : model_(model), tools_(tools), well_formed_(model, tools.judgements) {}

  std::unique_ptr<Model> run() {
    drop();
    const Model& left = smaller_ ? *smaller_ : model_;
    const std::vector<Place> places = attributes_of(left);
    if (places.size() > kFew) return std::move(smaller_);
    for (const Place& place : places) make_simple(place);
    return std::move(smaller_);
  }

 private:
  void drop() {
    std::vector<Place> optional;
    for (Place& place : attributes_of(model_)) {
      if (place.optional) optional.push_back(std::move(place));
    }
    if (optional.empty()) return;
    const auto keep = [&](const Part& part) {
      Model candidate = graphsurgeon::copy(model_);
      std::vector<bool> kept(optional.size());
      for (const size_t index : part) kept[index] = true;
      const std::vector<Graph*> graphs = graphsurgeon::inner_graphs_first(*candidate.graph);
      for (size_t i = 0; i < optional.size(); ++i) {
        if (!kept[i]) node_at(graphs, optional[i]).remove_attribute(optional[i].name);
      }
      return candidate;
    };
    const Part needed = minimal_subset(optional.size(), [&](const Part& part) {
      return fails("keeping " + to_text(part),
                   "Leaving out " + std::to_string(optional.size() - part.size()) + " of " +
                       std::to_string(optional.size()) + " optional attributes",
                   [&] { return keep(part); });
    });
    if (needed.size() < optional.size()) accept(keep(needed));
    history_ = "with " + to_text(needed) + ": ";
  }

  void make_simple(const Place& place) {
    const auto simple = [&] {
      Model candidate = graphsurgeon::copy(smaller_ ? *smaller_ : model_);
      Node& node = node_at(candidate, place);
      Attribute attribute = *node.attribute(place.name);
      simplify(attribute);
      node.set_attribute(std::move(attribute));
      return candidate;
    };
    Attribute attribute = *node_at(smaller_ ? *smaller_ : model_, place).attribute(place.name);
    if (!simplify(attribute)) return;
    const std::string key =
        std::to_string(place.graph) + ":" + std::to_string(place.node) + ":" + place.name;
    history_ += key + " simple ";
    if (fails(history_, "Simplifying attribute '" + place.name + "'", simple)) {
      accept(simple());
      history_ += "accepted ";
    }
  }

  template <typename Make>
  bool fails(const std::string& key, const std::string& about, Make make) {
    Probe probe(well_formed_, key, make);
    if (!probe.accepted()) return false;
    return tools_.test.fails({.key = key, .about = about, .make = [&] {
                                Model candidate = graphsurgeon::copy(probe.model());
                                describe_interface(candidate, tools_.intermediates, tools_.log);
                                return candidate;
                              }});
  }

  void accept(Model candidate) {
    infer_anew(candidate);
    describe_interface(candidate, tools_.intermediates, tools_.log);
    smaller_ = std::make_unique<Model>(std::move(candidate));
  }

  const Model& model_;
  ShrinkTools& tools_;
  WellFormed well_formed_;
  std::unique_ptr<Model> smaller_;
  std::string history_;  // what became smaller_: questions about it depend on that
};

std::unique_ptr<Model> shrink_model(const Model& model, ShrinkTools& tools) {
  if (attributes_of(model).empty()) return nullptr;
  return AttributeSearch(model, tools).run();
}

}  // namespace

extern const Shrinker shrinker_attributes;
constinit const Shrinker shrinker_attributes = {
    .name = "attributes", .phrase = "Leaving out attributes", .order = 40, .shrink = shrink_model};

}  // namespace polygraphy
