#include "graphsurgeon/ir/payloads/external_payload.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <climits>

#include "base/os/files/file_access.h"
#include "base/os/files/file_status.h"
#include "base/os/paths.h"
#include "base/os/system_error.h"
#include "graphsurgeon/wire/onnx_fields.h"
#include "graphsurgeon/wire/reader.h"

namespace graphsurgeon {

namespace {

using polygraphy::real_path;

constexpr size_t kFilesKeptOpen = 8;

// ONNX Runtime names tensors in memory "*/_ORT_MEM_ADDR_/*", and OpenVINO reads them.
constexpr std::string_view kMemoryMark = "_MEM_ADDR_";

std::string join(const std::string& folder, std::string_view location) {
  return folder.empty() ? std::string(location) : fmt::format("{}/{}", folder, location);
}

bool lies_below(const std::string& path, const std::string& folder) {
  if (folder.empty()) return false;
  if (folder == "/") return true;
  return path.size() > folder.size() && path.compare(0, folder.size(), folder) == 0 &&
         path[folder.size()] == '/';
}

std::string parent(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {};
  return slash == 0 ? "/" : path.substr(0, slash);
}

bool has_parent_step(std::string_view location) {
  for (size_t at = 0; at <= location.size();) {
    const size_t slash = std::min(location.find('/', at), location.size());
    if (location.substr(at, slash - at) == "..") return true;
    at = slash + 1;
  }
  return false;
}

}  // namespace

ExternalFolder::ExternalFolder(std::string folder, std::string model, std::string refuse)
    : folder_(std::move(folder)), model_(std::move(model)), refuse_(std::move(refuse)) {}

std::string ExternalFolder::resolve(std::string_view location, std::string_view tensor) const {
  const auto refuse = [&](std::string_view why) {
    throw polygraphy::Error(
        kExternalDataElsewhere,
        fmt::format("tensor '{}': its external data '{}' {}", tensor, location, why),
        "External data must be in the model's folder, or below. Move the file there and change the "
        "location.");
  };
  if (location.empty()) refuse("has no location");
  if (location.front() == '/') refuse("is an absolute path");
  if (const size_t zero = location.find('\0'); zero != std::string_view::npos) {
    location = location.substr(0, zero);
    refuse("contains a zero byte");
  }
  if (has_parent_step(location)) refuse("leaves the model's folder with '..'");
  if (location.find(kMemoryMark) != std::string_view::npos) {
    refuse("stands for memory of the process that reads the model, at the offset as address");
  }

  const std::string real = real_path(join(folder_, location));
  if (real.empty()) return {};
  if (!lies_below(real, real_path(folder_)) &&
      (model_.empty() || !lies_below(real, parent(real_path(model_))))) {
    refuse(fmt::format("is a link that leaves the model's folder, to {}", real));
  }
  if (const auto status = polygraphy::file_status(real); !status || !status->is_file()) {
    refuse(fmt::format("is not a regular file ({})", real));
  }
  return real;
}

void ExternalFolder::check(std::string_view location, std::string_view tensor) const {
  if (!location.empty()) resolve(location, tensor);
}

std::shared_ptr<const polygraphy::MappedFile> ExternalFolder::open(std::string_view location,
                                                                   std::string_view tensor) const {
  if (!refuse_.empty()) {
    throw polygraphy::Error(fmt::format("tensor '{}': {}", tensor, refuse_));
  }
  const std::lock_guard lock(mutex_);
  for (const Entry& entry : recent_) {
    if (entry.location != location) continue;
    if (entry.file->intact()) return entry.file;
    throw polygraphy::IoError(
        fmt::format("tensor '{}': the external data file {} changed after opening", tensor,
                    entry.file->path()),
        "Load the model again when no program writes to the file.");
  }
  const std::string path = resolve(location, tensor);
  if (path.empty()) {
    throw polygraphy::IoError(
        kExternalDataElsewhere,
        fmt::format("tensor '{}': its external data '{}' cannot be opened: {} ({})", tensor,
                    location, polygraphy::system_reason(errno), join(folder_, location)),
        "Put the data file next to the model.");
  }
  auto file = polygraphy::MappedFile::open(path);
  if (recent_.size() == kFilesKeptOpen) recent_.erase(recent_.begin());
  recent_.push_back({std::string(location), file});
  return file;
}

namespace {

// A model and its data are replaced one after the other: what to do after a kill in between.
std::optional<std::string> left_by_a_write(const std::string& data) {
  const std::string folder = polygraphy::folder_of(data);
  for (const std::string& name :
       polygraphy::names_in_folder(folder).value_or(std::vector<std::string>())) {
    const size_t end = name.find(".onnx.");
    if (!name.starts_with('.') || !name.ends_with(".tmp") || end == name.npos) continue;
    return fmt::format("A program was killed while it saved the model: move {}/{} to {}/{}", folder,
                       name, folder, name.substr(1, end + 4));
  }
  return std::nullopt;
}

}  // namespace

ExternalPayload::ExternalPayload(DataType dtype, Shape shape, ExternalRange range,
                                 std::shared_ptr<const ExternalFolder> folder,
                                 std::string_view fields, std::string problem,
                                 std::shared_ptr<const void> owner)
    : Payload(Kind::kExternal, dtype, std::move(shape)),
      range_(std::move(range)),
      folder_(std::move(folder)),
      fields_(fields),
      problem_(std::move(problem)),
      owner_(std::move(owner)) {}

ExternalPayload::Bytes ExternalPayload::locate(std::string_view tensor) const {
  const auto fail = [&](const std::string& reason) {
    throw polygraphy::FormatError(fmt::format("tensor '{}' ({}[{}]): {}", tensor,
                                              polygraphy::name_of(dtype()),
                                              fmt::join(shape(), ", "), reason));
  };
  if (!problem_.empty()) fail(problem_);
  if (!polygraphy::is_known(dtype()) || polygraphy::bit_width(dtype()) == 0) {
    fail(fmt::format("values of element type {} cannot be external", static_cast<int>(dtype())));
  }
  const int64_t needed = nbytes();
  if (range_.offset < 0) fail(fmt::format("the external data's offset is {}", range_.offset));
  if (range_.length >= 0 && range_.length != needed) {
    fail(fmt::format("its external data '{}' has a length of {} bytes, but type and shape need {}",
                     range_.location, range_.length, needed));
  }
  Bytes bytes;
  bytes.file = folder_->open(range_.location, tensor);
  bytes.offset = static_cast<uint64_t>(range_.offset);
  bytes.length = static_cast<uint64_t>(needed);
  const uint64_t file_size = bytes.file->bytes().size();
  if (bytes.offset > file_size || bytes.length > file_size - bytes.offset) {
    throw polygraphy::FormatError(
        fmt::format("tensor '{}' ({}[{}]): its external data is the {} bytes at offset {} of {}, "
                    "but that file has only {}",
                    tensor, polygraphy::name_of(dtype()), fmt::join(shape(), ", "), needed,
                    range_.offset, bytes.file->path(), file_size),
        left_by_a_write(bytes.file->path())
            .value_or("The data file is truncated, or belongs to another model. Copy it again."));
  }
  return bytes;
}

Array ExternalPayload::load(std::string_view tensor) const {
  const Bytes bytes = locate(tensor);
  return without_padding(
      Array::view(dtype(), shape(), bytes.file->bytes().data() + bytes.offset, bytes.file));
}

ExternalRange decode_external(std::string_view fields, std::string* problem) {
  ExternalRange range;
  const auto number = [&](std::string_view key, std::string_view text, int64_t& out) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (error != std::errc() || end != text.data() + text.size() || out < 0) {
      *problem =
          fmt::format("the external data's {} is '{}', which is not a number of bytes", key, text);
    }
  };
  for (wire::Reader reader(fields); reader.next();) {
    std::string_view key, value;
    for (wire::Reader entry(reader.bytes()); entry.next();) {
      if (entry.key() == wire::bytes_key(wire::entry::kKey)) key = entry.bytes();
      if (entry.key() == wire::bytes_key(wire::entry::kValue)) value = entry.bytes();
    }
    if (key == "location") {
      range.location = value;
    } else if (key == "offset") {
      number(key, value, range.offset);
    } else if (key == "length") {
      number(key, value, range.length);
    } else {
      range.other.emplace_back(key, value);
    }
  }
  return range;
}

}  // namespace graphsurgeon
