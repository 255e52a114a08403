// The source of inputs of Comparator::run(): one feed per iteration.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/log.h"
#include "polygraphy/data/inputs/data_loader.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/data/tensors/value.h"

namespace polygraphy {

class DataSource {
 public:
  // Gives the next feed; nullopt after the last.
  using Generator = std::function<std::optional<ValueMap>()>;

  // Random inputs, the same as the command line's.
  DataSource(DataLoaderOptions options = {});
  // Saved inputs: files and folders, read as they are needed.
  static DataSource files(std::vector<std::string> paths);
  DataSource(std::vector<ValueMap> feeds);
  DataSource(std::initializer_list<ValueMap> feeds) : DataSource(std::vector<ValueMap>(feeds)) {}
  // A function that returns the feed of each iteration.
  template <typename F>
    requires std::is_invocable_r_v<std::optional<ValueMap>, F&>
  DataSource(F next) : DataSource(from(Generator(std::move(next)))) {}
  // Any range of feeds, including views that generate them. It is walked once, lazily, and must
  // stay alive unless it is moved in.
  template <std::ranges::viewable_range R>
    requires(std::convertible_to<std::ranges::range_reference_t<R>, ValueMap> &&
             !std::is_same_v<std::remove_cvref_t<R>, std::vector<ValueMap>> &&
             !std::is_same_v<std::remove_cvref_t<R>, DataSource>)
  DataSource(R&& feeds) : DataSource(from_view(std::views::all(std::forward<R>(feeds)))) {}

  // Callable once for a generator or a range, which it consumes.
  std::unique_ptr<FeedSource> open(Logger& log) const { return open_(log); }

 private:
  using Open = std::function<std::unique_ptr<FeedSource>(Logger&)>;
  struct Private {};
  DataSource(Private, Open open) : open_(std::move(open)) {}
  static DataSource from(Generator generator);

  template <typename View>
  static DataSource from_view(View view) {
    struct Walk {
      View view;
      std::optional<std::ranges::iterator_t<View>> at = {};
    };
    auto walk = std::make_shared<Walk>(Walk{std::move(view)});
    return from([walk]() -> std::optional<ValueMap> {
      if (walk->at) {
        ++*walk->at;
      } else {
        walk->at = std::ranges::begin(walk->view);
      }
      if (*walk->at == std::ranges::end(walk->view)) return std::nullopt;
      return ValueMap(**walk->at);
    });
  }

  Open open_;
};

}  // namespace polygraphy
