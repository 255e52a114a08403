// Scores of a classifier against the right classes: the body of top1 and topk.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "polygraphy/comparison/task_metrics/task_metric.h"

namespace polygraphy {

// A row is right if fewer than `count` classes have a higher score than its label; of equal scores,
// the class with the lower number ranks higher. A NaN ranks above all numbers; a label whose score
// is NaN is wrong. For one class, integers are answers as well.
std::unique_ptr<TaskScores> class_ranks(std::string output, int64_t count);

}  // namespace polygraphy
