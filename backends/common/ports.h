// Inputs and outputs of sessions, and what they are fed, as the ABI describes them.
#pragma once

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "common/plugin.h"

namespace pgb {

inline constexpr int32_t kOnnxString = 8;  // the type of texts

// `info` points into it, so that it stays where it is.
struct Port {
  std::string name;
  std::vector<int64_t> dims;
  std::vector<std::string> dim_names;  // "" for a dimension without one; may be empty
  pgb_tensor_info info{};

  // When the above are set, and kind, type and rank of `info`: sets the rest of it.
  void finish() {
    for (const std::string& each : dim_names) dim_name_pointers_.push_back(each.c_str());
    info.struct_size = sizeof(info);
    info.name = name.c_str();
    info.dims = dims.data();
    info.dim_names = dim_names.empty() ? nullptr : dim_name_pointers_.data();
  }

 private:
  std::vector<const char*> dim_name_pointers_;
};

// The values of the inputs, in their order. Throws Failure for an input without a value, and for a
// value without an input.
template <typename Ports>
std::vector<const pgb_value*> fed_values(const Ports& inputs, const pgb_named_value* feeds,
                                         size_t count) {
  std::vector<const pgb_value*> values;
  for (const Port& input : inputs) {
    const auto* feed = std::find_if(
        feeds, feeds + count, [&](const pgb_named_value& each) { return input.name == each.name; });
    if (feed == feeds + count)
      throw Failure("the feed has no value for input '" + input.name + "'");
    values.push_back(feed->value);
  }
  for (size_t i = 0; i < count; ++i) {
    const bool known = std::any_of(inputs.begin(), inputs.end(),
                                   [&](const Port& input) { return input.name == feeds[i].name; });
    if (!known) throw Failure("the model has no input '" + std::string(feeds[i].name) + "'");
  }
  return values;
}

// The number of elements of a tensor.
inline size_t element_count(const pgb_value& tensor) {
  size_t count = 1;
  for (int32_t i = 0; i < tensor.rank; ++i) count *= static_cast<size_t>(tensor.shape[i]);
  return count;
}

// Hands over the time of a node. `kernel`: may be null.
inline void deliver_time(pgb_node_time_fn row, void* context, const char* node, const char* op,
                         const char* kernel, double microseconds) {
  pgb_node_time time{};
  time.struct_size = sizeof(time);
  time.node = node;
  time.op = op;
  time.kernel = kernel;
  time.microseconds = microseconds;
  row(context, &time);
}

}  // namespace pgb
