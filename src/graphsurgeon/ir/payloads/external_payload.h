// Values in another file.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/os/mapped_file.h"
#include "graphsurgeon/ir/payloads/payload.h"

namespace graphsurgeon {

// A location outside of the folder, or a missing file.
inline constexpr polygraphy::ErrorCode kExternalDataElsewhere{"external-data-elsewhere"};

// Opens the data files of one model, and keeps the few used last mapped, since thousands of tensors
// share one file. Refuses locations that a model file has no business with: absolute ones, `..`,
// links that leave the folder, things that are not regular files, and names by which runtimes mean
// their own memory.
class ExternalFolder {
 public:
  // `folder`: the base of locations. `model`: the model's path, or "": links to files in the folder
  // of the model's target are allowed as well (download caches link model and data into a separate
  // folder). `refuse`: not empty: opening fails with this.
  ExternalFolder(std::string folder, std::string model, std::string refuse = {});

  const std::string& folder() const { return folder_; }
  // Throws Error naming tensor, location and folder.
  std::shared_ptr<const polygraphy::MappedFile> open(std::string_view location,
                                                     std::string_view tensor) const;
  // Throws Error where open() would refuse the location, but not for a file that is missing.
  void check(std::string_view location, std::string_view tensor) const;

 private:
  // "": the file does not exist.
  std::string resolve(std::string_view location, std::string_view tensor) const;

  std::string folder_, model_, refuse_;
  struct Entry {
    std::string location;
    std::shared_ptr<const polygraphy::MappedFile> file;
  };
  mutable std::mutex mutex_;  // payloads may be loaded from several threads
  mutable std::vector<Entry> recent_;
};

class ExternalPayload final : public Payload {
 public:
  // `fields`: TensorProto.external_data as read, keys included, or empty. `problem`: not empty: a
  // defect of the fields (a malformed number), which loading reports.
  ExternalPayload(DataType dtype, Shape shape, ExternalRange range,
                  std::shared_ptr<const ExternalFolder> folder, std::string_view fields = {},
                  std::string problem = {}, std::shared_ptr<const void> owner = {});

  const ExternalRange* external() const override { return &range_; }
  std::string_view fields() const { return fields_; }
  const std::shared_ptr<const ExternalFolder>& folder() const { return folder_; }

  Array load(std::string_view tensor) const override;

  struct Bytes {
    std::shared_ptr<const polygraphy::MappedFile> file;
    uint64_t offset = 0;
    uint64_t length = 0;
  };
  // Where the values lie, checked: the file is there and long enough. Reads no value.
  Bytes locate(std::string_view tensor) const;

 private:
  ExternalRange range_;
  std::shared_ptr<const ExternalFolder> folder_;
  std::string_view fields_;
  std::string problem_;
  std::shared_ptr<const void> owner_;  // of fields_
};

// Reads TensorProto.external_data entries (keys included). Malformed numbers go to `problem`.
ExternalRange decode_external(std::string_view fields, std::string* problem);

}  // namespace graphsurgeon
