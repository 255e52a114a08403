// The interface to the code that uses TensorRT's classes. Their layout depends on the family: api/
// is compiled once for each, against that family's headers.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "common/ports.h"
#include "tensorrt/library.h"

namespace tensorrt {

// A loaded engine.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual const pgb::Host& host() const = 0;
  virtual const std::deque<pgb::Port>& inputs() const = 0;
  virtual const std::deque<pgb::Port>& outputs() const = 0;
  virtual void infer(const pgb_named_value* feeds, size_t count, pgb_output_fn deliver,
                     void* context) = 0;
  virtual void profile(pgb_node_time_fn row, void* context) = 0;
};

class Api {
 public:
  virtual ~Api() = default;
  // The plan of an ONNX model, delivered in one piece.
  virtual void build(const pgb::Host& host, const pgb_model& model, const pgb::Options& options,
                     pgb_bytes_fn deliver, void* context) = 0;
  // JSON texts of pgb_inspect.
  virtual std::string network(const pgb::Host& host, const pgb_model& model,
                              const pgb::Options& options) = 0;
  // The same and the weights behind it.
  virtual void network_with_weights(const pgb::Host& host, const pgb_model& model,
                                    const pgb::Options& options, pgb_bytes_fn deliver,
                                    void* context) = 0;
  virtual std::string capability(const pgb::Host& host, const pgb_model& model,
                                 const pgb::Options& options) = 0;
  // Needs the driver.
  virtual std::string engine(const pgb::Host& host, const pgb_model& plan,
                             const pgb::Options& options) = 0;
  // A plan, or a model that is built first. Needs the driver.
  virtual std::unique_ptr<Engine> load(const pgb::Host& host, const pgb_model& plan,
                                       const pgb::Options& options) = 0;
};

// `library` outlives them.
namespace v10 {
std::unique_ptr<Api> make_api(const Library& library);
}
namespace v11 {
std::unique_ptr<Api> make_api(const Library& library);
}
namespace rtx {
std::unique_ptr<Api> make_api(const Library& library);
}

}  // namespace tensorrt
