// What a search will ask next, found out by running it ahead on guesses.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "polygraphy/diagnosis/reduce/candidate_tests/interestingness.h"

namespace polygraphy {

// A search from where it stands; what it returns is of no interest here.
using Search = std::function<void(InterestingnessTest&)>;

class Lookahead {
 public:
  // A candidate that nobody has answered, and the answers to others on the way to it.
  struct Open {
    std::string key;
    std::map<std::string, bool> assumed;
  };

  // `known` answers by key, whether the candidate fails; nullopt: that is open.
  Lookahead(Search search, std::function<std::optional<bool>(const std::string&)> known)
      : search_(std::move(search)), known_(std::move(known)) {}

  // At most `count` candidates that are worth an answer now. First those that are asked whether all
  // others fail or all pass, then the most likely ones, when an open candidate fails with
  // probability `fails`. Deterministic. A few times `count` runs of the search.
  std::vector<Open> next(size_t count, double fails) const;

  // Makes the candidate of an open candidate. False: the search did not come to it, or it cannot be
  // made.
  bool make(const Open& open,
            const std::function<void(const Candidate&, graphsurgeon::Model)>& use) const;

 private:
  using Answer = std::function<bool(const Candidate&)>;
  void run(const std::map<std::string, bool>& assumed, const Answer& open) const;
  std::vector<Open> on_the_way(bool fails, size_t most) const;

  Search search_;
  std::function<std::optional<bool>(const std::string&)> known_;
};

}  // namespace polygraphy
