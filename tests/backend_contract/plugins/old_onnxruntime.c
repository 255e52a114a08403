/* Has the entry point of ONNX Runtime 1.10, and nothing behind it. */
#include <stdint.h>

struct api_base {
  const void* (*get_api)(uint32_t version);
  const char* (*get_version)(void);
};

static const void* get_api(uint32_t version) {
  (void)version;
  return 0;
}

static const char* get_version(void) {
  return "1.10.0";
}

__attribute__((visibility("default"))) const struct api_base* OrtGetApiBase(void) {
  static const struct api_base kBase = {get_api, get_version};
  return &kBase;
}
