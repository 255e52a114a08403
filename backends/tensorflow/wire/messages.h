// Messages that TensorFlow is given, encoded, and files of it that are written here.
#pragma once

#include <string>
#include <string_view>

namespace tensorflow {

struct Configuration {
  double gpu_memory_fraction = 0.9;  // of the original
  bool allow_growth = false;
  bool xla = false;
};
// ConfigProto.
std::string encode_configuration(const Configuration& configuration);

// RunOptions: each node is timed.
std::string encode_tracing();

// A file of TensorBoard with a graph: two records, each with checksums.
std::string event_file(std::string_view graph, double seconds_since_epoch);

}  // namespace tensorflow
