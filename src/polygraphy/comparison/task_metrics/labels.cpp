#include "polygraphy/comparison/task_metrics/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/os/file_text.h"
#include "base/text.h"
#include "formats/json_reader.h"
#include "formats/plain_json.h"
#include "polygraphy/data/tensors/tensor_file.h"

namespace polygraphy {
namespace {

constexpr std::string_view kForms =
    "Labels are an array with samples in its first dimension, a JSON list, or lines of text.";

// Parts of an array along its first dimensions, so that `rank` are left.
std::vector<Array> parts(const Array& array, int64_t rank) {
  const Shape& shape = array.shape();
  const auto cut = shape.begin() + std::max<int64_t>(array.rank() - rank, 0);
  const Shape part(cut, shape.end());
  const int64_t count = element_count(Shape(shape.begin(), cut)), size = element_count(part);
  std::vector<Array> all;
  if (array.dtype() == DataType::kString) {
    const auto texts = array.strings();
    for (int64_t i = 0; i < count; ++i)
      all.push_back(
          Array::from_strings(part, {texts.begin() + i * size, texts.begin() + (i + 1) * size}));
    return all;
  }
  const auto whole = std::make_shared<const Array>(array.contiguous_aligned());
  const int64_t bytes = storage_bytes(array.dtype(), size);
  if (is_packed(array.dtype())) throw FormatError("labels must not be of a packed type");
  for (int64_t i = 0; i < count; ++i)
    all.push_back(Array::view(array.dtype(), part, whole->data() + i * bytes, whole));
  return all;
}

Label of_array(Array array) {
  Label label;
  if (array.dtype() == DataType::kString && array.rank() == 0) {
    label.text = array.strings().front();
  } else {
    label.values = std::move(array);
  }
  return label;
}

Labels of_samples(const Array& array, const std::string& source) {
  if (array.rank() == 0)
    throw FormatError(source + ": labels are one number, without a dimension for samples",
                      std::string(kForms));
  Labels labels{source};
  for (Array& part : parts(array, array.rank() - 1))
    labels.all.push_back(of_array(std::move(part)));
  return labels;
}

Labels of_tensors(const TensorFile& file, const std::string& path) {
  for (const StoredTensor& tensor : file.tensors) {
    if (file.tensors.size() == 1 || tensor.name == "labels") return of_samples(tensor.load(), path);
  }
  throw FormatError(
      fmt::format("{} has {} arrays, none of which is called 'labels'", path, file.tensors.size()),
      "Save one array, or give it that name.");
}

Label read_detections(JsonReader& json) {
  Label label;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "boxes") {
      label.boxes = read_plain_array(json);
    } else if (key == "labels" || key == "classes") {
      label.values = read_plain_array(json);
    } else {
      json.skip_value();
    }
  }
  const int64_t count = label.values.size();
  const bool boxes = label.boxes.rank() == 2 && label.boxes.shape()[1] == 4;
  if (label.boxes.size() != 4 * count || (count > 0 && !boxes))
    json.fail(fmt::format("expected boxes [N,4] and labels [N], but found {} and {} numbers",
                          label.boxes.size(), count));
  if (label.boxes.empty()) label.boxes = Array::zeros(DataType::kFloat64, {0, 4});
  return label;
}

Label read_label(JsonReader& json) {
  switch (json.peek()) {
    case JsonReader::Type::kString:
      return {.text = json.read_string()};
    case JsonReader::Type::kObject:
      return read_detections(json);
    default:
      return of_array(read_plain_array(json));
  }
}

Labels of_json(std::string_view text, const std::string& source) {
  Labels labels{source};
  JsonReader json(text, source);
  json.enter_array();
  while (json.next_element()) labels.all.push_back(read_label(json));
  json.finish();
  return labels;
}

Labels of_lines(std::string_view text, const std::string& source) {
  Labels labels{source};
  while (!text.empty()) {
    const size_t end = text.find('\n');
    labels.all.push_back({.text = std::string(strip(text.substr(0, end)))});
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return labels;
}

bool is_of_rows(const Label& label, int64_t rank) {
  return !label.text && label.boxes.empty() && label.values.rank() > rank;
}

Labels numbered(Labels labels) {
  for (size_t i = 0; i < labels.all.size(); ++i) labels.all[i].number = static_cast<int64_t>(i);
  return labels;
}

}  // namespace

Labels parse_labels(std::string_view text, const std::string& source) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";  // which editors put before UTF-8
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const size_t first = text.find_first_not_of(" \t\r\n");
  const bool json = first != std::string_view::npos && text[first] == '[';
  return numbered(json ? of_json(text, source) : of_lines(text, source));
}

Labels load_labels(const std::string& path) {
  const auto file = MappedFile::open(path);
  const TensorFormat* format = format_of(file->bytes(), path);
  if (format == nullptr || is_document(format) || !format->read)
    return parse_labels(text_of(*file), path);
  return numbered(of_tensors(read_tensor_file(file), path));
}

Labels Labels::rows(int64_t rank) const {
  Labels result{source};
  for (const Label& label : all) {
    if (!is_of_rows(label, rank)) {
      result.all.push_back(label);
      continue;
    }
    for (Array& row : parts(label.values, rank)) {
      Label one = of_array(std::move(row));
      one.number = label.number;
      result.all.push_back(std::move(one));
    }
  }
  return result;
}

bool Labels::has_rows(int64_t rank) const {
  return std::ranges::any_of(all, [&](const Label& label) { return is_of_rows(label, rank); });
}

}  // namespace polygraphy
