#include "polygraphy/runtimes/backend/library_clashes.h"

namespace polygraphy {
namespace {

struct Clash {
  std::string_view backend, other;  // equal: two libraries of one back end
  std::string_view reason;
};

// ONNX Runtime is not here: several versions of it run side by side, each with its own libraries.
constexpr Clash kClashes[] = {
    {"openvino", "openvino",
     "two versions of OpenVINO in one process would share the TBB of the first"},
    {"tensorflow", "tensorflow",
     "two versions of TensorFlow in one process would share parts of the first"},
};

}  // namespace

std::string_view library_clash(const std::vector<std::pair<std::string, std::string>>& libraries) {
  for (const auto& [backend, library] : libraries) {
    for (const auto& [other_backend, other_library] : libraries) {
      if (backend == other_backend && library == other_library) continue;
      for (const Clash& clash : kClashes) {
        if (clash.backend == backend && clash.other == other_backend) return clash.reason;
      }
    }
  }
  return {};
}

}  // namespace polygraphy
