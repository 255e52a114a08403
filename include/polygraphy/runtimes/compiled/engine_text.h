// An engine as text.
#pragma once

#include <string>

#include "polygraphy/runtimes/compiled/engine.h"

namespace polygraphy {

struct EngineTextOptions {
  bool layers = false;
  bool attrs = false;  // with layers: their origins and tactics
};

// As `inspect model` shows it. O(engine's description).
std::string engine_text(const EngineDescription& engine, const EngineTextOptions& options);

}  // namespace polygraphy
