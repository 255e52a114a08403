// Turns objects into encoded messages. Fields come in ascending order of their numbers, unknown
// ones sorted in; the same model gives the same bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graphsurgeon/io/field_merger.h"
#include "graphsurgeon/io/implicit_initializers.h"
#include "graphsurgeon/io/tensor_encoder.h"
#include "graphsurgeon/ir/access.h"
#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/wire/writer.h"

namespace graphsurgeon {

// Encodes declarations of tensors as ValueInfoProto messages.
class ValueInfoEncoder {
 public:
  // `out` outlives the encoder.
  explicit ValueInfoEncoder(wire::Writer& out) : out_(out) {}

  // Before the lists of a graph are written.
  void begin(const Graph& graph);
  // `list`: the graph's list that is being written.
  void write(uint32_t field, const Tensor& tensor, GraphList list);
  // Node outputs with a type that no list of the graph mentions. O(graph) the first time.
  const std::vector<const Tensor*>& unlisted(const Graph& graph);

 private:
  wire::Writer& out_;
  std::unordered_map<const Graph*, std::vector<const Tensor*>> unlisted_;
  // Of the graph that is being written: its lists' entries of tensors that are in them more than
  // once, in order, and how many of these were written already.
  struct Told {
    std::vector<std::string_view> encoded;
    size_t next = 0;
  };
  std::unordered_map<const Tensor*, Told> told_[3];
};

class Encoder {
 public:
  // Both outlive the encoder. Run encode() for measuring and for writing on one encoder, with the
  // same model. Throws as ImplicitInitializers.
  Encoder(wire::Writer& out, const Placement& placement)
      : out_(out), tensors_(out, placement), value_infos_(out) {}

  void encode(const Model& model);

 private:
  void graph_fields(const Graph& graph);
  void function_fields(const Function& function);
  void node(uint32_t field, const Node& node);
  void attribute(uint32_t field, const Attribute& attribute);
  void attribute_value(const Attribute& attribute, FieldMerger& fields);
  void attribute_values(const Attribute& attribute, FieldMerger& fields);  // lists
  void opset_import(uint32_t field, const OpsetImport& import);
  void initializers(const Graph& graph, bool sparse);
  void initializer(const Tensor& constant, bool sparse);
  void constant_node(const Tensor& constant);
  void nested_graph(uint32_t field, const GraphRef& graph);

  wire::Writer& out_;
  TensorEncoder tensors_;
  ValueInfoEncoder value_infos_;
  int depth_ = 0;
  std::optional<ImplicitInitializers> implicit_;
  std::optional<MissingImports> missing_;
};

}  // namespace graphsurgeon
