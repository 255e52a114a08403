// Turns encoded graphs and functions into objects.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graphsurgeon/io/tensor_name_map.h"
#include "graphsurgeon/io/type_codec.h"
#include "graphsurgeon/ir/access.h"
#include "graphsurgeon/ir/attribute_codec.h"
#include "graphsurgeon/ir/payloads/source.h"
#include "graphsurgeon/ir/payloads/tensor_codec.h"
#include "graphsurgeon/wire/field_gather.h"
#include "graphsurgeon/wire/reader.h"

namespace graphsurgeon {

OpsetImport decode_opset_import(std::string_view message);

// Names are resolved as ONNX scopes them: a node input names a tensor of its own graph, wherever in
// the file that is produced, else one of the enclosing graphs, else it is a new variable of its own
// graph. Everything else (outputs of nodes, inputs, outputs, initializers) is the graph's own.
// Nested graphs wait in a list until the graph around them is complete, so nothing recurses.
class Importer final : public SubgraphReader {
 public:
  Importer(Store& store, int max_nesting);

  GraphRef import_graph(std::string_view encoded);
  FunctionRef import_function(std::string_view encoded);

  // Some node attribute holds a tensor with external data, or some initializer does.
  bool has_external_data() const { return has_external_; }
  // What was being read when something threw: "node 3 ('conv', Conv)". Empty when not known.
  std::string place() const;

 private:
  struct Scope {
    TensorNameMap names;
    std::shared_ptr<Scope> outer;
  };
  struct Pending {
    GraphRef graph;
    std::string_view encoded;
    std::shared_ptr<Scope> outer;
    int depth;
  };
  using List = GraphList;

  GraphRef read(std::string_view encoded) override;
  void import_pending(size_t floor);
  void import_body(Graph& graph, std::string_view encoded);
  void declare_local_names(Graph& graph, std::string_view encoded);
  void add_node(Graph& graph, std::string_view message);
  void add_initializer(Graph& graph, std::string_view message, bool sparse);
  void parse_node(std::string_view message);
  void build_nodes(Graph& graph);
  void build_initializers(Graph& graph);
  void flush(Graph& graph);
  void add_value_info(Graph& graph, std::string_view message, List list,
                      std::vector<TensorRef>& tensors);

  Tensor* create(std::string_view name);
  Tensor* local(const Name& name);
  Tensor* resolve(const Name& name);

  Store& store_;
  const std::shared_ptr<const Source> source_;
  const int max_nesting_;
  bool has_external_ = false;

  std::shared_ptr<Scope> scope_;
  int depth_ = 0;
  std::vector<Pending> pending_;
  std::vector<TensorRef> held_;  // created, but not yet in a node or list
  // First declarations that lack type or shape: a later one may add it, and both are kept.
  std::unordered_map<const Tensor*, std::string_view> partial_;

  enum class Item { kNone, kNode, kInitializer, kSparseInitializer, kInput, kOutput, kValueInfo };
  Item item_ = Item::kNone;  // what is being read
  size_t index_ = 0;
  std::string_view message_;

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
