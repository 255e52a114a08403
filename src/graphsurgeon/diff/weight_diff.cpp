#include "graphsurgeon/diff/weight_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <complex>
#include <cstring>

#include "base/arrays/convert.h"
#include "base/arrays/flat_index.h"
#include "base/arrays/packing.h"
#include "base/arrays/py_repr.h"
#include "base/os/files/file_status.h"
#include "graphsurgeon/io/mapped_reader.h"
#include "graphsurgeon/io/payload_bytes.h"
#include "graphsurgeon/ir/payloads/encoded_payload.h"
#include "graphsurgeon/ir/payloads/external_payload.h"
#include "graphsurgeon/ir/payloads/source.h"
#include "graphsurgeon/ir/payloads/sparse_payload.h"

namespace graphsurgeon {

namespace {

using polygraphy::Kind;

// Where values lie as they are.
struct Place {
  const polygraphy::MappedFile* file = nullptr;  // null: nowhere, or not in a file
  std::shared_ptr<const polygraphy::MappedFile> owner;
  uint64_t offset = 0;
};

Place place_of(const Payload& payload, std::string_view tensor) {
  Place place;
  if (const auto* external = dynamic_cast<const ExternalPayload*>(&payload)) {
    const ExternalPayload::Bytes bytes = external->locate(tensor);
    place.owner = bytes.file;
    place.file = place.owner.get();
    place.offset = bytes.offset;
  } else if (const auto* encoded = dynamic_cast<const EncodedPayload*>(&payload)) {
    const auto& source = encoded->source();
    if (source && source->file && encoded->fields().data() &&
        source->contains(encoded->fields().data())) {
      place.owner = source->file;
      place.file = place.owner.get();
      place.offset = static_cast<uint64_t>(encoded->fields().data() - source->bytes.data());
    }
  }
  return place;
}

bool same_file(const polygraphy::MappedFile& a, const polygraphy::MappedFile& b) {
  if (&a == &b) return true;
  if (a.fd() < 0 || b.fd() < 0) return false;
  const auto in_a = polygraphy::file_status(a.fd()), in_b = polygraphy::file_status(b.fd());
  return in_a && in_b && in_a->identity == in_b->identity;
}

uint64_t bits_at(const std::byte* data, int64_t index, int bits) {
  if (bits < 8) return polygraphy::packed_element(data, index, bits);
  uint64_t value = 0;  // little-endian, as the library's supported machines are
  std::memcpy(&value, data + index * (bits / 8), static_cast<size_t>(bits / 8));
  return value;
}

// Codes in the order of their numbers: steps between neighbours are 1.
int64_t ordered(uint64_t bits, int width) {
  const uint64_t sign = uint64_t{1} << (width - 1);
  const auto magnitude = static_cast<int64_t>(bits & (sign - 1));
  return bits & sign ? -magnitude : magnitude;
}

uint64_t distance(int64_t a, int64_t b) {
  return a > b ? static_cast<uint64_t>(a) - static_cast<uint64_t>(b)
               : static_cast<uint64_t>(b) - static_cast<uint64_t>(a);
}

bool same_array(const DecodedTensor& a, const DecodedTensor& b) {
  return a.values && b.values &&
         polygraphy::bitwise_equal(a.values->load("").contiguous_aligned(),
                                   b.values->load("").contiguous_aligned());
}

bool sparse_bytes_equal(const Payload& a, const Payload& b) {
  const auto* in_a = dynamic_cast<const SparsePayload*>(&a);
  const auto* in_b = dynamic_cast<const SparsePayload*>(&b);
  return in_a && in_b && same_array(in_a->indices(), in_b->indices()) &&
         same_array(in_a->values(), in_b->values());
}

// A sparse tensor is a few numbers in the file and may be any size when dense.
bool too_large_when_dense(const Payload& payload) {
  constexpr int64_t kMost = int64_t{256} << 20;
  return payload.kind() == Payload::Kind::kSparse && payload.nbytes() > kMost;
}

// Accumulates the differences, element by element.
class Finder {
 public:
  Finder(const Payload& a, const WeightTolerances& tolerances)
      : dtype_(a.dtype()),
        shape_(a.shape()),
        bits_(polygraphy::bit_width(dtype_)),
        exact_(tolerances.exact()),
        absolute_(tolerances.absolute.value_or(0)),
        relative_(tolerances.relative.value_or(0)) {
    diff_.size = a.size();
  }

  // `data` begins with the element `first`.
  void look(const std::byte* a, const std::byte* b, int64_t first, int64_t count) {
    if (polygraphy::kind_of(dtype_) == Kind::kComplex) {
      for (int64_t i = 0; i < count; ++i) complex(a, b, i, first + i);
      return;
    }
    for (int64_t i = 0; i < count; ++i) {
      const uint64_t x = bits_at(a, i, bits_), y = bits_at(b, i, bits_);
      if (x != y) number(x, y, first + i);
    }
  }

  void text(const std::string& a, const std::string& b, int64_t at) {
    if (a == b) return;
    if (diff_.different++ == 0) {
      put_first(at, polygraphy::py_str_repr(a), polygraphy::py_str_repr(b));
    }
  }

  std::optional<WeightDiff> take() {
    if (diff_.different == 0) return std::nullopt;
    return std::move(diff_);
  }

 private:
  bool close(double difference, double reference) const {
    return difference <= absolute_ + relative_ * std::abs(reference);
  }

  void number(uint64_t x, uint64_t y, int64_t at) {
    const double a = polygraphy::decode_double(dtype_, x), b = polygraphy::decode_double(dtype_, y);
    const bool floating = polygraphy::is_floating(dtype_);
    double difference = 0;
    if (floating) {
      if (!exact_ && (a == b || (std::isnan(a) && std::isnan(b)))) return;
      // Two NaNs of different bits have a difference of 0.
      difference = a == b || (std::isnan(a) && std::isnan(b)) ? 0 : std::abs(a - b);
    } else if (dtype_ == DataType::kUint64) {
      difference = static_cast<double>(x > y ? x - y : y - x);
    } else {
      difference = static_cast<double>(
          distance(polygraphy::decode_int64(dtype_, x), polygraphy::decode_int64(dtype_, y)));
    }
    if (!exact_ && close(difference, b)) return;
    note(difference);
    if (floating && dtype_ != DataType::kFloat8E8M0 && !std::isnan(a) && !std::isnan(b)) {
      const uint64_t ulp = distance(ordered(x, bits_), ordered(y, bits_));
      diff_.max_ulp = std::max(diff_.max_ulp.value_or(0), ulp);
    }
    if (diff_.different++ == 0) put_first(at, number_text(x), number_text(y));
  }

  void complex(const std::byte* a, const std::byte* b, int64_t i, int64_t at) {
    const auto bytes = static_cast<size_t>(bits_ / 8);
    a += static_cast<size_t>(i) * bytes;
    b += static_cast<size_t>(i) * bytes;
    if (std::memcmp(a, b, bytes) == 0) return;
    const auto load = [&](const std::byte* from) -> std::complex<double> {
      if (dtype_ == DataType::kComplex64) {
        std::complex<float> value;
        std::memcpy(&value, from, sizeof(value));
        return value;
      }
      std::complex<double> value;
      std::memcpy(&value, from, sizeof(value));
      return value;
    };
    const std::complex<double> x = load(a), y = load(b);
    const double difference = x == y ? 0 : std::abs(x - y);
    if (!exact_ && close(difference, std::abs(y))) return;
    note(difference);
    const auto text = [](std::complex<double> z) {
      return fmt::format("{}{:+}j", z.real(), z.imag());
    };
    if (diff_.different++ == 0) put_first(at, text(x), text(y));
  }

  // The largest; NaN, once met, stays.
  void note(double difference) {
    const double so_far = diff_.max_abs.value_or(0);
    diff_.max_abs =
        std::isnan(so_far) || std::isnan(difference) ? std::nan("") : std::max(so_far, difference);
  }

  std::string number_text(uint64_t bits) const {
    if (dtype_ == DataType::kBool) return bits ? "True" : "False";
    if (dtype_ == DataType::kUint64) return std::to_string(bits);
    if (!polygraphy::is_floating(dtype_)) {
      return std::to_string(polygraphy::decode_int64(dtype_, bits));
    }
    const double value = polygraphy::decode_double(dtype_, bits);
    return dtype_ == DataType::kFloat64 ? polygraphy::py_float_repr(value)
                                        : polygraphy::py_float32_repr(static_cast<float>(value));
  }

  void put_first(int64_t at, std::string a, std::string b) {
    diff_.first = polygraphy::unravel_index(at, shape_);
    diff_.before = std::move(a);
    diff_.after = std::move(b);
  }

  const DataType dtype_;
  const Shape& shape_;
  const int bits_;
  const bool exact_;
  const double absolute_, relative_;
  WeightDiff diff_;
};

}  // namespace

bool same_bytes(const Payload& a, const Payload& b, std::string_view tensor) {
  if (&a == &b) return true;
  if (a.kind() != b.kind() || a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
  if (a.kind() == Payload::Kind::kExternal) {
    const ExternalRange &in_a = *a.external(), &in_b = *b.external();
    // Without opening the file, since options may exclude external data.
    if (in_a.location == in_b.location && in_a.folder == in_b.folder &&
        in_a.offset == in_b.offset) {
      return true;
    }
    if (in_a.offset != in_b.offset) return false;
  } else if (a.kind() != Payload::Kind::kInline) {
    return false;
  }
  const Place in_a = place_of(a, tensor), in_b = place_of(b, tensor);
  return in_a.file && in_b.file && in_a.offset == in_b.offset && same_file(*in_a.file, *in_b.file);
}

std::optional<WeightDiff> compare_weights(const Payload& a, const Payload& b,
                                          std::string_view tensor,
                                          const WeightTolerances& tolerances) {
  assert(a.dtype() == b.dtype() && a.shape() == b.shape());
  if (same_bytes(a, b, tensor)) return std::nullopt;
  WeightDiff not_counted;
  not_counted.size = a.size();
  if (is_stripped(a) || is_stripped(b)) {
    if (is_stripped(a) && is_stripped(b)) return std::nullopt;
    return not_counted;
  }
  if (sparse_bytes_equal(a, b)) return std::nullopt;
  if (too_large_when_dense(a) || too_large_when_dense(b)) return not_counted;
  Finder finder(a, tolerances);
  const Array x = a.load(tensor).contiguous_aligned(1), y = b.load(tensor).contiguous_aligned(1);
  if (a.dtype() == DataType::kString) {
    for (int64_t i = 0; i < a.size(); ++i) {
      finder.text(x.strings()[static_cast<size_t>(i)], y.strings()[static_cast<size_t>(i)], i);
    }
    return finder.take();
  }
  MappedReader reader_a(a, tensor), reader_b(b, tensor);
  constexpr int64_t kBlock = 1 << 18;  // elements; a multiple of 8, so that packed ones end a byte
  for (int64_t at = 0; at < a.size(); at += kBlock) {
    const int64_t count = std::min(kBlock, a.size() - at);
    const auto begin = static_cast<size_t>(polygraphy::storage_bytes(a.dtype(), at));
    const auto bytes = static_cast<size_t>(polygraphy::storage_bytes(a.dtype(), count));
    reader_a.at(begin, bytes);
    reader_b.at(begin, bytes);
    if (std::memcmp(x.data() + begin, y.data() + begin, bytes) == 0) continue;
    finder.look(x.data() + begin, y.data() + begin, at, count);
  }
  check_intact(a, tensor);
  check_intact(b, tensor);
  return finder.take();
}

}  // namespace graphsurgeon
