// Turns encoded graphs and functions into objects.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "graphsurgeon/io/item_importer.h"
#include "graphsurgeon/ir/access.h"
#include "graphsurgeon/ir/attribute_codec.h"
#include "graphsurgeon/ir/payloads/source.h"
#include "graphsurgeon/wire/parse_error.h"

namespace graphsurgeon {

OpsetImport decode_opset_import(std::string_view message);

// A model that may well be whole.
class TooDeeplyNested : public wire::ParseError {
 public:
  using ParseError::ParseError;
};

// Names are resolved as ONNX scopes them: a node input names a tensor of the same graph, produced
// anywhere in the file, else one of the enclosing graphs, else a new variable of the same graph.
// All other names (outputs of nodes, inputs, outputs, initializers) belong to the graph. Nested
// graphs wait in a list until the graph around them is complete, so nothing recurses.
class Importer final : public SubgraphReader {
 public:
  Importer(Store& store, int max_nesting);

  GraphRef import_graph(std::string_view encoded);
  FunctionRef import_function(std::string_view encoded);

  // Some node attribute holds a tensor with external data, or some initializer does.
  bool has_external_data() const { return items_.has_external_data; }
  // The item that was read when an exception was thrown: "node 3 ('conv', Conv)". Empty: not known.
  std::string place() const { return items_.position.text(); }

 private:
  struct PendingGraph {
    GraphRef graph;
    std::string_view encoded;
    std::shared_ptr<TensorScope> outer;
    int depth;
  };

  GraphRef read(std::string_view encoded) override;
  void import_pending(size_t floor);
  void import_body(Graph& graph, std::string_view encoded);
  void declare_local_names(Graph& graph, std::string_view encoded);

  Store& store_;
  const std::shared_ptr<const Source> source_;
  const int max_nesting_;
  ItemImporter items_;
  int depth_ = 0;
  std::vector<PendingGraph> pending_;
  std::vector<TensorRef> held_;  // created, but not yet in a node or list
};

}  // namespace graphsurgeon
