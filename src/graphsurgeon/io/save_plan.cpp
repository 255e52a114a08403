#include "graphsurgeon/io/save_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/error.h"
#include "base/os/files/file_access.h"
#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/io/save_errors.h"
#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/ir/payloads/encoded_payload.h"
#include "graphsurgeon/ir/tensor.h"
#include "graphsurgeon/operators/operator_facts.h"

namespace graphsurgeon {
namespace {

using polygraphy::real_path;

// They stay in the model's file: shape inference reads nothing else, and ONNX Runtime refuses a
// model with sizes in external data.
class ShapeValues {
 public:
  // O(nodes).
  explicit ShapeValues(const Model& model);

  // Inputs with values that an operator's inference reads, and small integers and bools, from which
  // these inputs may be computed.
  bool contains(const Payload& payload) const;

 private:
  std::unordered_set<const Payload*> read_;
};

constexpr int64_t kSmall = 1024;  // bytes; the default of SaveOptions::external_data_threshold

ShapeValues::ShapeValues(const Model& model) {
  for (const Graph* graph : all_graphs(model)) {
    for (const NodeRef& node : graph->nodes()) {
      const OperatorFacts& facts = facts_of(*node);
      if (facts.sizes == 0) continue;
      for (size_t i = 0; i < node->inputs().size(); ++i) {
        const Tensor* input = node->inputs()[i];
        if (facts.decides_shape(i) && input && input->is_constant())
          read_.insert(input->payload().get());
      }
    }
  }
}

bool ShapeValues::contains(const Payload& payload) const {
  const DataType type = payload.dtype();
  const bool may_be_size =
      type == DataType::kInt64 || type == DataType::kInt32 || type == DataType::kBool;
  return (may_be_size && payload.nbytes() < kSmall) || read_.contains(&payload);
}

using polygraphy::Error;

// Large tensors start where a page does, so that they can be mapped alone (onnx.proto recommends
// it); small ones where any element type may lie.
constexpr uint64_t kPage = 4096;
constexpr int64_t kLargeTensor = 64 * 1024;
constexpr uint64_t kSmallAlignment = 64;

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {};
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string name_of(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::string join(const std::string& folder, const std::string& name) {
  return folder.empty() ? name : folder + '/' + name;
}

void check_location(const std::string& location, const std::string& model_path) {
  const auto refuse = [&](const char* why) {
    throw Error(fmt::format("external data cannot be saved to '{}': {}", location, why),
                "Give a file name, or a path below the model's folder.");
  };
  if (location.front() == '/') refuse("the name must be relative to the model's folder");
  for (size_t at = 0; at <= location.size();) {
    const size_t slash = std::min(location.find('/', at), location.size());
    const std::string_view step = std::string_view(location).substr(at, slash - at);
    if (step == "..") refuse("the name leaves the model's folder");
    if (step.empty() || step == ".") refuse("the name is not a plain relative path");
    at = slash + 1;
  }
  if (location == name_of(model_path)) refuse("it is the model file itself");
}

// A folder of a stranger may have links by which the data would be written over another file.
void refuse_links(const std::string& folder, const std::string& location) {
  for (size_t at = location.find('/');; at = location.find('/', at + 1)) {
    const std::string path = join(folder, location.substr(0, at));
    const auto status = polygraphy::link_status(path);
    if (status && status->kind == polygraphy::FileStatus::Kind::kLink) {
      throw Error(fmt::format("external data cannot be saved to '{}': '{}' is a symbolic link",
                              location, path),
                  "Remove the link, or give another name.");
    }
    if (at == std::string::npos) return;
  }
}

// Data files lie next to a model file; there is nothing next to a pipe.
void check_model_is_a_file(const std::string& path) {
  const auto status = polygraphy::file_status(path);
  if (path != "-" && (!status || status->is_file())) return;
  throw Error(
      fmt::format("the model needs an external data file, but '{}' is not a regular file", path),
      "Save the model to a file.");
}

}  // namespace

SavePlan::SavePlan(const Model& model, const std::string& path, const SaveOptions& options,
                   External external)
    : folder_(folder_of(path)), path_(path), options_(options) {
  if (options.share_external_data) share(model);
  if (external != External::kNothing) {
    check_model_is_a_file(path);
    move(model, external);
  }
}

Place SavePlan::place(const Payload& payload, bool) const {
  if (const auto found = places_.find(&payload); found != places_.end()) return found->second;
  return {Place::Kind::kInline, {}, {}, {}, {}};
}

bool SavePlan::keeps_references() const {
  return std::all_of(places_.begin(), places_.end(),
                     [](const auto& p) { return p.second.kind == Place::Kind::kAsItIs; });
}

// References stay; the location is made relative to the new model's folder.
void SavePlan::share(const Model& model) {
  const std::string target = real_path(folder_);
  for_each_payload(model, [&](const PayloadUse& use) {
    for_each_external(*use.values, [&](const ExternalPayload& payload) {
      if (options_.keep_references) {
        places_[&payload] = {};
        return;
      }
      const std::string file =
          real_path(join(payload.folder()->folder(), payload.external()->location));
      const std::string prefix = target == "/" ? target : target + '/';
      if (file.empty() || target.empty() || file.compare(0, prefix.size(), prefix) != 0) {
        throw Error(
            kSharedDataElsewhere,
            fmt::format("the data of '{}' is in {}, which is not in or below the folder of '{}'",
                        use.name, file.empty() ? payload.external()->location : file, path_),
            "Save next to the original model, or do not share its data.");
      }
      std::string location = file.substr(prefix.size());
      // As it is where it would be the same: other entries keep their order.
      if (location == payload.external()->location) {
        places_[&payload] = {};
      } else {
        places_[&payload] = reference_to(*payload.external(), std::move(location));
      }
    });
  });
}

bool SavePlan::moves(const Payload& payload) const {
  if (is_stripped(payload)) return false;
  return payload.dtype() != DataType::kString && polygraphy::bit_width(payload.dtype()) != 0 &&
         payload.kind() != Payload::Kind::kSparse &&
         payload.nbytes() >= std::max<int64_t>(options_.external_data_threshold, 1) &&
         !places_.contains(&payload);
}

void SavePlan::move(const Model& model, External external) {
  const ShapeValues sizes(model);
  std::string location;
  if (options_.one_file) {
    location = options_.external_data.value_or("");
    if (location.empty()) location = name_of(path_) + ".data";
    check_location(location, path_);
    files_.push_back({location, 0, {}});
  } else {
    // Files that hold values still to be copied must not be replaced by the first ones written.
    for_each_payload(model, [&](const PayloadUse& use) {
      for_each_external(*use.values, [&](const ExternalPayload& payload) {
        const std::string file = join(payload.folder()->folder(), payload.external()->location);
        if (const auto status = polygraphy::file_status(file)) sources_.push_back(status->identity);
      });
    });
    std::sort(sources_.begin(), sources_.end());
  }
  for_each_payload(model, [&](const PayloadUse& use) {
    if (!use.initializer && external != External::kEverything) return;
    if (!moves(*use.values) || sizes.contains(*use.values)) return;
    const std::string tensor(use.name);
    if (!options_.one_file) files_.push_back({file_name_for(tensor), 0, {}});
    DataFile& file = files_.back();
    const auto bytes = static_cast<uint64_t>(use.values->nbytes());
    const uint64_t alignment = use.values->nbytes() >= kLargeTensor ? kPage : kSmallAlignment;
    const uint64_t offset = (file.size + alignment - 1) / alignment * alignment;
    file.size = offset + bytes;
    file.ranges.push_back({tensor, use.values, offset});
    places_[use.values.get()] = {Place::Kind::kExternal, file.location, offset, bytes, {}};
  });
  std::erase_if(files_, [](const DataFile& file) { return file.ranges.empty(); });
  for (const DataFile& file : files_) refuse_links(folder_, file.location);
}

// A name that any file system takes, and that no other tensor has.
std::string SavePlan::file_name_for(const std::string& tensor) {
  constexpr size_t kLongest = 100;
  std::string name = name_of(path_) + '.';
  for (const char c : tensor) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '.' || c == '-' || c == '_';
    name += plain ? c : '_';
  }
  if (name.size() > kLongest) name.resize(kLongest);
  const auto in_use = [&](const std::string& candidate) {
    const auto status = polygraphy::file_status(join(folder_, candidate));
    return status && std::binary_search(sources_.begin(), sources_.end(), status->identity);
  };
  int& used = names_[name];
  for (;; ++used) {
    const std::string candidate =
        used == 0 ? name + ".data" : fmt::format("{}.{}.data", name, used);
    if (in_use(candidate)) continue;
    ++used;
    return candidate;
  }
}

}  // namespace graphsurgeon
