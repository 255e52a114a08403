// Questions that a search may ask next, so that several can be answered side by side.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace polygraphy {

// Questions that may follow a question. Each call returns one more, the likeliest first; nullopt at
// their end. Valid until the question is answered. Empty if the search offers none. Answers must
// not depend on whether it is called.
template <typename Question>
using Upcoming = std::function<std::optional<Question>()>;

template <typename Question>
std::optional<Question> take_next(const Upcoming<Question>& upcoming) {
  return upcoming ? upcoming() : std::nullopt;
}

// These, from a position on.
template <typename Question>
Upcoming<Question> in_order(std::vector<Question> questions, size_t from = 0) {
  return [questions = std::move(questions), from]() mutable -> std::optional<Question> {
    return from < questions.size() ? std::optional(questions[from++]) : std::nullopt;
  };
}

template <typename Question>
Upcoming<Question> one_after_the_other(Upcoming<Question> first, Upcoming<Question> second) {
  return [first = std::move(first), second = std::move(second)] {
    std::optional<Question> next = take_next(first);
    return next ? next : take_next(second);
  };
}

// The result of `make` for each question, without those for which it is nullopt.
template <typename Made, typename Question>
Upcoming<Made> made_of(Upcoming<Question> questions,
                       std::function<std::optional<Made>(const Question&)> make) {
  return [questions = std::move(questions), make = std::move(make)]() -> std::optional<Made> {
    while (const std::optional<Question> question = take_next(questions)) {
      if (std::optional<Made> made = make(*question)) return made;
    }
    return std::nullopt;
  };
}

}  // namespace polygraphy
