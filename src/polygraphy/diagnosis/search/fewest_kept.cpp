#include "polygraphy/diagnosis/search/fewest_kept.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "polygraphy/diagnosis/search/parallel_bisect.h"

namespace polygraphy {
namespace {

class Search {
 public:
  Search(const std::vector<std::string>& kinds, const PartTest& passes)
      : kinds_(kinds), ask_(passes) {}

  Part run() {
    const size_t count = kinds_.size();
    known_[{}] = false;
    known_[positions(count)] = true;
    const auto asked = [this](const Part& part, const auto& next) { return passes(part, next); };
    if (const auto one = ParallelBisect(count, asked).find_one()) return {*one};
    return ddmin(of_needed_kinds(), asked);
  }

 private:
  static Part positions(size_t count) {
    Part part(count);
    std::iota(part.begin(), part.end(), size_t{0});
    return part;
  }

  Part of_needed_kinds() {
    std::vector<Part> groups;  // in order of their first positions
    std::map<std::string, size_t> group_of;
    for (size_t i = 0; i < kinds_.size(); ++i) {
      const auto [known, is_new] = group_of.try_emplace(kinds_[i], groups.size());
      if (is_new) groups.emplace_back();
      groups[known->second].push_back(i);
    }
    const auto together = [&](const Part& wanted) {
      Part part;
      for (const size_t group : wanted)
        part.insert(part.end(), groups[group].begin(), groups[group].end());
      std::sort(part.begin(), part.end());
      return part;
    };
    return together(
        ddmin(positions(groups.size()), [&](const Part& part, const Upcoming<Part>& next) {
          return passes(together(part), made_of<Part, Part>(next, together));
        }));
  }

  bool passes(const Part& part, const Upcoming<Part>& next) {
    const auto known = known_.find(part);
    if (known != known_.end()) return known->second;
    const auto unknown = made_of<Part, Part>(next, [this](const Part& later) {
      return known_.contains(later) ? std::nullopt : std::optional(later);
    });
    return known_[part] = ask_(part, unknown);
  }

  const std::vector<std::string>& kinds_;
  const PartTest& ask_;
  std::map<Part, bool> known_;
};

}  // namespace

Part fewest_kept(const std::vector<std::string>& kinds, const PartTest& passes) {
  return Search(kinds, passes).run();
}

}  // namespace polygraphy
