// ONNX Runtime's own operators that may be computed once and for all.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace graphsurgeon {

// It gives the same for the same inputs, wherever it runs.
inline bool is_plain_contrib_op(std::string_view op, std::string_view domain) {
  constexpr std::array<std::string_view, 10> kPlain = {
      "BiasGelu",  "FastGelu",    "FusedConv",
      "FusedGemm", "FusedMatMul", "Gelu",
      "Inverse",   "QuickGelu",   "SkipLayerNormalization",
      "Trilu",
  };
  return domain == "com.microsoft" && std::find(kPlain.begin(), kPlain.end(), op) != kPlain.end();
}

}  // namespace graphsurgeon
