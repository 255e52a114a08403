#include "polygraphy/reduce/candidates/model_digest.h"

#include <cstdint>

#include "base/digest.h"
#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/io/save.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::Payload;
using graphsurgeon::PayloadUse;

// Smaller values are part of the structure.
constexpr int64_t kPartOfStructure = 1024;

void add_contents(const Payload& payload, std::string_view name, Digest& digest) {
  const Array values = payload.load(name).contiguous_aligned();
  if (values.dtype() == DataType::kString) {
    for (const std::string& text : values.strings()) digest.add(text);
    return;
  }
  digest.add(std::string_view(reinterpret_cast<const char*>(values.data()),
                              static_cast<size_t>(values.nbytes())));
}

template <typename Add>
std::string digest_of(const Model& model, Add add_great_value) {
  Digest digest;
  digest.add(graphsurgeon::encode_without_payloads(model, kPartOfStructure));
  graphsurgeon::for_each_payload(model, [&](const PayloadUse& use) {
    if (use.values->nbytes() > kPartOfStructure) add_great_value(*use.values, use.name, digest);
  });
  return digest.text();
}

}  // namespace

ModelDigest::ModelDigest(const Model& base) {
  graphsurgeon::for_each_payload(base, [this](const PayloadUse& use) {
    places_.try_emplace(use.values.get(), places_.size());
  });
}

std::string ModelDigest::of(const Model& candidate) const {
  return digest_of(candidate,
                   [this](const Payload& payload, std::string_view name, Digest& digest) {
                     const auto place = places_.find(&payload);
                     if (place != places_.end()) {
                       digest.add(uint64_t{place->second});
                     } else {
                       add_contents(payload, name, digest);
                     }
                   });
}

std::string ModelDigest::with_contents(const Model& model) {
  return digest_of(model, add_contents);
}

}  // namespace polygraphy
