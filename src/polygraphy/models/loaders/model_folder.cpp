#include "polygraphy/models/loaders/model_folder.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/mapped_file.h"
#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/io/save.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;

// Relative and without "..": loading refuses others, and a link must not be made elsewhere.
bool stays_inside(const fs::path& location) {
  if (location.empty() || location.is_absolute()) return false;
  for (const fs::path& part : location) {
    if (part == "..") return false;
  }
  return true;
}

// A reflink where the file system can. Throws IoError.
void copy_data(const fs::path& from, const fs::path& to) {
  const auto data = MappedFile::open(from.native(), AccessPattern::kSequential);
  AtomicFile copy(to.native(), Durability::kNone);
  if (data->fd() >= 0) {
    copy.copy_from(data->fd(), 0, data->bytes().size());
  } else {
    copy.write(data->bytes());
  }
  copy.commit();
}

}  // namespace

std::vector<DataFile> external_data_files(const graphsurgeon::Model& model) {
  std::vector<DataFile> files;
  std::map<std::pair<std::string, std::string>, size_t> seen;
  graphsurgeon::for_each_payload(model, [&](const graphsurgeon::PayloadUse& use) {
    graphsurgeon::for_each_external(*use.values, [&](const graphsurgeon::ExternalPayload& payload) {
      const graphsurgeon::ExternalRange& range = *payload.external();
      const auto [at, is_new] = seen.try_emplace({range.folder, range.location}, files.size());
      if (is_new) files.push_back({.folder = range.folder, .location = range.location});
      files[at->second].of_bodies |= use.graph != model.graph.get();
    });
  });
  return files;
}

ModelFolder::ModelFolder(std::string_view model_bytes, const std::vector<DataFile>& data,
                         const std::string& parent, DataPlacement placement) {
  for (const DataFile& file : data) {
    if (!stays_inside(file.location)) {
      throw IoError(
          fmt::format("external data '{}' is not inside the model's folder", file.location));
    }
  }
  const std::string beside = data.empty() ? parent : data.front().folder;
  const bool links = placement == DataPlacement::kLinks;
  if (!(links && make(parent) && place(data, DataPlacement::kLinks)) &&
      !(links && make(beside) && place(data, DataPlacement::kLinks)) &&
      !(make(parent) && place(data, DataPlacement::kCopies))) {
    throw IoError(problem_);
  }
  write_file(model_path(), model_bytes, Durability::kNone);
}

ModelFolder::ModelFolder(const graphsurgeon::Model& model, const std::string& parent) {
  if (!make(parent)) throw IoError(problem_);
  graphsurgeon::SaveOptions options;
  options.external_data = "";
  options.durability = Durability::kNone;
  graphsurgeon::save_model(model, model_path(), options);
}

bool ModelFolder::make(const std::string& parent) {
  folder_.reset();
  try {
    folder_.emplace(parent + "/.polygraphy-model.");
  } catch (const IoError& error) {
    problem_ = error.what();
    return false;
  }
  return true;
}

bool ModelFolder::place(const std::vector<DataFile>& data, DataPlacement how) {
  for (const DataFile& file : data) {
    const fs::path from = fs::path(file.folder) / file.location;
    const fs::path to = fs::path(folder()) / (file.as.empty() ? file.location : file.as);
    std::error_code error;
    fs::create_directories(to.parent_path(), error);
    // The target of a symbolic link, as the runtime would see it.
    const fs::path target = error ? from : fs::canonical(from, error);
    if (!error) {
      if (how == DataPlacement::kLinks && !file.of_bodies) {
        fs::create_hard_link(target, to, error);
      } else {
        try {
          copy_data(target, to);
        } catch (const IoError& failure) {
          problem_ = failure.what();
          return false;
        }
      }
    }
    if (error) {
      problem_ = fmt::format("cannot copy {} to {}: {}", from.native(), folder(), error.message());
      return false;
    }
  }
  return true;
}

}  // namespace polygraphy
