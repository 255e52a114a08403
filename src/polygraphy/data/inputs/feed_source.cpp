#include "polygraphy/data/inputs/feed_source.h"

#include <cerrno>

#include "base/error.h"
#include "base/os/files/file_access.h"
#include "base/os/system_error.h"
#include "base/text.h"
#include "polygraphy/data/inputs/saved_feeds.h"
#include "polygraphy/data/results/input_files.h"
#include "polygraphy/data/results/saved_inputs.h"
#include "polygraphy/data/tensors/flat_names.h"

namespace polygraphy {
namespace {

class GeneratedFeeds : public FeedSource {
 public:
  GeneratedFeeds(DataLoaderOptions options, Logger& log) : loader_(std::move(options), log) {}

  std::optional<ValueMap> next(const Metadata& inputs) override {
    if (next_ >= loader_.iterations()) return std::nullopt;
    return loader_.generate(next_++, inputs);
  }
  std::optional<int64_t> total() const override { return loader_.iterations(); }
  bool generates() const override { return true; }
  std::vector<std::string> unmatched_shapes() const override { return loader_.unmatched_shapes(); }
  std::optional<ValueMap> again(int64_t iteration, const Metadata& inputs) override {
    return loader_.generate(iteration, inputs);
  }

 private:
  DataLoader loader_;
  int64_t next_ = 0;
};

class GivenFeeds : public FeedSource {
 public:
  explicit GivenFeeds(std::span<const ValueMap> feeds) : feeds_(feeds) {}

  std::optional<ValueMap> next(const Metadata&) override {
    if (next_ == feeds_.size()) return std::nullopt;
    return feeds_[next_++];
  }

 private:
  std::span<const ValueMap> feeds_;
  size_t next_ = 0;
};

class SavedFeeds : public FeedSource {
 public:
  SavedFeeds(std::vector<std::string> paths, TorchReader torch, std::vector<int64_t> order,
             Logger& log)
      : paths_(std::move(paths)), torch_(std::move(torch)), order_(std::move(order)), log_(log) {}

  std::optional<ValueMap> next(const Metadata& inputs) override {
    // Opened on first use, so that its messages follow the activation of runners.
    if (!reader_) {
      reader_ = std::make_unique<InputReader>(paths_, log_, torch_);
      if (!order_.empty()) reader_->reorder(order_);
    }
    std::optional<ArrayMap> feed = reader_->next(inputs);
    if (!feed && empty_)
      throw Error("No inputs in: " + join(paths_, ", "),
                  "A file of inputs is an object of arrays by name, or a list of such objects: "
                  "[{\"x\": [[1.0, 2.0]]}].");
    empty_ = false;
    return feed ? std::optional(unflatten(*feed, inputs)) : std::nullopt;
  }
  std::string place() const override { return reader_ ? reader_->file() : std::string(); }
  std::optional<int64_t> total() const override {
    return reader_ ? reader_->total() : std::nullopt;
  }

 private:
  std::vector<std::string> paths_;
  TorchReader torch_;
  std::vector<int64_t> order_;
  Logger& log_;
  std::unique_ptr<InputReader> reader_;
  bool empty_ = true;  // nothing has come yet
};

Array read_torch_tensor(UserPython& python, std::string_view base64, const std::string& what) {
  PythonMessage request, reply;
  request.header.set("text", std::string(base64));
  try {
    reply = python.call("load_tensor", std::move(request), "Reading a torch.Tensor");
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    throw Error(what + ": a torch.Tensor, which only PyTorch can read. " + error.what(),
                error.hint() + (error.hint().empty() ? "" : "\n") +
                    "Install torch there, or save the data as NumPy arrays: call .numpy() on the "
                    "tensors before saving them (.float().numpy() for bfloat16).");
  }
  const Array* array = reply.arrays.find("");
  if (array == nullptr) throw FormatError("Python sent no values.");
  return *array;
}

}  // namespace

std::unique_ptr<FeedSource> generated_feeds(DataLoaderOptions options, Logger& log) {
  return std::make_unique<GeneratedFeeds>(std::move(options), log);
}

TorchReader torch_reader(std::shared_ptr<UserPython> python) {
  if (!python) return {};
  return [python = std::move(python)](std::string_view base64, const std::string& what) {
    return read_torch_tensor(*python, base64, what);
  };
}

void require_saved_feeds(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    for (const InputFile& file : list_input_files(path)) {
      if (is_readable(file.path)) continue;
      throw IoError("cannot open '" + file.path + "': " + system_reason(errno), open_hint(errno));
    }
  }
}

std::unique_ptr<FeedSource> saved_feeds(std::vector<std::string> paths, Logger& log) {
  return std::make_unique<SavedFeeds>(std::move(paths), TorchReader(), std::vector<int64_t>(), log);
}

std::unique_ptr<FeedSource> saved_feeds(std::vector<std::string> paths,
                                        std::shared_ptr<UserPython> python, Logger& log,
                                        std::vector<int64_t> order) {
  return std::make_unique<SavedFeeds>(std::move(paths), torch_reader(std::move(python)),
                                      std::move(order), log);
}

std::unique_ptr<FeedSource> given_feeds(std::span<const ValueMap> feeds) {
  return std::make_unique<GivenFeeds>(feeds);
}

}  // namespace polygraphy
