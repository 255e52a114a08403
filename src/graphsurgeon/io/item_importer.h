// Turns encoded nodes, initializers and value infos of one graph into objects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graphsurgeon/io/tensor_scope.h"
#include "graphsurgeon/ir/access.h"
#include "graphsurgeon/ir/attribute_codec.h"
#include "graphsurgeon/ir/payloads/source.h"
#include "graphsurgeon/ir/payloads/tensor_codec.h"
#include "graphsurgeon/wire/field_gather.h"

namespace graphsurgeon {

enum class ReadItem : uint8_t {
  kNone,
  kNode,
  kInitializer,
  kSparseInitializer,
  kInput,
  kOutput,
  kValueInfo
};

// The item of a model that is being read, which errors name.
struct ReadPosition {
  ReadItem item = ReadItem::kNone;
  size_t index = 0;  // in its list
  std::string_view message = {};

  // "node 3 ('conv', Conv)". Empty when nothing is being read.
  std::string text() const;
};

class ItemImporter {
 public:
  // `subgraphs` makes the graphs in attributes of nodes. Both outlive this.
  ItemImporter(Store& store, SubgraphReader& subgraphs);

  // Later items belong to a graph with these names.
  void enter(std::shared_ptr<TensorScope> scope) { scope_ = std::move(scope); }
  void leave() { scope_.reset(); }
  TensorScope& scope() { return *scope_; }
  const std::shared_ptr<TensorScope>& shared_scope() const { return scope_; }

  // Of several calls, the objects may be made later: flush() makes them.
  void add_node(Graph& graph, std::string_view message);
  void add_initializer(Graph& graph, std::string_view message, bool sparse);
  void add_value_info(Graph& graph, std::string_view message, GraphList list,
                      std::vector<TensorRef>& tensors);
  void flush(Graph& graph);

  // Some node attribute holds a tensor with external data, or some initializer does.
  bool has_external_data = false;
  ReadPosition position;

 private:
  void parse_node(std::string_view message);
  void build_nodes(Graph& graph);
  void build_initializers(Graph& graph);

  Store& store_;
  SubgraphReader& subgraphs_;
  const std::shared_ptr<const Source> source_;
  std::shared_ptr<TensorScope> scope_;
  // First declarations that lack type or shape: a later one may add it, and both are kept.
  std::unordered_map<const Tensor*, std::string_view> partial_;

  // Nodes and initializers are taken in blocks: all names of a block are known, and on their way
  // from memory into the cache, before the first one is looked up.
  static constexpr size_t kBlock = 16;
  struct ParsedNode {
    std::string_view message, op, name, domain, overload, doc;
    wire::FieldGather attributes, unknown;
    size_t names_begin = 0, outputs_begin = 0, names_end = 0;  // inputs first
  };
  struct ParsedInitializer {
    std::string_view message;
    bool sparse = false;
    DecodedTensor tensor;
    Name name;
  };
  std::vector<ParsedNode> nodes_{kBlock};
  size_t node_count_ = 0;
  std::vector<Name> names_;         // of the nodes in the block
  std::vector<Name> output_names_;  // of the node that is being parsed
  std::vector<ParsedInitializer> initializers_;
};

}  // namespace graphsurgeon
