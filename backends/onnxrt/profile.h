// Kernel times from the traces that ONNX Runtime writes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace onnxrt {

struct KernelTime {
  std::string node;  // as in the model, or made up by ONNX Runtime when it has no name there
  std::string op;
  std::string provider;
  double microseconds = 0;
};

// The kernels of the last run in a trace (JSON, one event per line as ONNX Runtime writes it), in
// order of execution. Lines that are not understood are skipped.
std::vector<KernelTime> last_run(std::string_view trace);

// A private folder for trace files, removed with all that is in it.
class ProfileFolder {
 public:
  ProfileFolder();  // throws pgb::Failure
  ~ProfileFolder();
  ProfileFolder(const ProfileFolder&) = delete;
  ProfileFolder& operator=(const ProfileFolder&) = delete;

  // A new prefix for every run: the library adds a time stamp in milliseconds, which alone is not
  // unique.
  std::string next_prefix();
  // Contents of the newest trace; empty without a trace.
  std::string newest() const;

 private:
  std::string path_;
  int count_ = 0;
};

}  // namespace onnxrt
