#include "polygraphy/data/inputs/script_feeds.h"

#include "base/error.h"
#include "base/log_modules.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/data/user_python/metadata_json.h"

namespace polygraphy {
namespace {

class ScriptFeeds : public FeedSource {
 public:
  ScriptFeeds(std::shared_ptr<UserPython> python, ScriptFunction loader)
      : python_(std::move(python)), loader_(std::move(loader)) {}

  std::optional<ValueMap> next(const Metadata& inputs) override { return feed(inputs, {}); }
  std::string place() const override {
    return "Script " + loader_.symbol().path + ": " + loader_.symbol().name + "()";
  }
  std::optional<ValueMap> again(int64_t iteration, const Metadata& inputs) override {
    return feed(inputs, iteration);
  }

 private:
  std::optional<ValueMap> feed(const Metadata& inputs, JsonValue index) {
    PythonMessage request;
    request.header.set("inputs", to_json(inputs));
    request.header.set("index", std::move(index));
    PythonMessage reply = loader_.call("next_feed", std::move(request));
    if (!reply.header["end"].boolean()) {
      empty_ = false;
      return unflatten(reply.arrays, inputs);
    }
    if (!empty_) return std::nullopt;
    throw Error(place() + " returned no inputs.",
                "It must return or yield at least one dict of input name to array.");
  }

  std::shared_ptr<UserPython> python_;
  ScriptFunction loader_;
  bool empty_ = true;  // nothing has come yet
};

}  // namespace

std::unique_ptr<FeedSource> script_feeds(std::shared_ptr<UserPython> python, ScriptSymbol symbol,
                                         DataLoaderOptions options, Logger& log) {
  const ScriptFunction function(python, std::move(symbol));
  const PythonMessage loader = function.call("open_loader", {});
  if (loader.header["none"].boolean()) {
    log.warning(log_modules::kDataLoader, "Script " + function.symbol().path + ": " +
                                              function.symbol().name +
                                              "() returned nothing. Inputs will be generated.");
    return generated_feeds(std::move(options), log);
  }
  return std::make_unique<ScriptFeeds>(std::move(python),
                                       function.object(loader.header["id"].integer()));
}

}  // namespace polygraphy
