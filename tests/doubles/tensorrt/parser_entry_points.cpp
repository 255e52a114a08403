// The exported functions of libnvonnxparser and of libtensorrt_onnxparser_rtx. The parser itself is
// in the library that the network comes from.
#include <NvOnnxParser.h>

extern "C" {

void* pg_tensorrt_double_parser(void* network, void* logger) noexcept;
void* pg_tensorrt_double_refitter(void* refitter, void* logger) noexcept;

TENSORRTAPI void* createNvOnnxParser_INTERNAL(void* network, void* logger, int) noexcept {
  return network ? pg_tensorrt_double_parser(network, logger) : nullptr;
}
TENSORRTAPI void* createNvOnnxParserRefitter_INTERNAL(void* refitter, void* logger,
                                                      int32_t) noexcept {
  return refitter ? pg_tensorrt_double_refitter(refitter, logger) : nullptr;
}
TENSORRTAPI int getNvOnnxParserVersion() noexcept {
  return NV_ONNX_PARSER_MAJOR * 10000 + NV_ONNX_PARSER_MINOR * 100 + NV_ONNX_PARSER_PATCH;
}

}  // extern "C"
