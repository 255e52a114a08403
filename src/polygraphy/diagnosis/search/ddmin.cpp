#include "polygraphy/diagnosis/search/ddmin.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace polygraphy {
namespace {

class Search {
 public:
  explicit Search(const std::function<bool(const Part&)>& ask) : ask_(ask) {}

  Part run(Part part) {
    part = shortest_prefix(std::move(part));
    part = shortest_suffix(std::move(part));
    return thin_out(std::move(part));
  }

 private:
  bool fails(const Part& part) {
    const auto [known, is_new] = known_.try_emplace(part, false);
    if (is_new) known->second = ask_(part);
    return known->second;
  }

  static Part slice(const Part& part, size_t from, size_t to) {
    return {part.begin() + static_cast<ptrdiff_t>(from), part.begin() + static_cast<ptrdiff_t>(to)};
  }

  // part[0, passing) passes or is empty, part[0, failing) fails.
  Part shortest_prefix(Part part) {
    size_t passing = 0, failing = part.size();
    while (failing - passing > 1) {
      const size_t middle = passing + (failing - passing) / 2;
      (fails(slice(part, 0, middle)) ? failing : passing) = middle;
    }
    part.resize(failing);
    return part;
  }

  Part shortest_suffix(Part part) {
    size_t failing = 0, passing = part.size();
    while (passing - failing > 1) {
      const size_t middle = failing + (passing - failing) / 2;
      (fails(slice(part, middle, part.size())) ? failing : passing) = middle;
    }
    part.erase(part.begin(), part.begin() + static_cast<ptrdiff_t>(failing));
    return part;
  }

  // Takes out ever smaller pieces for as long as the rest fails. What stands at both ends is needed
  // most often, so the inside goes first.
  Part thin_out(Part part) {
    if (part.size() > 2) {
      const Part ends = {part.front(), part.back()};
      if (fails(ends)) part = ends;
    }
    size_t piece = (part.size() + 1) / 2;
    while (part.size() > 1) {
      bool smaller = false;
      for (size_t from = 0; from < part.size();) {
        const size_t to = std::min(from + piece, part.size());
        Part rest = slice(part, 0, from);
        rest.insert(rest.end(), part.begin() + static_cast<ptrdiff_t>(to), part.end());
        if (!rest.empty() && fails(rest)) {
          part = std::move(rest);
          smaller = true;
        } else {
          from = to;
        }
      }
      if (piece == 1 && !smaller) break;
      if (piece > 1) piece = std::min((piece + 1) / 2, std::max<size_t>(1, part.size() / 2));
    }
    return part;
  }

  const std::function<bool(const Part&)>& ask_;
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

Part ddmin(const Part& whole, const std::function<bool(const Part&)>& fails) {
  return Search(fails).run(whole);
}

Part minimal_subset(size_t count, const std::function<bool(const Part&)>& fails) {
  if (count == 0 || fails({})) return {};
  Part all(count);
  std::iota(all.begin(), all.end(), size_t{0});
  return ddmin(all, fails);
}

}  // namespace polygraphy
