#include "polygraphy/runtimes/in_parts/parts_runner.h"

#include <fmt/format.h>

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/log_modules.h"
#include "base/os/memory/pages.h"
#include "base/os/scratch_folder.h"
#include "polygraphy/data/tensors/graph_metadata.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/parts/node_groups.h"
#include "polygraphy/models/parts/part_model.h"

namespace polygraphy {
namespace {

// Each node alone: parts then follow the order of nodes.
std::vector<NodePart> single_nodes(size_t count) {
  std::vector<NodePart> nodes;
  for (size_t i = 0; i < count; ++i) nodes.push_back({i});
  return nodes;
}

class PartsRunner : public Runner {
 public:
  PartsRunner(const RunnerSpec& spec, const ModelSource& source, PartSize& size,
              RunnerFactory& factory, Logger& log, Logger& quiet)
      : Runner(spec.name, &log),
        spec_(spec),
        source_(source),
        size_(size),
        factory_(factory),
        log_(log),
        quiet_(quiet) {}
  ~PartsRunner() override {
    if (active()) deactivate();
  }

  std::string precision() override { return precision_; }

 protected:
  void activate_impl() override {
    const auto placement =
        factory_.reads_links(spec_) ? DataPlacement::kLinks : DataPlacement::kCopies;
    model_.emplace(std::move(*load_onnx(source_, quiet_)), temporary_folder(), placement);
    parts_.clear();
    last_reader_.clear();
  }
  void deactivate_impl() noexcept override { model_.reset(); }

  Metadata input_metadata_impl() override {
    return metadata_of_variables(model_->model().graph->inputs());
  }

  Inference infer_impl(const ValueMap& feeds) override {
    if (parts_.empty()) cut(feeds);
    Inference made;
    ArrayMap results;
    std::vector<ArrayMap> known = {tensors_of(feeds)};
    for (size_t part = 0; part < parts_.size(); ++part) {
      factory_.tools().cancel.check();
      for (auto& [name, value] : run(parts_[part], feeds, known, made.seconds)) {
        const Array* array = value.as_tensor();
        if (!array) {
          if (outputs_.contains(name)) made.outputs.set(name, std::move(value));
          continue;
        }
        if (outputs_.contains(name)) results.set(name, *array);
        known.front().set(name, *array);
      }
      forget(part, known.front());
      return_freed_memory();  // the next session takes the memory that this one has freed
    }
    made.outputs = in_order(feeds, results, std::move(made.outputs));
    return made;
  }

 private:
  void cut(const ValueMap& feeds) {
    parts_ = node_groups(*model_, single_nodes(model_->nodes().size()), feeds,
                         {.bytes = static_cast<uint64_t>(size_.bytes), .models = true});
    for (size_t part = 0; part < parts_.size(); ++part) {
      for (const size_t position : parts_[part]) {
        for (const std::string& name : model_->nodes()[position].reads) last_reader_[name] = part;
      }
    }
    for (const auto& output : model_->model().graph->outputs())
      outputs_.insert(std::string(output->name()));
    // Outputs that are constants or inputs need no part.
    if (parts_.empty() || std::exchange(size_.announced, true)) return;
    log_.info(log_modules::kRun,
              fmt::format("The model runs in {} parts: {}. Engines fuse no nodes of two parts",
                          parts_.size(), size_.reason));
  }

  ValueMap run(const NodePart& part, const ValueMap& feeds, const std::vector<ArrayMap>& known,
               double& seconds) {
    const ModelSource source = model_->write(part_model(model_->model(), part, known, feeds));
    const std::shared_ptr<Runner> runner = factory_.make(spec_, source, quiet_);
    ActiveRunner active(*runner);
    ValueMap wanted;
    for (const auto& [name, info] : runner->input_metadata()) {
      if (const Array* array = known.front().find(name)) {
        wanted.set(name, *array);
      } else if (const Value* fed = feeds.find(name)) {
        wanted.set(name, *fed);
      }
    }
    ValueMap outputs = active.infer(wanted);
    seconds += runner->last_inference_seconds();
    if (precision_.empty()) precision_ = runner->precision();
    return outputs;
  }

  // Values that no later part reads.
  void forget(size_t part, ArrayMap& known) const {
    ArrayMap left;
    for (auto& [name, array] : known) {
      const auto reader = last_reader_.find(name);
      if (reader != last_reader_.end() && reader->second > part) left.set(name, std::move(array));
    }
    known = std::move(left);
  }

  // Outputs may be inputs or weights, too, which no part makes.
  ValueMap in_order(const ValueMap& feeds, ArrayMap& results, ValueMap others) const {
    ValueMap ordered;
    for (const auto& output : model_->model().graph->outputs()) {
      const std::string name(output->name());
      if (Array* array = results.find(name)) {
        ordered.set(name, std::move(*array));
      } else if (Value* value = others.find(name)) {
        ordered.set(name, std::move(*value));
      } else if (const Value* fed = feeds.find(name)) {
        ordered.set(name, *fed);
      } else if (output->payload()) {
        ordered.set(name, output->payload()->load(name));
      }
    }
    return ordered;
  }

  const RunnerSpec spec_;
  const ModelSource source_;
  PartSize& size_;
  RunnerFactory& factory_;
  Logger& log_;
  Logger& quiet_;
  std::optional<WholeModel> model_;
  std::vector<NodePart> parts_;  // of the first feed
  std::unordered_set<std::string> outputs_;
  std::unordered_map<std::string, size_t> last_reader_;  // part
  std::string precision_;
};

}  // namespace

std::shared_ptr<Runner> parts_runner(const RunnerSpec& spec, const ModelSource& model,
                                     PartSize& size, RunnerFactory& factory, Logger& log,
                                     Logger& quiet) {
  return std::make_shared<PartsRunner>(spec, model, size, factory, log, quiet);
}

PartsFactory::PartsFactory(RunnerFactory& factory, PartSize size, Logger& log)
    : RunnerFactory(factory.tools(), log), factory_(factory), size_(std::move(size)) {
  show_as_verbose(quiet_, log, log_modules::kRun);
}

}  // namespace polygraphy
