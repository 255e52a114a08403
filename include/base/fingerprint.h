// Telling contents apart by 128 bits: XXH3-128.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace polygraphy {

// Equal for equal contents, and different for different ones: among 2^40 contents a coincidence has
// a probability of 2^-49. It is no protection against contents that were made to look alike. The
// same on every machine and in every version of the program: files hold fingerprints.
struct Fingerprint {
  uint64_t high = 0, low = 0;

  friend auto operator<=>(const Fingerprint&, const Fingerprint&) = default;
  // 32 hexadecimal digits.
  std::string text() const;
};

Fingerprint fingerprint(std::string_view bytes);

// Of contents that come in pieces, whose lengths count: "a" and "b" are not "ab". O(bytes); holds
// none of them.
class FingerprintBuilder {
 public:
  FingerprintBuilder();
  ~FingerprintBuilder();
  FingerprintBuilder(FingerprintBuilder&&) noexcept;
  FingerprintBuilder& operator=(FingerprintBuilder&&) noexcept;

  FingerprintBuilder& add(std::string_view bytes);
  FingerprintBuilder& add(uint64_t number);
  // Of what was added so far; more can be added.
  Fingerprint value() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace polygraphy
