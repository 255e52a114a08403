#include "polygraphy/diagnosis/search/ddmin.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "polygraphy/diagnosis/search/bisection.h"

namespace polygraphy {
namespace {

class Search {
 public:
  explicit Search(const PartTest& ask) : ask_(ask) {}

  Part run(Part part) {
    part = shortest_prefix(std::move(part));
    part = shortest_suffix(std::move(part));
    return thin_out(std::move(part));
  }

 private:
  bool fails(const Part& part, const Upcoming<Part>& next) {
    const auto [known, is_new] = known_.try_emplace(part, false);
    if (!is_new) return known->second;
    const auto unknown = [this](const Part& upcoming) {
      return known_.contains(upcoming) ? std::nullopt : std::optional(upcoming);
    };
    return known->second = ask_(part, made_of<Part, Part>(next, unknown));
  }

  static Part slice(const Part& part, size_t from, size_t to) {
    return {part.begin() + static_cast<ptrdiff_t>(from), part.begin() + static_cast<ptrdiff_t>(to)};
  }

  // part[0, passing) passes or is empty, part[0, failing) fails.
  Part shortest_prefix(Part part) {
    const auto prefix = [&part](size_t size) { return slice(part, 0, size); };
    size_t passing = 0, failing = part.size();
    while (failing - passing > 1) {
      const size_t middle = middle_of(passing, failing);
      const bool fails = this->fails(
          prefix(middle), made_of<Part, size_t>(middles_after(passing, failing), prefix));
      (fails ? failing : passing) = middle;
    }
    part.resize(failing);
    return part;
  }

  Part shortest_suffix(Part part) {
    const auto suffix = [&part](size_t from) { return slice(part, from, part.size()); };
    size_t failing = 0, passing = part.size();
    while (passing - failing > 1) {
      const size_t middle = middle_of(failing, passing);
      const bool fails = this->fails(
          suffix(middle), made_of<Part, size_t>(middles_after(failing, passing), suffix));
      (fails ? failing : passing) = middle;
    }
    part.erase(part.begin(), part.begin() + static_cast<ptrdiff_t>(failing));
    return part;
  }

  // Without part[from, to).
  static Part rest_of(const Part& part, size_t from, size_t to) {
    Part rest = slice(part, 0, from);
    rest.insert(rest.end(), part.begin() + static_cast<ptrdiff_t>(to), part.end());
    return rest;
  }

  static size_t smaller_piece(size_t piece, size_t size) {
    return std::min((piece + 1) / 2, std::max<size_t>(1, size / 2));
  }

  // Without a piece each, as long as all of that passes.
  static Upcoming<Part> rests(const Part& part, size_t from, size_t piece) {
    return [&part, from, piece]() mutable -> std::optional<Part> {
      if (from >= part.size()) {
        if (piece == 1) return std::nullopt;
        piece = smaller_piece(piece, part.size());
        from = 0;
      }
      const size_t to = std::min(from + piece, part.size());
      return rest_of(part, std::exchange(from, to), to);
    };
  }

  // Removes ever smaller pieces for as long as the rest fails. The positions at both ends are
  // needed most often, so the inside goes first.
  Part thin_out(Part part) {
    size_t piece = (part.size() + 1) / 2;
    if (part.size() > 2) {
      const Part ends = {part.front(), part.back()};
      if (fails(ends, rests(part, 0, piece))) part = ends;
    }
    piece = (part.size() + 1) / 2;
    while (part.size() > 1) {
      bool smaller = false;
      for (size_t from = 0; from < part.size();) {
        const size_t to = std::min(from + piece, part.size());
        Part rest = rest_of(part, from, to);
        if (!rest.empty() && fails(rest, rests(part, to, piece))) {
          part = std::move(rest);
          smaller = true;
        } else {
          from = to;
        }
      }
      if (piece == 1 && !smaller) break;
      if (piece > 1) piece = smaller_piece(piece, part.size());
    }
    return part;
  }

  const PartTest& ask_;
  std::map<Part, bool> known_;
};

}  // namespace

std::string to_text(const Part& part) {
  std::string text;
  for (size_t i = 0; i < part.size();) {
    size_t end = i + 1;
    while (end < part.size() && part[end] == part[end - 1] + 1) ++end;
    text += (text.empty() ? "" : ",") + std::to_string(part[i]);
    if (end - i > 1) text += "-" + std::to_string(part[end - 1]);
    i = end;
  }
  return text;
}

Part ddmin(const Part& whole, const PartTest& fails) {
  return Search(fails).run(whole);
}

Part minimal_subset(size_t count, const PartTest& fails) {
  if (count == 0) return {};
  Part all(count);
  std::iota(all.begin(), all.end(), size_t{0});
  const Part half(all.begin(), all.begin() + static_cast<ptrdiff_t>(count / 2));
  if (fails({}, in_order<Part>({half}))) return {};
  return ddmin(all, fails);
}

}  // namespace polygraphy
