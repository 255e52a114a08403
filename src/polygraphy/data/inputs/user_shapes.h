// The shapes and types that users set, by the inputs that they are for.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>

#include "base/log.h"
#include "base/ordered_map.h"
#include "polygraphy/data/inputs/data_loader.h"
#include "polygraphy/data/tensors/metadata.h"

namespace polygraphy {

// Dimensions that are open are 1.
Shape concrete(const DimList& dims);

class UserShapes {
 public:
  // Adds to `matched` the names of shapes that inputs have. All outlive it.
  UserShapes(const DataLoaderOptions& options, Logger& log, std::set<std::string>& matched)
      : options_(options), log_(log), matched_(matched) {}

  // Finds the user's entry for each input: the last one that matches. Entries without an input are
  // warned of, or, if no entry has one and options.strict_shapes, an InputError.
  void match(const Metadata& inputs);

  // Of an input, or of an item of a sequence; null: none.
  const TensorInfo* find(const std::string& name) const;
  // How many items of this sequence have individual shapes; 0: none has.
  size_t items(const std::string& sequence) const;
  // Gives an item the entry of its sequence, unless the user has set one for the item.
  void inherit(const std::string& sequence, const std::string& item);

  // The shape of the input: the user's, or the model's, with a warning, where the user's does not
  // fit. With options.strict_shapes that is an InputError.
  std::optional<DimList> overridden(const std::string& name, const TensorInfo& info,
                                    const DimList& user);
  // Whether the user's "dimensions" are the values of an integer input: of one that has one
  // dimension, as long as they are many.
  bool gives_values(const std::string& name, const TensorInfo& info, DataType type) const;

 private:
  void warn_about_unmatched(const std::string& key, const Metadata& inputs);

  const DataLoaderOptions& options_;
  Logger& log_;
  std::set<std::string>& matched_;
  OrderedMap<const TensorInfo*> user_;  // by input name, or that of a sequence's item
  OrderedMap<size_t> items_;            // of sequences with shapes for single items: how many
};

}  // namespace polygraphy
