// An engine as text.
#pragma once

#include <string>

#include "polygraphy/runtimes/compiled/engine.h"

namespace polygraphy {

struct EngineTextOptions {
  bool layers = false;
  bool attrs = false;  // with layers: where they come from, and their tactics
};

// As `inspect model` shows it. O(engine's description).
std::string engine_text(const EngineDescription& engine, const EngineTextOptions& options);

}  // namespace polygraphy
