// Errors about a name that is not among the known ones: the names that it may stand for.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polygraphy {

// At most `most` of `names`, likeliest first: by edits
// (closest_match() of base/text.h), then those with `word` in them; else those with a last part
// like its last part ("Softmax" of "/layers.0/Softmax_169"), then short ones that `word`
// abbreviates ("ov": openvino). Views into `names`.
std::vector<std::string_view> near_names(std::string_view word,
                                         std::span<const std::string_view> names, size_t most = 3);

// "Did you mean 'a', 'b' or 'c'?", with `prefix` before each; empty where no name is like `word`.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> names,
                         std::string_view prefix = {});

// The first eight, and the number of the others: "a, b, c and 412 more".
std::string shortened(std::span<const std::string_view> names);

// The hint of the error: did_you_mean(), and "Inputs: a, b." with `what` = "Inputs", unless the
// list would have to be shortened although there is a suggestion.
std::string unknown_name_hint(std::string_view word, std::span<const std::string_view> names,
                              std::string_view what);

template <typename Names>
std::string unknown_name_hint(std::string_view word, const Names& names, std::string_view what) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  return unknown_name_hint(word, std::span<const std::string_view>(views), what);
}

}  // namespace polygraphy
