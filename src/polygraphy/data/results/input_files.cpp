#include "polygraphy/data/results/input_files.h"

#include <algorithm>

#include "base/error.h"
#include "base/os/files/file_status.h"
#include "base/text.h"
#include "polygraphy/data/results/iteration_files.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/data/tensors/name_match.h"
#include "polygraphy/data/tensors/tensor_file.h"

namespace polygraphy {
namespace {

using Content = TensorFormat::Content;

bool holds_inputs(const std::string& file) {
  const std::string lower = to_lower(file);
  if (stem_of(lower).starts_with("output_") && lower.ends_with(".pb")) return false;
  const TensorFormat* format = format_of_extension(lower);
  return format != nullptr && format->content != Content::kDocument;
}

// Other programs call files .bin or .dat that are not raw bytes: null where the bytes leave it
// open.
const TensorFormat* format_at(const std::string& path) {
  const auto status = file_status(path);
  if (!status || !status->is_file()) return nullptr;
  return format_of(MappedFile::open(path)->bytes(), "");
}

InputFile input_file(const std::string& path) {
  InputFile file;
  file.path = path;
  const TensorFormat* format = format_of_extension(path);
  if (format != nullptr && format->content == Content::kBytes) {
    format = format_at(path);
    file.raw = format == nullptr || format->content == Content::kDocument;
  }
  file.part = file.raw || (format != nullptr && format->content == Content::kPart);
  if (file.raw) file.raw_input = {path, stem_of(path), {}};
  return file;
}

std::deque<InputFile> inputs_among(const std::vector<std::string>& files) {
  std::deque<InputFile> result;
  for (const std::string& path : files) {
    if (holds_inputs(path)) result.push_back(input_file(path));
  }
  return result;
}

// Those in the folders of a sample are raw bytes of inputs with '/' in their names, as
// --save-input-blob writes them: 0000000000/encoder/ids.bin is the input encoder/ids.
std::deque<InputFile> inputs_of_sample(const std::string& sample) {
  const Folder top = list_folder(sample);
  std::deque<InputFile> result = inputs_among(top.files);
  std::vector<std::string> open(top.folders.rbegin(), top.folders.rend());
  while (!open.empty()) {
    const Folder folder = list_folder(open.back());
    const std::string name = open.back().substr(sample.size() + (sample.ends_with('/') ? 0 : 1));
    open.pop_back();
    open.insert(open.end(), folder.folders.rbegin(), folder.folders.rend());
    for (InputFile& file : inputs_among(folder.files)) {
      if (!file.raw) continue;
      file.raw_input.name = name + "/" + stem_of(file.path);
      result.push_back(std::move(file));
    }
  }
  return result;
}

}  // namespace

std::deque<InputFile> list_input_files(const std::string& path) {
  if (auto raw = parse_raw_input(path)) {
    InputFile file;
    file.path = raw->path;
    file.part = file.raw = true;
    file.raw_input = std::move(*raw);
    return {file};
  }
  if (!is_existing_directory(path)) return {input_file(path)};
  const Folder folder = list_folder(path);
  std::deque<InputFile> result;
  for (const std::string& file : folder.files) {
    if (file.ends_with(".json")) result.push_back(input_file(file));
  }
  if (!result.empty()) {
    // As plain text sorts them: the same order as for results (list_iteration_files).
    std::sort(result.begin(), result.end(),
              [](const InputFile& a, const InputFile& b) { return a.path < b.path; });
    return result;
  }
  result = inputs_among(folder.files);
  if (!result.empty()) return result;
  for (const std::string& sample : folder.folders) {
    std::deque<InputFile> parts = inputs_of_sample(sample);
    if (!parts.empty()) parts.front().first = true;
    result.insert(result.end(), parts.begin(), parts.end());
  }
  if (result.empty()) {
    throw Error("No per-iteration '*.json' files found in directory: " + path,
                "It contains no other files of inputs (" + names_of_binary_formats() + ", " +
                    names_of_loaded_formats() + ", raw bytes), and neither do its folders.");
  }
  return result;
}

std::string input_name_for(const std::string& name, bool guess, const Metadata& inputs) {
  if (inputs.empty() || inputs.contains(name)) return name;
  // An item of a sequence is that item of the input.
  if (const auto item = parse_item_name(name)) {
    const std::string sequence = input_name_for(std::string(item->sequence), false, inputs);
    if (inputs.contains(sequence)) return item_name(sequence, item->index);
  }
  for (const std::string_view prefix : {"input_", "arr_"}) {
    const auto index = number_after(prefix, name);
    if (index && *index < inputs.size()) return inputs.at_index(*index).first;
  }
  return guess && inputs.size() == 1 ? inputs.at_index(0).first : name;
}

}  // namespace polygraphy
