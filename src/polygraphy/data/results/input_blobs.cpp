#include "polygraphy/data/results/input_blobs.h"

#include <filesystem>
#include <span>

#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "base/os/writable.h"
#include "polygraphy/data/results/iteration_files.h"

namespace polygraphy {
namespace {

// Names are the model's: one such as "../../x" must not choose where we write.
std::string file_of(const std::string& folder, const std::string& name) {
  const std::filesystem::path inside = std::filesystem::path(name + ".bin").lexically_normal();
  if (name.find('\0') != std::string::npos || inside.is_absolute() || *inside.begin() == "..") {
    throw Error(kNoRawForm,
                "Cannot save raw input '" + name + "': its file would not be in '" + folder + "'.",
                "Rename the input, or save inputs as JSON.");
  }
  return (std::filesystem::path(folder) / inside).string();
}

// Links in the folder were made by others: the user has named only the folder.
void refuse_links(const std::string& folder, const std::string& file) {
  std::filesystem::path path = folder;
  for (const auto& part : std::filesystem::path(file).lexically_relative(folder)) {
    path /= part;
    refuse_link(path.string());
  }
}

}  // namespace

InputBlobWriter::InputBlobWriter(std::string folder, Logger& log) : folder_(std::move(folder)) {
  log.info(log_modules::kSerde, "Saving raw inference input tensors to: " + folder_);
  std::error_code ignored;
  if (std::filesystem::exists(folder_, ignored) && !is_existing_directory(folder_)) {
    throw Error("Cannot save raw inputs to '" + folder_ +
                "': a file already exists there, but this path is a directory of per-iteration "
                "subdirectories.");
  }
}

void InputBlobWriter::add(const ArrayMap& feed) {
  const std::string folder = iteration_folder(folder_, written_);
  for (const auto& [name, array] : feed) {
    if (array.dtype() == DataType::kString) {
      throw Error(kNoRawForm, "Cannot save raw input '" + name + "': strings have no raw form.",
                  "Save inputs as JSON.");
    }
    const std::string path = file_of(folder, name);
    refuse_links(folder_, path);
    AtomicFile file(path, Durability::kNone);
    const Array contiguous = array.contiguous_aligned();
    file.write(contiguous.bytes());
    file.commit();
  }
  ++written_;
}

}  // namespace polygraphy
