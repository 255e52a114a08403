// The user's samples, for repeated use.
#pragma once

#include <cstdint>
#include <deque>

#include "base/log.h"
#include "base/os/files/descriptor.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/data/tensors/value.h"

namespace polygraphy {

// Each is read once, on first use. The first 64 MiB stay in memory; further samples go to an
// unnamed file, which is mapped.
class Samples {
 public:
  // `feeds` must outlive this.
  explicit Samples(FeedSource& feeds) : feeds_(feeds) {}
  Samples(const Samples&) = delete;
  Samples& operator=(const Samples&) = delete;

  bool read() const { return !samples_.empty() || ended_; }  // at() was called
  // Made to fit the inputs. Null behind the last; else valid as long as this. Throws Error,
  // IoError.
  const ValueMap* at(int64_t index, const Metadata& inputs, Logger& log);

 private:
  void keep(ValueMap sample);
  Array in_file(const Array& value);

  FeedSource& feeds_;
  std::deque<ValueMap> samples_;
  bool ended_ = false;
  int64_t in_memory_ = 0;  // bytes
  FileDescriptor file_;
  uint64_t written_ = 0;  // bytes
};

}  // namespace polygraphy
