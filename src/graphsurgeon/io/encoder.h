// Turns objects into encoded messages. Fields come in ascending order of their numbers, unknown
// ones sorted in; the same model gives the same bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graphsurgeon/io/field_merger.h"
#include "graphsurgeon/io/implicit_initializers.h"
#include "graphsurgeon/ir/access.h"
#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/wire/writer.h"

namespace graphsurgeon {

// Where the values of one tensor go.
struct Place {
  enum class Kind {
    kAsItIs,    // inline ones stay inline, external ones stay references
    kInline,    // into the message
    kExternal,  // a reference to another file
  };
  Kind kind = Kind::kAsItIs;
  std::string location;  // of kExternal
  std::optional<uint64_t> offset, length;
  // Further entries of external_data ("checksum").
  std::vector<std::pair<std::string, std::string>> other = {};
};

// The place that an external range describes, under another location.
Place reference_to(const ExternalRange& range, std::string location);

class Placement {
 public:
  virtual ~Placement() = default;
  virtual Place place(const Payload& payload, bool initializer) const = 0;
};

class Encoder {
 public:
  // Both outlive the encoder. Run encode() for measuring and for writing on one encoder, with the
  // same model. Throws what ImplicitInitializers throws.
  Encoder(wire::Writer& out, const Placement& placement) : out_(out), placement_(placement) {}

  void encode(const Model& model);

 private:
  void graph_fields(const Graph& graph);
  void function_fields(const Function& function);
  void node(uint32_t field, const Node& node);
  void attribute(uint32_t field, const Attribute& attribute);
  void attribute_value(const Attribute& attribute, FieldMerger& fields);
  void value_info(uint32_t field, const Tensor& tensor, GraphList list);
  void opset_import(uint32_t field, const OpsetImport& import);
  void initializers(const Graph& graph, bool sparse);
  void initializer(const Tensor& constant, bool sparse);
  void constant_node(const Tensor& constant);
  void tensor(uint32_t field, std::string_view name, const PayloadPtr& values,
              std::string_view unknown, bool initializer);
  void sparse_tensor(uint32_t field, std::string_view name, const Payload& payload,
                     bool initializer);
  void encoded_tensor(std::string_view name, const Payload& payload, std::string_view unknown,
                      const Place& place);
  void external_entries(const Place& place);
  void nested_graph(uint32_t field, const GraphRef& graph);
  const std::vector<const Tensor*>& further_value_infos(const Graph& graph);
  void begin_lists(const Graph& graph);

  wire::Writer& out_;
  const Placement& placement_;
  int depth_ = 0;
  std::optional<ImplicitInitializers> implicit_;
  std::optional<MissingImports> missing_;
  // Node outputs with a type that no list of the graph mentions.
  std::unordered_map<const Graph*, std::vector<const Tensor*>> further_;
  // Of the graph whose lists are being written: what each says about tensors that are in them more
  // than once, in order, and how many of these were written already.
  struct Told {
    std::vector<std::string_view> encoded;
    size_t next = 0;
  };
  std::unordered_map<const Tensor*, Told> told_[3];
};

}  // namespace graphsurgeon
