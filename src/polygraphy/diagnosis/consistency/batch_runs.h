// Results of an engine for rows together, and for each alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "polygraphy/diagnosis/consistency/batch.h"
#include "polygraphy/diagnosis/consistency/engine_runs.h"

namespace polygraphy {

class BatchRuns {
 public:
  explicit BatchRuns(EngineRuns& runs) : runs_(runs) {}

  // Why there is no batch; empty: there is one.
  const std::string& none();
  // Any number of rows can be run together.
  bool open();
  int64_t size();
  // The number of different rows in the feeds, perhaps fewer than the batch.
  int64_t different();

  ValueMap feed();                                 // of all rows, in their order
  ArrayMap run(const std::vector<int64_t>& rows);  // together, in this order
  const ArrayMap& together();                      // all rows, in their order
  ArrayMap all();                                  // the same once more
  bool in_use() const { return together_.has_value(); }
  const ArrayMap& alone(int64_t row);  // where open()

  // Outputs with a row for each row of the inputs, and the axis of these rows.
  const std::vector<BatchAxis>& outputs();
  // The other outputs: "y (7, 3)".
  const std::vector<std::string>& left_out();

 private:
  const BatchRows& rows();
  std::vector<int64_t> in_order();
  void take_rows();
  void sort_outputs();

  EngineRuns& runs_;
  std::optional<BatchInputs> inputs_;
  std::optional<BatchRows> rows_;
  std::optional<ArrayMap> together_;
  std::vector<std::optional<ArrayMap>> alone_;
  bool sorted_ = false;
  std::vector<BatchAxis> outputs_;
  std::vector<std::string> left_out_;
};

}  // namespace polygraphy
