// 128-bit fingerprints of contents: XXH3-128.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace polygraphy {

// Equal contents have equal fingerprints; among 2^40 different contents, two collide with a
// probability of 2^-49. It does not protect against contents crafted to collide. The same on every
// machine and in every version of the program, because files hold fingerprints.
struct Fingerprint {
  uint64_t high = 0, low = 0;

  friend auto operator<=>(const Fingerprint&, const Fingerprint&) = default;
  // 32 hexadecimal digits.
  std::string text() const;
};

Fingerprint fingerprint(std::string_view bytes);
// Of 32 hexadecimal digits; nullopt for other texts.
std::optional<Fingerprint> parse_fingerprint(std::string_view text);

// Computes the fingerprint of contents that come in pieces. Lengths of pieces count: "a" and "b"
// differ from "ab". O(bytes) time; keeps no bytes.
class FingerprintBuilder {
 public:
  FingerprintBuilder();
  ~FingerprintBuilder();
  FingerprintBuilder(FingerprintBuilder&&) noexcept;
  FingerprintBuilder& operator=(FingerprintBuilder&&) noexcept;

  FingerprintBuilder& add(std::string_view bytes);
  FingerprintBuilder& add(uint64_t number);
  // The fingerprint of all pieces so far; adding may continue.
  Fingerprint value() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace polygraphy
