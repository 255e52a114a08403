// A layer of a network or an engine as text.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/indented_text.h"
#include "polygraphy/runtimes/compiled/network.h"

namespace polygraphy {

inline constexpr size_t kTextTab = 4;

// "Layer 0    | name [Op: op]", inputs and outputs; the layer's attributes may follow. `what`:
// "Layer".
void put_layer(IndentedText& out, size_t index, std::string_view name, std::string_view op,
               const NamedTensors& inputs, const NamedTensors& outputs,
               std::string_view what = "Layer");

// "---- 2 Network Input(s) ----", and them.
void put_ports(IndentedText& out, std::string_view what, const Metadata& ports);

}  // namespace polygraphy
