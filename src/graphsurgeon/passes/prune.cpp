#include "graphsurgeon/passes/prune.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/log_modules.h"
#include "graphsurgeon/io/mapped_reader.h"
#include "graphsurgeon/io/payload_bytes.h"
#include "graphsurgeon/ir/payloads/computed_payload.h"
#include "graphsurgeon/passes/groups_of_four.h"
#include "graphsurgeon/passes/sparsity.h"

namespace graphsurgeon {

namespace {

// One row of a block: an element stays if at least two of its group go before it. `rows`: the first
// element of the first column; `out`: where the element of the first column goes.
template <typename Bits, size_t kRow>
void prune_row(const std::byte* rows, const GroupsOfFour& groups, size_t columns, Bits* out) {
  for (size_t column = 0; column < columns; ++column) {
    Bits of_row[4];
    for (size_t row = 0; row < 4; ++row) {
      of_row[row] = load_bits<Bits>(rows, row * groups.row_step + column * groups.column_step);
    }
    int before = 0;
    for (size_t row = 0; row < 4; ++row) {
      const bool smaller = row < kRow ? magnitude(of_row[row]) <= magnitude(of_row[kRow])
                                      : magnitude(of_row[row]) < magnitude(of_row[kRow]);
      before += row != kRow && smaller;
    }
    out[column * groups.column_step] = before < 2 ? Bits{0} : of_row[kRow];
  }
}

template <typename Bits>
using PruneRow = void (*)(const std::byte*, const GroupsOfFour&, size_t, Bits*);
template <typename Bits>
constexpr PruneRow<Bits> kPruneRow[] = {prune_row<Bits, 0>, prune_row<Bits, 1>, prune_row<Bits, 2>,
                                        prune_row<Bits, 3>};

class PrunedPayload final : public ComputedPayload {
 public:
  PrunedPayload(PayloadPtr values, size_t axis)
      : ComputedPayload(values->dtype(), values->shape()),
        values_(std::move(values)),
        groups_(shape(), axis) {}

  void produce(std::string_view tensor, const Take& take) const override {
    with_bits_of(dtype(), [&](auto bits) { prune_all<decltype(bits)>(tensor, take); });
    check_intact(*values_, tensor);
  }

 private:
  bool innermost() const { return groups_.column_step == 4; }

  template <typename Bits>
  void prune_all(std::string_view tensor, const Take& take) const {
    const size_t block = (innermost() ? 4 : 4 * groups_.row_step) * sizeof(Bits);
    if (values_->kind() != Kind::kComputed) {
      const Array array = values_->load(tensor).contiguous_aligned(1);
      MappedReader reader(*values_, tensor);
      if (array.size() != 0) prune_mapped<Bits>(array.bytes(), block, reader, take);
      return;
    }
    // Computed values come in pieces: wait for whole blocks.
    std::vector<std::byte> waiting;
    static_cast<const ComputedPayload&>(*values_).produce(
        tensor, [&](std::span<const std::byte> piece) {
          waiting.insert(waiting.end(), piece.begin(), piece.end());
          const size_t whole = waiting.size() / block * block;
          if (whole == 0) return;
          prune_blocks<Bits>(std::span(waiting).first(whole), take);
          waiting.erase(waiting.begin(), waiting.begin() + static_cast<ptrdiff_t>(whole));
        });
  }

  // Some whole blocks at a time, so that the pages can be released early.
  template <typename Bits>
  void prune_mapped(std::span<const std::byte> bytes, size_t block, MappedReader& reader,
                    const Take& take) const {
    const size_t step = std::max(kPieceBytes / block, size_t{1}) * block;
    for (size_t at = 0; at < bytes.size(); at += step) {
      const size_t length = std::min(step, bytes.size() - at);
      reader.at(at, length);
      prune_blocks<Bits>(bytes.subspan(at, length), take);
    }
  }

  template <typename Bits>
  void prune_blocks(std::span<const std::byte> bytes, const Take& take) const {
    if (innermost()) {
      along_innermost<Bits>(bytes, take);
    } else {
      along_outer<Bits>(bytes, take);
    }
  }

  template <typename Bits>
  static void flush(std::vector<Bits>& piece, const Take& take) {
    take(std::as_bytes(std::span(piece)));
    piece.clear();
  }

  // The four elements of a group are neighbours.
  template <typename Bits>
  void along_innermost(std::span<const std::byte> bytes, const Take& take) const {
    constexpr size_t kGroups = kPieceBytes / (4 * sizeof(Bits));
    const size_t groups = bytes.size() / (4 * sizeof(Bits));
    std::vector<Bits> piece;
    for (size_t group = 0; group < groups; group += kGroups) {
      const size_t columns = std::min(kGroups, groups - group);
      piece.resize(4 * columns);
      for (size_t row = 0; row < 4; ++row) {
        kPruneRow<Bits>[row](bytes.data() + group * 4 * sizeof(Bits), groups_, columns,
                             piece.data() + row);
      }
      flush(piece, take);
    }
  }

  // Row after row; each looks at all four.
  template <typename Bits>
  void along_outer(std::span<const std::byte> bytes, const Take& take) const {
    constexpr size_t kElements = kPieceBytes / sizeof(Bits);
    const size_t row_bytes = groups_.row_step * sizeof(Bits);
    std::vector<Bits> piece;
    for (size_t row = 0; row < bytes.size() / row_bytes; ++row) {
      const std::byte* rows = bytes.data() + row / 4 * 4 * row_bytes;
      for (size_t column = 0; column < groups_.columns;) {
        const size_t columns = std::min(kElements - piece.size(), groups_.columns - column);
        const size_t at = piece.size();
        piece.resize(at + columns);
        kPruneRow<Bits>[row % 4](rows + column * sizeof(Bits), groups_, columns, piece.data() + at);
        column += columns;
        if (piece.size() == kElements) flush(piece, take);
      }
    }
    flush(piece, take);
  }

  PayloadPtr values_;
  GroupsOfFour groups_;
};

}  // namespace

PayloadPtr pruned_payload(PayloadPtr values, size_t axis) {
  return std::make_shared<PrunedPayload>(std::move(values), axis);
}

size_t prune(Model& model, polygraphy::Logger& logger,
             const std::unordered_set<std::string_view>& skip) {
  const auto candidates = find_sparsity_candidates(model, logger, skip);
  const size_t count = candidates.size();
  logger.start(polygraphy::log_modules::kSparsity, fmt::format("Pruning {} tensors.", count));
  for (size_t i = 0; i < count; ++i) {
    const auto& [weight, axis] = candidates[i];
    logger.extra_verbose(polygraphy::log_modules::kSparsity,
                         fmt::format("Pruning tensor {}/{}: {}", i + 1, count, weight->name()));
    weight->replace_values(pruned_payload(weight->payload(), axis));
  }
  logger.finish(polygraphy::log_modules::kSparsity,
                fmt::format("Finished pruning {} tensors. ", count));
  if (count == 0) {
    logger.verbose(polygraphy::log_modules::kSparsity, "No need to build new model object");
    return 0;
  }
  logger.info(polygraphy::log_modules::kSparsity, "Replacing weights to build new model object...");
  model.producer_name = "polygraphy surgeon prune";
  model.producer_version.clear();
  return count;
}

}  // namespace graphsurgeon
