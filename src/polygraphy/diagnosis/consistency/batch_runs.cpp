#include "polygraphy/diagnosis/consistency/batch_runs.h"

#include <fmt/format.h>

#include <numeric>

#include "base/arrays/py_repr.h"

namespace polygraphy {

const std::string& BatchRuns::none() {
  if (!inputs_) {
    inputs_ = find_batch_inputs(runs_.inputs(), runs_.job().batch_inputs);
    if (inputs_->none.empty()) take_rows();
  }
  return inputs_->none;
}

// Only inputs that were named are wrong where they have no rows.
void BatchRuns::take_rows() {
  try {
    if (rows().count() < 2) inputs_->none = "the given inputs have a single row";
  } catch (const RunnerFailure&) {
    throw;
  } catch (const Error& error) {
    if (!runs_.job().batch_inputs.empty()) throw;
    inputs_->none = error.what();
  }
}

bool BatchRuns::open() {
  return none().empty() && inputs_->fixed == 0;
}

const BatchRows& BatchRuns::rows() {
  if (!rows_) {
    const int64_t wanted = inputs_->fixed > 0 ? inputs_->fixed : runs_.job().batch_size;
    rows_.emplace(runs_.feeds(), inputs_->inputs, wanted);
    if (rows_->count() > 0) require_batch_that_fits(rows_->feed({0}), rows_->count());
    alone_.resize(static_cast<size_t>(rows_->count()));
  }
  return *rows_;
}

int64_t BatchRuns::size() {
  return none().empty() ? rows().count() : 0;
}

int64_t BatchRuns::different() {
  return none().empty() ? rows().different() : 0;
}

ArrayMap BatchRuns::run(const std::vector<int64_t>& chosen) {
  return runs_.infer(rows().feed(chosen));
}

std::vector<int64_t> BatchRuns::in_order() {
  std::vector<int64_t> all(static_cast<size_t>(size()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

ValueMap BatchRuns::feed() {
  return rows().feed(in_order());
}

ArrayMap BatchRuns::all() {
  return run(in_order());
}

const ArrayMap& BatchRuns::together() {
  if (!together_) together_ = all();
  return *together_;
}

const ArrayMap& BatchRuns::alone(int64_t row) {
  auto& outputs = alone_[static_cast<size_t>(row)];
  if (!outputs) outputs = run({row});
  return *outputs;
}

const std::vector<BatchAxis>& BatchRuns::outputs() {
  if (!sorted_) sort_outputs();
  return outputs_;
}

const std::vector<std::string>& BatchRuns::left_out() {
  if (!sorted_) sort_outputs();
  return left_out_;
}

void BatchRuns::sort_outputs() {
  for (const auto& [name, array] : together()) {
    const Array* one = open() ? alone(0).find(name) : nullptr;
    std::optional<size_t> axis;
    if (one || !open())
      axis = axis_of_rows(array, one, size(), runs_.facts().outputs.find(name), inputs_->dimension);
    if (axis) {
      outputs_.push_back({name, *axis});
    } else {
      left_out_.push_back(fmt::format("{} {}", name, py_tuple_repr(array.shape())));
    }
  }
  sorted_ = true;
}

}  // namespace polygraphy
