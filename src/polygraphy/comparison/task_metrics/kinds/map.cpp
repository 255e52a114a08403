// `--metric map`: mean average precision of a detector.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/text.h"
#include "polygraphy/comparison/task_metrics/average_precision.h"
#include "polygraphy/comparison/task_metrics/judged_output.h"
#include "polygraphy/comparison/task_metrics/label_numbers.h"
#include "polygraphy/comparison/task_metrics/task_metric.h"

namespace polygraphy {
namespace {

// Without dimensions of one element in front: an image may be a batch of one.
Shape inner_shape(const Array& array, size_t rank) {
  Shape shape = array.shape();
  while (shape.size() > rank && shape.front() == 1) shape.erase(shape.begin());
  return shape;
}

bool are_boxes(const Array& output) {
  const Shape shape = inner_shape(output, 2);
  return is_floating(output.dtype()) && shape.size() == 2 && shape[1] == 4;
}

bool are_scores(const Array& output) {
  return is_floating(output.dtype()) && inner_shape(output, 1).size() == 1;
}

bool are_classes(const Array& output) {
  return is_integral(output.dtype()) && inner_shape(output, 1).size() == 1;
}

bool are_named_classes(const Array& output) {
  return are_scores(output) || are_classes(output);
}

// By name, else by form.
const Array& output_of(const ArrayMap& outputs, std::initializer_list<std::string_view> names,
                       std::string_view form, bool (*named)(const Array&),
                       bool (*suits)(const Array&)) {
  for (const std::string_view name : names) {
    if (outputs.contains(name))
      return outputs.at_index(place_of_output(outputs, std::string(name), form, named)).second;
  }
  return outputs.at_index(place_of_output(outputs, {}, form, suits)).second;
}

std::vector<Detection> detections(const Array& boxes, const Array& classes, const Array* scores) {
  const int64_t count = classes.size();
  NumberRows corners(boxes, 4), labels(classes, 1);
  std::vector<Detection> all;
  for (int64_t i = 0; i < count; ++i) {
    const auto box = corners.row(i);
    Detection one{.box = {box[0], box[1], box[2], box[3]}};
    one.label = static_cast<int64_t>(labels.row(i)[0]);
    if (scores) one.score = scores->get_double(i);
    if (!std::isnan(one.score)) all.push_back(one);  // that is not a detection
  }
  return all;
}

class MeanAveragePrecision : public TaskScores {
 public:
  int64_t rows(const ArrayMap&) override { return 1; }

  ScorePart add(const ArrayMap& outputs, std::span<const Label> right,
                const Labels& labels) override {
    const Array& boxes = output_of(outputs, {"boxes"}, "boxes [N,4]", are_boxes, are_boxes);
    const Array& scores = output_of(outputs, {"scores"}, "scores [N]", are_scores, are_scores);
    const Array& classes =
        output_of(outputs, {"labels", "classes"}, "classes [N]", are_named_classes, are_classes);
    if (boxes.size() != 4 * scores.size() || scores.size() != classes.size())
      throw Error(fmt::format("A detector's outputs have {} boxes, {} scores and {} classes",
                              boxes.size() / 4, scores.size(), classes.size()));
    const Label& there = right.front();
    if (there.boxes.empty())
      throw Error(name_of(there, labels) + " has no boxes",
                  R"(Labels of a detector are JSON: [{"boxes": [[0, 0, 9, 9]], "labels": [3]}].)");
    precision_.add(detections(boxes, classes, &scores),
                   detections(there.boxes, there.values, nullptr));
    return {};
  }

  double figure(std::span<const int64_t> times) const override { return precision_.mean(times); }

 private:
  AveragePrecision precision_;
};

std::unique_ptr<TaskScores> make_scores(const TaskMetricOptions& options) {
  if (!options.output.empty())
    throw Error("map reads three outputs, not only '" + options.output + "'",
                "They are called boxes, scores and labels, or are the only ones of their form.");
  return std::make_unique<MeanAveragePrecision>();
}

}  // namespace

extern constinit const TaskMetric task_metric_map = {
    .name = "map",
    .spelling = "map",
    .summary =
        "mean average precision of a detector by the rules of COCO, for overlaps from 0.50 "
        "to 0.95",
    .labels = "boxes and classes of each image",
    .order = 2,
    .form = TaskMetric::Form::kWhole,
    .label_rank = -1,
    .make = make_scores,
};

}  // namespace polygraphy
