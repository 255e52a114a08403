#include "polygraphy/diagnosis/locate/parts/side_values.h"

#include <utility>

#include "polygraphy/diagnosis/locate/measuring/model_runs.h"

namespace polygraphy {

SideValues::SideValues(const LocateRun& run, const WholeModel& model,
                       const std::vector<NodePart>& parts, const std::vector<ValueMap>& feeds)
    : run_(run), feeds_(feeds), borders_(parts.size()) {
  of_model_.insert(model.inputs().begin(), model.inputs().end());
  std::unordered_map<std::string, size_t> maker;
  for (size_t part = 0; part < parts.size(); ++part) {
    for (const size_t position : parts[part]) {
      for (const std::string& name : model.nodes()[position].makes) maker[name] = part;
    }
  }
  for (size_t part = 0; part < parts.size(); ++part) {
    for (const size_t position : parts[part]) {
      for (const std::string& name : model.nodes()[position].reads) {
        last_reader_[name] = part;  // parts are in order
        const auto made = maker.find(name);
        if (made != maker.end() && made->second != part) borders_[made->second].insert(name);
      }
    }
  }
  for (const std::string& name : model.outputs()) borders_[maker.at(name)].insert(name);
  for (std::vector<ArrayMap>* values : {&values_.reference, &values_.target, &values_.exact})
    values->resize(feeds.size());
  values_.noisy.assign(feeds.size(),
                       std::vector<ArrayMap>(static_cast<size_t>(run.job.noise_runs)));
  for (size_t sample = 0; sample < feeds.size(); ++sample)
    values_.reference[sample] = tensors_of(feeds[sample]);
  fused_reference_.resize(feeds.size());
  fused_target_.resize(feeds.size());
}

std::vector<ValueMap> SideValues::named(const std::vector<std::string>& inputs,
                                        const std::vector<ArrayMap>& values) const {
  std::vector<ValueMap> result(feeds_.size());
  for (size_t sample = 0; sample < feeds_.size(); ++sample) {
    for (const std::string& name : inputs) {
      if (const Array* value = values[sample].find(name)) {
        result[sample].set(name, *value);
      } else if (const Value* fed = feeds_[sample].find(name)) {
        result[sample].set(name, *fed);
      }
    }
  }
  return result;
}

SideFeeds SideValues::feeds(const std::vector<std::string>& inputs) {
  of_reference_ = named(inputs, values_.reference);
  of_target_ = named(inputs, values_.target);
  of_exact_ = named(inputs, values_.exact);
  std::vector<std::string> of_model, of_parts;
  for (const std::string& name : inputs)
    (of_model_.contains(name) ? of_model : of_parts).push_back(name);
  return {of_reference_, of_target_, of_exact_, [=, this](int64_t sample, int64_t evaluation) {
            const auto at = static_cast<size_t>(sample);
            ValueMap own;
            for (const std::string& name : of_model) {
              if (const Value* fed = feeds_[at].find(name)) own.set(name, *fed);
            }
            ValueMap feed = rounded_feed(own, run_.job.format, run_.job.seed, evaluation);
            for (const std::string& name : of_parts) {
              const ArrayMap& noisy = values_.noisy[at][static_cast<size_t>(evaluation)];
              if (const Array* value = noisy.find(name)) feed.set(name, *value);
            }
            return feed;
          }};
}

FusedFeeds SideValues::fused_feeds(const std::vector<std::string>& inputs) const {
  return {named(inputs, fused_reference_), named(inputs, fused_target_)};
}

void SideValues::add(size_t part, ValuesInPlace made, Borders borders) {
  const auto update = [&](ArrayMap& all, ArrayMap& fresh) {
    ArrayMap left;
    for (ArrayMap* from : {&all, &fresh}) {
      for (auto& [name, array] : *from) {
        const auto reader = last_reader_.find(name);
        if (reader != last_reader_.end() && reader->second > part) left.set(name, std::move(array));
      }
    }
    all = std::move(left);
  };
  for (size_t sample = 0; sample < feeds_.size(); ++sample) {
    update(values_.reference[sample], made.reference[sample]);
    update(values_.target[sample], made.target[sample]);
    update(values_.exact[sample], made.exact[sample]);
    update(fused_reference_[sample], borders.reference[sample]);
    update(fused_target_[sample], borders.target[sample]);
    for (size_t i = 0; i < values_.noisy[sample].size(); ++i)
      update(values_.noisy[sample][i], made.noisy[sample][i]);
  }
}

}  // namespace polygraphy
