#include "polygraphy/data/tensors/tensor_format.h"

#include <algorithm>

#include "base/text.h"

namespace polygraphy {
namespace {

using Content = TensorFormat::Content;

template <typename Wanted>
std::string names_of(Wanted wanted) {
  std::string names;
  for (const TensorFormat* format : listed_tensor_formats()) {
    if (wanted(*format)) names += (names.empty() ? "" : ", ") + std::string(format->name);
  }
  return names;
}

}  // namespace

bool TensorFormat::has_extension(std::string_view path) const {
  const std::string lower = to_lower(path);
  const auto all = split(extensions, ' ');
  return std::any_of(all.begin(), all.end(), [&](std::string_view extension) {
    return !extension.empty() && lower.ends_with(extension);
  });
}

std::vector<const TensorFormat*> listed_tensor_formats() {
  const auto table = tensor_formats();
  std::vector<const TensorFormat*> formats(table.begin(), table.end());
  std::stable_sort(formats.begin(), formats.end(),
                   [](const auto* a, const auto* b) { return a->order < b->order; });
  return formats;
}

const TensorFormat* format_of_extension(std::string_view path) {
  for (const TensorFormat* format : tensor_formats()) {
    if (format->has_extension(path)) return format;
  }
  return nullptr;
}

const TensorFormat* format_of(std::span<const std::byte> bytes, std::string_view path) {
  for (const TensorFormat* format : tensor_formats()) {
    if (format->recognizes != nullptr && format->recognizes(bytes)) return format;
  }
  const TensorFormat* named = format_of_extension(path);
  if (named != nullptr && named->content != Content::kBytes) return named;
  for (const TensorFormat* format : tensor_formats()) {
    if (format->resembles != nullptr && format->resembles(bytes)) return format;
  }
  return nullptr;
}

bool is_document(const TensorFormat* format) {
  return format != nullptr && format->content == Content::kDocument;
}

std::string names_of_saved_formats() {
  return names_of([](const TensorFormat& format) {
    return format.content == Content::kDocument || format.write != nullptr;
  });
}

std::string names_of_binary_formats() {
  return names_of([](const TensorFormat& format) { return format.write != nullptr; });
}

std::string names_of_loaded_formats() {
  return names_of(
      [](const TensorFormat& format) { return format.read != nullptr && format.write == nullptr; });
}

}  // namespace polygraphy
