// Values of node attributes as `inspect model` shows them.
#pragma once

#include <string>
#include <string_view>

#include "base/indented_text.h"
#include "base/log.h"
#include "graphsurgeon/ir/attribute.h"

namespace polygraphy {

// Whether put_attribute_value() or, for a GRAPH, the model's text has a form for this attribute;
// the original has none for GRAPHS, TENSORS, SPARSE_TENSOR(S), TYPE_PROTO(S) and unknown kinds.
bool is_shown(const graphsurgeon::Attribute& attribute);

// Why an attribute is not shown: the original's message.
std::string skipped_attribute_text(const graphsurgeon::Attribute& attribute);

// The value behind `name = `, for every shown kind but GRAPH. Tensors show their values when
// `weights`.
void put_attribute_value(IndentedText& out, const graphsurgeon::Attribute& attribute, bool weights,
                         Logger& logger);

// NumPy's text of a constant's values, or `<error: failed to load weights>` with the reason in the
// log. Values that are summarised are read at the edges only.
std::string values_text(const graphsurgeon::Payload& values, std::string_view tensor,
                        Logger& logger);

}  // namespace polygraphy
