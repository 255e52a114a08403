// Attributes go where the operator has a default, and the numbers of others become one.

#include <functional>
#include <optional>
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

// Replaces the value by a simpler one; false: it has no simpler value. Zeros are for axes only: no
// operator has a stride of zero.
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
  AttributeSearch(const Model& model, SearchTools& tools)
      : model_(model), tools_(tools), well_formed_(model) {}

  std::unique_ptr<Model> run() {
    drop();
    std::vector<Place> places = attributes_of(current());
    if (places.size() > kFew) return std::move(smaller_);
    std::erase_if(places, [this](const Place& place) { return !simpler(place); });
    size_t next = 0;
    while (const auto found = tools_.test.first_failing(
               made_of<Candidate, Place>(in_order(places, next), simplifying()))) {
      next += found->position + 1;
      accept(found->candidate);
    }
    return std::move(smaller_);
  }

 private:
  const Model& current() const { return smaller_ ? *smaller_ : model_; }

  void drop() {
    std::vector<Place> optional;
    for (Place& place : attributes_of(model_)) {
      if (place.optional) optional.push_back(std::move(place));
    }
    if (optional.empty()) return;
    const auto keeping = [&](const Part& part) {
      return candidate("Removing " + std::to_string(optional.size() - part.size()) + " of " +
                           std::to_string(optional.size()) + " optional attributes",
                       [&optional, part](Model& changed) { keep(changed, optional, part); });
    };
    const Part needed =
        minimal_subset(optional.size(), [&](const Part& part, const Upcoming<Part>& next) {
          return tools_.test.fails(keeping(part), made_of<Candidate, Part>(next, keeping));
        });
    if (needed.size() < optional.size()) accept(keeping(needed));
  }

  static void keep(Model& model, const std::vector<Place>& optional, const Part& part) {
    std::vector<bool> kept(optional.size());
    for (const size_t index : part) kept[index] = true;
    const std::vector<Graph*> graphs = graphsurgeon::inner_graphs_first(*model.graph);
    for (size_t i = 0; i < optional.size(); ++i) {
      if (!kept[i]) node_at(graphs, optional[i]).remove_attribute(optional[i].name);
    }
  }

  // nullopt: there is no simpler value.
  std::optional<Attribute> simpler(const Place& place) const {
    Attribute attribute = *node_at(current(), place).attribute(place.name);
    return simplify(attribute) ? std::optional(std::move(attribute)) : std::nullopt;
  }

  std::function<Candidate(const Place&)> simplifying() {
    return [this](const Place& place) {
      return candidate("Simplifying attribute '" + place.name + "'", [this, place](Model& changed) {
        node_at(changed, place).set_attribute(*simpler(place));
      });
    };
  }

  Candidate candidate(std::string about, std::function<void(Model&)> change) {
    return {
        .about = std::move(about),
        .make = [this, change = std::move(change)](CandidateTools& tools) -> std::optional<Model> {
          Model candidate = graphsurgeon::copy(current());
          change(candidate);
          if (!well_formed_.accepts(candidate)) return std::nullopt;
          describe_interface(candidate, tools.intermediates, tools.log);
          return candidate;
        }};
  }

  void accept(const Candidate& candidate) {
    smaller_ = std::make_unique<Model>(*candidate.make(tools_));
  }

  const Model& model_;
  SearchTools& tools_;
  WellFormed well_formed_;
  std::unique_ptr<Model> smaller_;
};

std::unique_ptr<Model> shrink_model(const Model& model, SearchTools& tools) {
  if (attributes_of(model).empty()) return nullptr;
  return AttributeSearch(model, tools).run();
}

}  // namespace

extern constinit const Shrinker shrinker_attributes = {
    .name = "attributes", .phrase = "Removing attributes", .order = 40, .shrink = shrink_model};

}  // namespace polygraphy
