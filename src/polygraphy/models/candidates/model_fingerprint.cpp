#include "polygraphy/models/candidates/model_fingerprint.h"

#include <cstdint>

#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/io/save.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::Payload;
using graphsurgeon::PayloadUse;

// Smaller values are part of the structure.
constexpr int64_t kPartOfStructure = 1024;

// The kind of entry for a large value, so that a position never equals contents.
constexpr uint64_t kPlace = 0, kContents = 1;

void add_contents(const Payload& payload, std::string_view name, FingerprintBuilder& builder) {
  builder.add(kContents);
  const Array values = payload.load(name).contiguous_aligned();
  if (values.dtype() == DataType::kString) {
    for (const std::string& text : values.strings()) builder.add(text);
    return;
  }
  builder.add(std::string_view(reinterpret_cast<const char*>(values.data()),
                               static_cast<size_t>(values.nbytes())));
}

template <typename Add>
Fingerprint fingerprint_of(const Model& model, Add add_large_value) {
  FingerprintBuilder builder;
  builder.add(graphsurgeon::encode_without_payloads(model, kPartOfStructure));
  graphsurgeon::for_each_payload(model, [&](const PayloadUse& use) {
    if (use.values->nbytes() > kPartOfStructure) add_large_value(*use.values, use.name, builder);
  });
  return builder.value();
}

}  // namespace

ModelFingerprints::ModelFingerprints(const Model& base) {
  graphsurgeon::for_each_payload(base, [this](const PayloadUse& use) {
    places_.try_emplace(use.values.get(), places_.size());
  });
}

Fingerprint ModelFingerprints::of(const Model& candidate) const {
  return fingerprint_of(candidate, [this](const Payload& payload, std::string_view name,
                                          FingerprintBuilder& builder) {
    const auto place = places_.find(&payload);
    if (place != places_.end()) {
      builder.add(kPlace).add(uint64_t{place->second});
    } else {
      add_contents(payload, name, builder);
    }
  });
}

Fingerprint ModelFingerprints::with_contents(const Model& model) {
  return fingerprint_of(model, add_contents);
}

}  // namespace polygraphy
