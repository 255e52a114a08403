// Encodes declarations of tensors as ValueInfoProto messages.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graphsurgeon/ir/access.h"
#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/wire/writer.h"

namespace graphsurgeon {

class ValueInfoEncoder {
 public:
  // `out` outlives the encoder.
  explicit ValueInfoEncoder(wire::Writer& out) : out_(out) {}

  // Before the lists of a graph are written.
  void begin(const Graph& graph);
  // `list`: that of the graph which it is written for.
  void write(uint32_t field, const Tensor& tensor, GraphList list);
  // Node outputs with a type that no list of the graph mentions. O(graph) the first time.
  const std::vector<const Tensor*>& unlisted(const Graph& graph);

 private:
  wire::Writer& out_;
  std::unordered_map<const Graph*, std::vector<const Tensor*>> unlisted_;
  // Of the graph whose lists are being written: what each says about tensors that are in them more
  // than once, in order, and how many of these were written already.
  struct Told {
    std::vector<std::string_view> encoded;
    size_t next = 0;
  };
  std::unordered_map<const Tensor*, Told> told_[3];
};

}  // namespace graphsurgeon
