#include "numerics/streaming_quantiles.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

namespace polygraphy {
namespace {

constexpr int64_t kSmall = 16384;      // streams up to this are kept whole
constexpr int64_t kCollected = 65536;  // elements in all brackets that are never too many
constexpr int64_t kLeastSample = 32768;
constexpr int64_t kMaxSample = 262144;
constexpr double kDeviations =
    5;  // half width of a bracket, in standard deviations of a sample rank
constexpr ptrdiff_t kFewTies =
    8;  // equal sample elements at an end of a bracket that are collected like others
constexpr size_t kRoom = 16384;  // two blocks
constexpr int kBinBits = 16;

// Unsigned integers that order as the elements do.
template <typename T>
uint64_t to_key(T x) {
  if constexpr (std::is_same_v<T, uint64_t>) {
    return x;
  } else if constexpr (std::is_same_v<T, int64_t>) {
    return static_cast<uint64_t>(x) ^ (uint64_t{1} << 63);
  } else {
    using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    constexpr Bits kSign = Bits{1} << (sizeof(T) * 8 - 1);
    const Bits bits = std::bit_cast<Bits>(x + T{0});  // -0 is 0
    return (bits & kSign) != 0 ? static_cast<Bits>(~bits) : static_cast<Bits>(bits | kSign);
  }
}

template <typename T>
T from_key(uint64_t key) {
  if constexpr (std::is_same_v<T, uint64_t>) {
    return key;
  } else if constexpr (std::is_same_v<T, int64_t>) {
    return static_cast<int64_t>(key ^ (uint64_t{1} << 63));
  } else {
    using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    constexpr Bits kSign = Bits{1} << (sizeof(T) * 8 - 1);
    const Bits bits = static_cast<Bits>(key);
    return std::bit_cast<T>((bits & kSign) != 0 ? static_cast<Bits>(bits & ~kSign)
                                                : static_cast<Bits>(~bits));
  }
}

template <typename T>
constexpr T lowest_of() {
  if constexpr (std::is_floating_point_v<T>) return -std::numeric_limits<T>::infinity();
  return std::numeric_limits<T>::lowest();
}

template <typename T>
constexpr T greatest_of() {
  if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::infinity();
  return std::numeric_limits<T>::max();
}

template <typename T>
T next_above(T x) {
  if constexpr (std::is_floating_point_v<T>) return std::nextafter(x, greatest_of<T>());
  return x + 1;
}

// Selecting costs about as much per element of the sample as per element inside the brackets, of
// which there are some 11 / sqrt(sample) of the stream: this many make the sum least. Of longer
// streams the passes cost more than the selection does.
int64_t sample_size_for(int64_t size) {
  if (size <= kSmall) return size;
  const auto least_work = static_cast<int64_t>(std::pow(5.5 * static_cast<double>(size), 2.0 / 3));
  return std::min(least_work, std::clamp<int64_t>(size / 256, kLeastSample, kMaxSample));
}

// An element of about the wanted rank, on its far side from the nearer end: so that the longer part
// is most likely the one that drops out.
template <typename T>
T pivot_for(const T* first, const T* nth, const T* last) {
  constexpr ptrdiff_t kPicks = 31, kBias = 3;
  T picks[kPicks];
  const ptrdiff_t step = (last - first) / kPicks;
  for (ptrdiff_t i = 0; i < kPicks; ++i) picks[i] = first[i * step + step / 2];
  std::sort(picks, picks + kPicks);
  const ptrdiff_t place = (nth - first) * kPicks / (last - first);
  return picks[std::clamp<ptrdiff_t>(place < kPicks / 2 ? place + kBias : place - kBias, 0,
                                     kPicks - 1)];
}

// std::nth_element by the processor's own means. `scratch` has room for all elements.
template <typename T>
void select(T* first, T* nth, T* last, T* scratch) {
  constexpr ptrdiff_t kFew = 256;
  constexpr int kMostRounds = 32;  // far more than bad luck explains
  const auto partition = simd_kernels<T>().partition;
  for (int round = 0; last - first > kFew && round < kMostRounds; ++round) {
    const T pivot = pivot_for(first, nth, last);
    T* const middle = first + partition(first, last - first, pivot, Side::kBelow, scratch);
    if (nth < middle) {
      last = middle;
      continue;
    }
    T* const past = middle + partition(middle, last - middle, pivot, Side::kNotAbove, scratch);
    if (nth < past) return;
    first = past;
  }
  std::nth_element(first, nth, last);
}

// The elements of some ranks, in ascending order. Rearranges.
template <typename T>
class Selection {
 public:
  explicit Selection(std::span<T> elements)
      : first_(elements.data()),
        next_(first_),
        last_(first_ + elements.size()),
        scratch_(std::make_unique_for_overwrite<T[]>(elements.size())) {}

  T at(int64_t rank) {
    T* const nth = first_ + rank;
    if (nth < next_) return *nth;
    if (nth == next_) {
      const T least = simd_kernels<T>().extremes(next_, last_ - next_).min;
      std::iter_swap(next_, std::find(next_, last_, least));
    } else {
      select(next_, nth, last_, scratch_.get());
    }
    next_ = nth + 1;
    return *nth;
  }

 private:
  T* first_;
  T* next_;  // nothing before is greater than anything from here on
  T* last_;
  std::unique_ptr<T[]> scratch_;
};

uint64_t scramble(uint64_t x) {  // SplitMix64
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

}  // namespace

template <typename T>
StreamingQuantiles<T>::StreamingQuantiles(int64_t size, std::vector<int64_t> ranks,
                                          int64_t sample_size)
    : size_(size), unresolved_(ranks.size()) {
  for (int64_t rank : ranks) {
    Target target;
    target.rank = rank;
    targets_.push_back(std::move(target));
  }
  if (sample_size == 0) sample_size = sample_size_for(size);
  sample_size_ = std::min(size, sample_size);
  sample_.reserve(static_cast<size_t>(sample_size_));
  if (sample_size_ < size_) next_position_ = sample_position(0);
}

// One place in each of sample_size_ equal stretches: at random in it, so that no period of the data
// matters.
template <typename T>
int64_t StreamingQuantiles<T>::sample_position(int64_t index) {
  // Division of 128 bits is slow, and only needed for streams of many terabytes.
  constexpr int64_t kFits = (int64_t{1} << 62) / (kMaxSample + 1);
  const int64_t begin = stretch_end_;
  stretch_end_ =
      size_ < kFits && sample_size_ <= kMaxSample
          ? (index + 1) * size_ / sample_size_
          : static_cast<int64_t>(static_cast<__int128>(index + 1) * size_ / sample_size_);
  const auto width = static_cast<unsigned __int128>(stretch_end_ - begin);
  return begin + static_cast<int64_t>((width * scramble(static_cast<uint64_t>(index))) >> 64);
}

template <typename T>
void StreamingQuantiles<T>::sample(const T* x, int64_t start, int64_t count) {
  if (sample_size_ == size_) {
    sample_.insert(sample_.end(), x, x + count);
    return;
  }
  while (next_position_ < start + count) {
    sample_.push_back(x[next_position_ - start]);
    const auto taken = static_cast<int64_t>(sample_.size());
    next_position_ =
        taken == sample_size_ ? std::numeric_limits<int64_t>::max() : sample_position(taken);
  }
}

template <typename T>
void StreamingQuantiles<T>::settle(Target& target, T value) {
  target.value = value;
  target.resolved = true;
  target.bins = {};
  --unresolved_;
}

template <typename T>
void StreamingQuantiles<T>::plan() {
  Selection<T> selection(sample_);
  if (sample_size_ == size_) {
    for (Target& target : targets_) settle(target, selection.at(target.rank));
    sample_ = {};
    return;
  }
  // The places in the ordered sample between which each rank lies almost surely; overlapping ones
  // are one bracket.
  const auto m = static_cast<double>(sample_size_);
  struct Range {
    int64_t low, high;
  };
  std::vector<Range> ranges;
  for (Target& target : targets_) {
    const double p = static_cast<double>(target.rank) / static_cast<double>(size_ - 1);
    const double margin = kDeviations * std::sqrt(m * p * (1 - p)) + 2;
    const auto low = static_cast<int64_t>(std::floor(p * m - margin));
    const auto high = static_cast<int64_t>(std::ceil(p * m + margin));
    if (!ranges.empty() && low <= ranges.back().high) {
      ranges.back().high = std::max(ranges.back().high, high);
    } else {
      ranges.push_back({low, high});
    }
    target.bracket = ranges.size() - 1;
  }
  for (const Range& range : ranges) {
    Bracket& bracket = brackets_.emplace_back();
    bracket.low = range.low < 0 ? lowest_of<T>() : selection.at(range.low);
    bracket.high = range.high >= sample_size_ ? greatest_of<T>() : selection.at(range.high);
    // The size that the sample predicts, and some more: pages that are not used are not touched.
    const double share = static_cast<double>(range.high - range.low) / m;
    if (bracket.low != bracket.high) {
      make_room(bracket, static_cast<size_t>(share * 1.1 * static_cast<double>(size_)) + kRoom);
    }
  }
  lay_out_thresholds();
  sample_ = {};
}

template <typename T>
void StreamingQuantiles<T>::lay_out_thresholds() {
  std::vector<T>& values = thresholds_.values;
  const auto add = [&](T value) {
    values.push_back(value);
    return values.size() - 1;
  };
  // Bounds from a part of the sample are enough: an error only collects a few elements more.
  const auto tied = [&](T value) {
    constexpr size_t kStep = 8;
    ptrdiff_t found = 0;
    for (size_t i = 0; i < sample_.size(); i += kStep) found += sample_[i] == value;
    return found > kFewTies / static_cast<ptrdiff_t>(kStep);
  };
  struct Ends {
    bool low_apart, high_apart;
  };
  std::vector<Ends> apart;
  for (size_t i = 0; i < brackets_.size(); ++i) {
    Bracket& b = brackets_[i];
    if (b.low == b.high) {  // one value only: nothing to collect
      apart.push_back({false, false});
      continue;
    }
    // Neighbours may share an end: then neither collects it.
    const bool shares_low = i > 0 && brackets_[i - 1].high == b.low;
    const bool shares_high = i + 1 < brackets_.size() && brackets_[i + 1].low == b.high;
    const Ends ends{shares_low || b.low == lowest_of<T>() || tied(b.low),
                    shares_high || b.high == greatest_of<T>() || tied(b.high)};
    apart.push_back(ends);
    b.start = add(ends.low_apart ? next_above(b.low) : b.low);
    b.end = add(ends.high_apart ? b.high : next_above(b.high));
  }
  const auto pad = [&] {
    while (!values.empty() && values.size() % 4 != 0) values.push_back(values.back());
  };
  pad();  // pairs: the number is even
  thresholds_.collecting = values.size();
  for (size_t i = 0; i < brackets_.size(); ++i) {
    Bracket& b = brackets_[i];
    const bool point = b.low == b.high;
    b.at_low = point || apart[i].low_apart ? add(b.low) : b.start;
    if (point || apart[i].high_apart) {
      b.above_high = b.high == greatest_of<T>() ? kNone : add(next_above(b.high));
    } else {
      b.above_high = b.end;
    }
    if (point) b.start = b.end = b.above_high;
  }
  pad();
  thresholds_.at_or_above.assign(values.size(), 0);
  scratch_.resize(8192);
}

template <typename T>
void StreamingQuantiles<T>::collect(const T* x, int64_t count) {
  if (static_cast<size_t>(count) > scratch_.size()) scratch_.resize(static_cast<size_t>(count));
  const int64_t inside = simd_kernels<T>().classify(x, count, thresholds_, scratch_.data());
  collected_ += inside;
  if (overflow_ || inside == 0) return;
  if (collected_ > kCollected + size_ / 16) {
    overflow_ = true;
    for (Bracket& b : brackets_) {
      b.inside = {};
      b.used = b.room = 0;
    }
    return;
  }
  distribute(scratch_.data(), static_cast<size_t>(inside));
}

template <typename T>
void StreamingQuantiles<T>::make_room(Bracket& bracket, size_t room) {
  auto larger = std::make_unique_for_overwrite<T[]>(room);
  if (bracket.used > 0) std::memcpy(larger.get(), bracket.inside.get(), bracket.used * sizeof(T));
  bracket.inside = std::move(larger);
  bracket.room = room;
}

// Each bracket gets its own. No branch depends on an element: it would be mispredicted.
template <typename T>
void StreamingQuantiles<T>::distribute(const T* x, size_t count) {
  std::vector<T> highs;
  std::vector<T*> ends;
  for (Bracket& b : brackets_) {
    if (b.room - b.used < count) make_room(b, std::max(b.used + count, b.room / 2 * 3));
    highs.push_back(b.high);
    ends.push_back(b.inside.get() + b.used);
  }
  highs.pop_back();
  for (const T* const end = x + count; x != end; ++x) {
    size_t place = 0;
    for (const T high : highs) place += *x > high;
    *ends[place]++ = *x;
  }
  for (size_t i = 0; i < brackets_.size(); ++i) {
    brackets_[i].used = static_cast<size_t>(ends[i] - brackets_[i].inside.get());
  }
}

template <typename T>
void StreamingQuantiles<T>::resolve() {
  if (!narrowing_) {
    resolve_from_brackets();
    narrowing_ = true;
    return;
  }
  for (Target& target : targets_) {
    if (target.resolved) continue;
    int64_t below = target.below;
    size_t bin = 0;
    while (below + target.bins[bin] <= target.rank) below += target.bins[bin++];
    const uint64_t low = target.key_low + (static_cast<uint64_t>(bin) << target.shift);
    const uint64_t width = (uint64_t{1} << target.shift) - 1;
    const uint64_t high = width > target.key_high - low ? target.key_high : low + width;
    search_keys(target, low, high, below);
  }
}

template <typename T>
void StreamingQuantiles<T>::resolve_from_brackets() {
  std::vector<Selection<T>> inside;
  for (Bracket& b : brackets_) inside.emplace_back(std::span(b.inside.get(), b.used));
  const auto above = [&](size_t threshold) {
    return threshold == kNone ? 0 : thresholds_.at_or_above[threshold];
  };
  for (Target& target : targets_) {
    Bracket& b = brackets_[target.bracket];
    const int64_t below = size_ - above(b.at_low);
    const int64_t not_above_low = b.at_low == b.start ? below : size_ - above(b.start);
    const int64_t below_high_end = size_ - above(b.end);
    const int64_t not_above = size_ - above(b.above_high);
    const int64_t rank = target.rank;
    if (rank < below) {
      search_keys(target, 0, to_key(b.low), 0);
    } else if (rank < not_above_low) {
      settle(target, b.low);
    } else if (rank < below_high_end) {
      if (overflow_) {
        search_keys(target, to_key(b.low), to_key(b.high), below);
      } else {
        settle(target, inside[target.bracket].at(rank - not_above_low));
      }
    } else if (rank < not_above) {
      settle(target, b.high);
    } else {
      search_keys(target, to_key(b.high) + 1, ~uint64_t{0} >> (64 - sizeof(T) * 8), not_above);
    }
  }
  brackets_ = std::vector<Bracket>();
}

template <typename T>
void StreamingQuantiles<T>::search_keys(Target& target, uint64_t key_low, uint64_t key_high,
                                        int64_t below) {
  target.key_low = key_low;
  target.key_high = key_high;
  target.below = below;
  if (key_low == key_high) {
    settle(target, from_key<T>(key_low));
    return;
  }
  target.shift = std::max(0, static_cast<int>(std::bit_width(key_high - key_low)) - kBinBits);
  target.bins.assign(((key_high - key_low) >> target.shift) + 1, 0);
}

template <typename T>
void StreamingQuantiles<T>::narrow(const T* x, int64_t count) {
  for (Target& target : targets_) {
    if (target.resolved) continue;
    const uint64_t low = target.key_low, width = target.key_high - target.key_low;
    for (int64_t i = 0; i < count; ++i) {
      const uint64_t offset = to_key(x[i]) - low;
      if (offset <= width) ++target.bins[offset >> target.shift];
    }
  }
}

template class StreamingQuantiles<float>;
template class StreamingQuantiles<double>;
template class StreamingQuantiles<int64_t>;
template class StreamingQuantiles<uint64_t>;

}  // namespace polygraphy
