// Where Comparator::run() takes its inputs from: anything that gives feeds, one per iteration.
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

  // Random inputs, as the command line makes them.
  DataSource(DataLoaderOptions options = {});
  // Saved inputs: files and folders, read as they are needed.
  static DataSource files(std::vector<std::string> paths);
  DataSource(std::vector<ValueMap> feeds);
  DataSource(std::initializer_list<ValueMap> feeds) : DataSource(std::vector<ValueMap>(feeds)) {}
  // A function that is called for every iteration.
  template <typename F>
    requires std::is_invocable_r_v<std::optional<ValueMap>, F&>
  DataSource(F next) : DataSource(from(Generator(std::move(next)))) {}
  // Any range of feeds, a view that makes them included. It is walked once, lazily, and must stay
  // alive unless it is given away.
  template <std::ranges::viewable_range R>
    requires(std::convertible_to<std::ranges::range_reference_t<R>, ValueMap> &&
             !std::is_same_v<std::remove_cvref_t<R>, std::vector<ValueMap>> &&
             !std::is_same_v<std::remove_cvref_t<R>, DataSource>)
  DataSource(R&& feeds) : DataSource(from_view(std::views::all(std::forward<R>(feeds)))) {}

  // May be called once for a generator or a range, which are used up by it.
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
