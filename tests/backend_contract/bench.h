// The workbench of the contract (polygraphy/contract) with the back ends of this build.
#pragma once

#include <string>
#include <string_view>

#include "base/os/testdata/temporary_folder.h"
#include "base/testdata/recording_log.h"
#include "polygraphy/runtimes/contract/workbench.h"

namespace polygraphy::contract {

// The back ends of this build, and the libraries that set-up brought. POLYGRAPHY_ONNXRT_LIB and
// POLYGRAPHY_OPENVINO_LIB run the suite on other libraries.
PluginPaths test_paths();

class Bench : public Workbench {
 public:
  explicit Bench(std::string runtime) : Workbench(test_paths(), std::move(runtime)) {}
};

// An array of any type from its packed bytes.
Array array_of_bytes(DataType type, Shape shape, std::string_view bytes);

}  // namespace polygraphy::contract
