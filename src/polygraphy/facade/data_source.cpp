#include "polygraphy/facade/data_source.h"

namespace polygraphy {
namespace {

class GeneratorFeeds : public FeedSource {
 public:
  explicit GeneratorFeeds(DataSource::Generator generator) : generator_(std::move(generator)) {}

  std::optional<ValueMap> next(const Metadata&) override {
    if (ended_) return std::nullopt;
    std::optional<ValueMap> feed = generator_();
    ended_ = !feed;
    return feed;
  }

 private:
  DataSource::Generator generator_;
  bool ended_ = false;
};

}  // namespace

DataSource::DataSource(DataLoaderOptions options)
    : DataSource(Private(), [options = std::move(options)](Logger& log) {
        return generated_feeds(options, log);
      }) {}

DataSource DataSource::files(std::vector<std::string> paths) {
  return {Private(), [paths = std::move(paths)](Logger& log) { return saved_feeds(paths, log); }};
}

DataSource::DataSource(std::vector<ValueMap> feeds)
    : DataSource(Private(), [feeds = std::move(feeds)](Logger&) {
        return std::make_unique<GeneratorFeeds>(
            [feeds, next = size_t{0}]() mutable -> std::optional<ValueMap> {
              if (next == feeds.size()) return std::nullopt;
              return feeds[next++];
            });
      }) {}

DataSource DataSource::from(Generator generator) {
  return {Private(), [generator = std::move(generator)](Logger&) {
            return std::make_unique<GeneratorFeeds>(generator);
          }};
}

}  // namespace polygraphy
