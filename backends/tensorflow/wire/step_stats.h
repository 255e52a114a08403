// TensorFlow's measurements of one inference.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tensorflow {

struct TimedNode {
  std::string device, name, op;
  int64_t start = 0;        // microseconds since some time in the past
  int64_t duration = 0;     // microseconds
  int64_t nanoseconds = 0;  // the same, as exactly as it was measured
  int64_t thread = 0;
};

// Reads RunMetadata. Throws pgb::Failure for a malformed message. O(size).
std::vector<TimedNode> read_step_stats(std::string_view message);

// For Chrome's tracing (chrome://tracing, Perfetto): JSON.
std::string timeline(const std::vector<TimedNode>& nodes);

}  // namespace tensorflow
