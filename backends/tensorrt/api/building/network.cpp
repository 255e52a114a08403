#include "tensorrt/api/building/network.h"

#include <string>

#include "tensorrt/api/names.h"
#include "tensorrt/api/option_text.h"
#include "tensorrt/api/plugins.h"

namespace tensorrt::TENSORRT_FAMILY {
namespace {

// Types come from the network where a flag says so, and always from TensorRT 11 on.
template <typename Flag>
uint32_t network_flags(const pgb::Options& options) {
  uint32_t flags = 0;
  if (!options.has("strongly_typed")) return flags;
  if constexpr (requires { Flag::kSTRONGLY_TYPED; }) {
    flags |= 1U << static_cast<uint32_t>(Flag::kSTRONGLY_TYPED);
  }
  return flags;
}

void set_parser_flags(nvonnxparser::IParser& parser, const Library& library, Logger& logger,
                      const pgb::Options& options) {
  using nvonnxparser::OnnxParserFlag;
  constexpr const char* kNative = "NATIVE_INSTANCENORM";
  if (options.has("onnx_flags")) {
    uint32_t flags = 0;
    bool native = false;
    for (const std::string& name : options.values("onnx_flags")) {
      const auto flag = named<OnnxParserFlag>(name, "--onnx-flags", library);
      flags |= 1U << static_cast<uint32_t>(flag);
      native |= flag == OnnxParserFlag::kNATIVE_INSTANCENORM;
    }
    if (!native &&
        (options.has("version_compatible") || options.has("hardware_compatibility_level"))) {
      logger.host().log(pgb::kWarning, kLoaderModule,
                        std::string("Compatible engines need the ONNX parser's flag ") + kNative +
                            ". Adding it.");
      flags |= 1U << static_cast<uint32_t>(OnnxParserFlag::kNATIVE_INSTANCENORM);
    }
    parser.setFlags(flags);
  }
  if (options.has("enable_uint8_asymmetric_quantization_dla")) {
    parser.setFlag(OnnxParserFlag::kENABLE_UINT8_AND_ASYMMETRIC_QUANTIZATION_DLA);
  }
  if (options.has("plugin_instancenorm")) parser.clearFlag(OnnxParserFlag::kNATIVE_INSTANCENORM);
}

// Scripts work on the objects of TensorRT's Python module, which are not ours: a host that has a
// Python builds there.
void refuse_scripts(const pgb::Options& options) {
  constexpr const char* kScripts[] = {"trt_config_script", "trt_config_postprocess_script",
                                      "trt_network_postprocess_script"};
  for (const char* key : kScripts) {
    if (!options.has(key)) continue;
    throw pgb::bad_option(
        spelling_of(key) + " needs TensorRT's Python module, which this command does not use",
        "Leave it out; `convert` and `run` support it.");
  }
}

}  // namespace

EmptyNetwork::EmptyNetwork(const Library& library, Logger& logger, const pgb::Options& options) {
  refuse_scripts(options);
  load_plugins(library, logger, options);
  builder_.reset(valid<nv::IBuilder>(library.create_builder(&logger, NV_TENSORRT_VERSION)));
  if (!builder_) throw logger.failure(library.name() + " cannot create a builder");
  network_.reset(
      builder_->createNetworkV2(network_flags<nv::NetworkDefinitionCreationFlag>(options)));
  if (!network_) throw logger.failure(library.name() + " cannot create a network");
  parser_.reset(valid<nvonnxparser::IParser>(
      library.create_onnx_parser(network_.get(), &logger, NV_ONNX_PARSER_VERSION)));
  if (!parser_) throw logger.failure(library.name() + " cannot create an ONNX parser");
  set_parser_flags(*parser_, library, logger, options);
}

std::string text_of(const nvonnxparser::IParserError& error) {
  const auto text = [](const char* given) { return std::string(given ? given : ""); };
  std::string result;
  if (error.node() >= 0) {
    result = "In node " + std::to_string(error.node()) + " with name: " + text(error.nodeName()) +
             " and operator: " + text(error.nodeOperator()) + " ";
  }
  return result + "(" + text(error.func()) + "): " + std::string(name_of(error.code())) + ": " +
         text(error.desc());
}

std::string external_data_beside(const pgb_model& model) {
  return std::string(model.external_data ? model.external_data : ".") + "/";
}

Network::Network(const Library& library, Logger& logger, const pgb_model& model,
                 const pgb::Options& options)
    : EmptyNetwork(library, logger, options) {
  const bool parsed =
      model.bytes
          ? parser().parse(model.bytes, model.byte_count, external_data_beside(model).c_str())
          : parser().parseFromFile(model.path, static_cast<int>(nv::ILogger::Severity::kVERBOSE));
  const int errors = parser().getNbErrors();
  for (int i = 0; i < errors; ++i)
    logger.host().log(pgb::kError, kLoaderModule, text_of(*parser().getError(i)));
  if (!parsed || errors > 0) {
    const std::string first = errors > 0 ? text_of(*parser().getError(0)) : logger.take_error();
    throw pgb::Failure("Could not parse ONNX correctly" + (first.empty() ? "" : ": " + first),
                       "`polygraphy inspect capability` lists the parts of the model that " +
                           library.name() + " supports.");
  }
  logger.take_error();
  edit_network(network(), library, logger.host(), options);
}

}  // namespace tensorrt::TENSORRT_FAMILY
