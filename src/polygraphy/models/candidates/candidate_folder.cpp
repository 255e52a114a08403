#include "polygraphy/models/candidates/candidate_folder.h"

#include <filesystem>
#include <vector>

#include "base/os/atomic_file.h"
#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/io/payload_bytes.h"
#include "graphsurgeon/ir/payloads/source.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;
using graphsurgeon::Payload;
using graphsurgeon::PayloadPtr;
using graphsurgeon::Place;

// Writing these bytes with each candidate costs less than a file.
constexpr int64_t kSmall = 16 * 1024;

class FileSink final : public graphsurgeon::wire::Sink {
 public:
  explicit FileSink(AtomicFile& out) : out_(out) {}
  void write(std::string_view bytes) override { out_.write(bytes); }
  void write_file(const MappedFile& file, uint64_t offset, uint64_t length) override {
    if (file.fd() < 0) return Sink::write_file(file, offset, length);
    out_.copy_from(file.fd(), offset, length);
  }

 private:
  AtomicFile& out_;
};

// No location that a model is likely to have.
constexpr const char* kWeights = "polygraphy_weights.onnx";

// Bytes from which on a weight stays where it is.
constexpr int64_t kLargeWeight = 1024;

}  // namespace

const graphsurgeon::PlacedPayloads& BodyWeights::place(const graphsurgeon::Model& model) {
  placed_.clear();
  graphsurgeon::for_each_payload(model, [&](const graphsurgeon::PayloadUse& use) {
    if (use.graph == model.graph.get()) return;
    if (use.values->kind() != Payload::Kind::kSparse) return place(use.values, use.name);
    const auto& sparse = static_cast<const graphsurgeon::SparsePayload&>(*use.values);
    for (const PayloadPtr& part : {sparse.values().values, sparse.indices().values}) {
      if (part) place(part, use.name);
    }
  });
  return placed_;
}

void BodyWeights::place(const PayloadPtr& values, std::string_view name) {
  if (values->kind() != Payload::Kind::kInline && values->kind() != Payload::Kind::kExternal) {
    return;
  }
  Place place;
  if (values->dtype() == DataType::kString || values->nbytes() < kSmall) {
    place.kind = Place::Kind::kInline;
  } else {
    auto file = files_.find(values.get());
    if (file == files_.end()) {
      const std::string location = "polygraphy_body_weight_" + std::to_string(files_.size() + 1);
      AtomicFile out(folder_ + "/" + location, Durability::kNone);
      FileSink sink(out);
      graphsurgeon::write_payload(*values, name, sink);
      out.commit();
      file = files_.emplace(values.get(), File{values, location}).first;
    }
    place.kind = Place::Kind::kExternal;
    place.location = file->second.location;
    place.offset = 0;
    place.length = static_cast<uint64_t>(values->nbytes());
  }
  placed_[values.get()] = std::move(place);
}

CandidateFolder::CandidateFolder(const graphsurgeon::Model& model, const std::string& parent,
                                 DataPlacement placement) {
  std::vector<DataFile> files;
  const auto& source = model.graph->store().source();
  if (source && source->file && source->file->fd() >= 0) {
    const fs::path file = fs::absolute(source->file->path());
    files.push_back({file.parent_path().native(), file.filename().native(), kWeights});
  }
  for (DataFile& data : external_data_files(model)) files.push_back(std::move(data));
  folder_ = std::make_unique<ModelFolder>("", files, parent, placement);
  of_bodies_.emplace(folder_->folder());
}

void CandidateFolder::write(const graphsurgeon::Model& candidate, const std::string& path) {
  write_file(path,
             graphsurgeon::encode_beside_weights(candidate, kWeights, kLargeWeight,
                                                 of_bodies_->place(candidate)),
             Durability::kNone);
}

}  // namespace polygraphy
