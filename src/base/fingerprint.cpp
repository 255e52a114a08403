#include "base/fingerprint.h"

#include <charconv>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace polygraphy {
namespace {

Fingerprint of(const XXH128_hash_t& hash) {
  return {.high = hash.high64, .low = hash.low64};
}

}  // namespace

// The library aligns the state for its vector instructions.
struct FingerprintBuilder::State {
  XXH3_state_t hash;
};

std::string Fingerprint::text() const {
  std::string text;
  for (const uint64_t word : {high, low}) {
    for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[(word >> shift) & 15];
  }
  return text;
}

Fingerprint fingerprint(std::string_view bytes) {
  return of(XXH3_128bits(bytes.data(), bytes.size()));
}

std::optional<Fingerprint> parse_fingerprint(std::string_view text) {
  constexpr size_t kDigits = 16;
  if (text.size() != 2 * kDigits) return std::nullopt;
  Fingerprint result;
  for (auto [word, start] : {std::pair(&result.high, size_t{0}), std::pair(&result.low, kDigits)}) {
    const char* first = text.data() + start;
    const auto [end, failed] = std::from_chars(first, first + kDigits, *word, 16);
    if (failed != std::errc() || end != first + kDigits) return std::nullopt;
  }
  return result;
}

FingerprintBuilder::FingerprintBuilder() : state_(std::make_unique<State>()) {
  XXH3_128bits_reset(&state_->hash);
}
FingerprintBuilder::~FingerprintBuilder() = default;
FingerprintBuilder::FingerprintBuilder(FingerprintBuilder&&) noexcept = default;
FingerprintBuilder& FingerprintBuilder::operator=(FingerprintBuilder&&) noexcept = default;

FingerprintBuilder& FingerprintBuilder::add(std::string_view bytes) {
  add(uint64_t{bytes.size()});
  XXH3_128bits_update(&state_->hash, bytes.data(), bytes.size());
  return *this;
}

FingerprintBuilder& FingerprintBuilder::add(uint64_t number) {
  XXH3_128bits_update(&state_->hash, &number, sizeof number);
  return *this;
}

Fingerprint FingerprintBuilder::value() const {
  return of(XXH3_128bits_digest(&state_->hash));
}

}  // namespace polygraphy
