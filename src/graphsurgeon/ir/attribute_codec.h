// Decodes AttributeProto.
#pragma once

#include <string_view>
#include <vector>

#include "graphsurgeon/ir/attribute.h"

namespace graphsurgeon {

// Makes the object for a GraphProto found in an attribute.
class SubgraphReader {
 public:
  virtual ~SubgraphReader() = default;
  virtual GraphRef read(std::string_view encoded) = 0;
};

// `encoded`: the fields NodeProto.attribute of one node, keys included, part of the store's source;
// views in the result live as long as that. `subgraphs` may be null if the node has no subgraphs.
// Throws wire::ParseError.
std::vector<Attribute> decode_attributes(std::string_view encoded, Store& store,
                                         SubgraphReader* subgraphs);
Attribute decode_attribute(std::string_view message, Store& store, SubgraphReader* subgraphs);

// True when an attribute among the same kind of fields holds a graph. `external` is set when one
// holds a tensor with values in another file. Looks at field headers only. Throws wire::ParseError.
bool scan_attributes(std::string_view encoded, bool* external);

}  // namespace graphsurgeon
