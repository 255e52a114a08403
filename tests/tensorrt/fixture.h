// The command line on the doubles of TensorRT 10, 11 and RTX, and of the CUDA driver.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "../cli/in_process.h"

namespace polygraphy::cli {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// The double's library of a set of headers: "10", "11", "rtx".
std::string double_of(const std::string& set);

class TensorRt : public testing::Test {
 protected:
  TensorRt();
  ~TensorRt() override;

  // A model in ONNX's text form, as a file in the folder; returns its name.
  std::string model(std::string_view text, const std::string& name = "model.onnx") const;
  // With the library of `set`, and the double of the driver.
  Outcome run(std::vector<std::string> args, const std::string& set = "10") const;
  // The calls of the library since the last call, one per line.
  std::string recorded() const;
  // As the double's README says: "crash", "no-kernel".
  static void fail(const char* how);
  static void fail_driver(const char* how);

  TemporaryFolder folder_;
};

// y = relu(x + 1), with a first dimension that is open.
inline constexpr std::string_view kSum =
    "<ir_version: 8, opset_import: [\"\": 17]>\n"
    "g (float[N,4] x) => (float[N,4] y) <float[1] one = {1}> { a = Add(x, one) y = Relu(a) }";

}  // namespace polygraphy::cli
