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
  bool has_external_data() const { return items_.has_external_data; }
  // What was being read when something threw: "node 3 ('conv', Conv)". Empty when not known.
  std::string place() const { return items_.position.text(); }

 private:
  struct Pending {
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
  std::vector<Pending> pending_;
  std::vector<TensorRef> held_;  // created, but not yet in a node or list
};

}  // namespace graphsurgeon
