// Runs the model of a plan on ONNX Runtime's CPU provider.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/arrays/array.h"

namespace tensorrt_double {

class Execution {
 public:
  // Throws std::runtime_error with ONNX Runtime's message.
  explicit Execution(const std::string& onnx);
  ~Execution();
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  std::vector<polygraphy::Array> run(const std::map<std::string, polygraphy::Array>& inputs,
                                     const std::vector<std::string>& outputs) const;

 private:
  struct Session;
  std::unique_ptr<Session> session_;
};

}  // namespace tensorrt_double
