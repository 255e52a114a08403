#include "polygraphy/models/candidates/body_weights.h"

#include "base/os/atomic_file.h"
#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/io/payload_bytes.h"

namespace polygraphy {
namespace {

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

}  // namespace polygraphy
