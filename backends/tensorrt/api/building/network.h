// A network out of an ONNX model, as the options want it.
#pragma once

#include <string>

#include "tensorrt/api/headers.h"
#include "tensorrt/api/logger.h"

namespace tensorrt::TENSORRT_FAMILY {

// A builder with a network that nothing has been parsed into. The parser owns memory of the
// weights, so it lives as long.
class EmptyNetwork {
 public:
  // Loads --plugins and TensorRT's own. Throws pgb::Failure.
  EmptyNetwork(const Library& library, Logger& logger, const pgb::Options& options);

  nv::IBuilder& builder() { return *builder_; }
  nv::INetworkDefinition& network() { return *network_; }
  nvonnxparser::IParser& parser() { return *parser_; }

 private:
  Owned<nv::IBuilder> builder_;
  Owned<nv::INetworkDefinition> network_;
  Owned<nvonnxparser::IParser> parser_;
};

// "In node 3 with name: conv and operator: Conv (parseNode): UNSUPPORTED_NODE: why", as TensorRT's
// Python module puts it.
std::string text_of(const nvonnxparser::IParserError& error);
// A path beside which the parser finds the external data of a model given as bytes.
std::string external_data_beside(const pgb_model& model);

// A model's network, edited as the options say.
class Network : public EmptyNetwork {
 public:
  // Parses the model from its path where it has one, so that no weight is copied on the way. Throws
  // pgb::Failure: the parser's errors are in the log by then.
  Network(const Library& library, Logger& logger, const pgb_model& model,
          const pgb::Options& options);
};

// True if layers have settable precisions.
bool takes_layer_precisions(const nv::INetworkDefinition& network);

// --trt-outputs to --mark-debug, in the order of the original. Throws pgb::Failure.
void edit_network(nv::INetworkDefinition& network, const Library& library, const pgb::Host& host,
                  const pgb::Options& options);

}  // namespace tensorrt::TENSORRT_FAMILY
