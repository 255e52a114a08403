// Decides, before anything is written, where each tensor's values will go.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/os/files/file_status.h"
#include "graphsurgeon/io/encoder.h"
#include "graphsurgeon/io/save.h"

namespace graphsurgeon {

// protobuf's limit, in bytes of a message.
inline constexpr uint64_t kMaxMessageBytes = (uint64_t{1} << 31) - 1;

// The values of one tensor in a data file.
struct DataRange {
  std::string tensor;  // for messages
  PayloadPtr values;
  uint64_t offset = 0;
};
struct DataFile {
  std::string location;  // relative to the model's folder
  uint64_t size = 0;
  std::vector<DataRange> ranges;
};

class SavePlan final : public Placement {
 public:
  enum class External { kNothing, kInitializers, kEverything };

  // `path`: of the model file to be written. Throws Error for options that cannot be fulfilled:
  // a location that leaves the folder, shared data that lies elsewhere.
  SavePlan(const Model& model, const std::string& path, const SaveOptions& options,
           External external);

  Place place(const Payload& payload, bool initializer) const override;
  const std::vector<DataFile>& files() const { return files_; }
  // Every reference to external data means the same file from the new model's folder, as it is.
  bool keeps_references() const;

 private:
  void share(const Model& model);
  void move(const Model& model, External external);
  bool moves(const Payload& payload) const;
  std::string file_name_for(const std::string& tensor);

  const std::string folder_;  // of the model to be written; "" for the current one
  const std::string path_;
  const SaveOptions& options_;
  std::vector<DataFile> files_;
  std::unordered_map<const Payload*, Place> places_;
  std::unordered_map<std::string, int> names_;     // data files, one per tensor
  std::vector<polygraphy::FileIdentity> sources_;  // of data files in use
};

}  // namespace graphsurgeon
