// Readers of TensorFlow's messages on whatever bytes come: a result or a Failure.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "common/plugin.h"
#include "tensorflow/wire/meta_graph.h"
#include "tensorflow/wire/node_attributes.h"
#include "tensorflow/wire/step_stats.h"

namespace {

template <typename Read>
void attempt(Read&& read) {
  try {
    read();
  } catch (const pgb::Failure&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  attempt([&] { tensorflow::read_meta_graph(bytes); });
  attempt([&] { tensorflow::read_saved_model_tags(bytes); });
  attempt([&] { tensorflow::read_node_attributes(bytes); });
  attempt([&] { tensorflow::timeline(tensorflow::read_step_stats(bytes)); });
  tensorflow::newest_checkpoint(bytes);
  return 0;
}
