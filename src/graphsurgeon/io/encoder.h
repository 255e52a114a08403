// Turns objects into encoded messages. Fields come in ascending order of their numbers, unknown
// ones sorted in; the same model gives the same bytes.
#pragma once

#include <cstdint>
#include <optional>

#include "graphsurgeon/io/field_merger.h"
#include "graphsurgeon/io/implicit_initializers.h"
#include "graphsurgeon/io/tensor_encoder.h"
#include "graphsurgeon/io/value_info_encoder.h"
#include "graphsurgeon/ir/access.h"
#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/wire/writer.h"

namespace graphsurgeon {

class Encoder {
 public:
  // Both outlive the encoder. Run encode() for measuring and for writing on one encoder, with the
  // same model. Throws what ImplicitInitializers throws.
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
