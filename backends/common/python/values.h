// Tensors and other values as messages and shared memory have them.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "common/plugin.h"
#include "common/ports.h"
#include "common/python/memory.h"
#include "common/python/messages.h"

namespace pgb::python {

// Copies feeds into shared memory, and says in a message where they lie.
class FeedWriter {
 public:
  // First of all values: how much memory they take.
  void measure(const pgb_value& value);
  size_t size() const { return size_; }
  void write(const pgb_value& value, char* memory, MessageWriter& message);

 private:
  size_t place(size_t bytes);

  size_t size_ = 0;  // measured
  size_t at_ = 0;    // written
};

// Outputs as they lie in shared memory. The values live as long as this.
class OutputReader {
 public:
  explicit OutputReader(OutputMemory& memory) : memory_(memory) {}
  // Throws Failure for values that do not lie within the memory.
  pgb_value read(MessageReader& message) { return read(message, 0); }

 private:
  pgb_value read(MessageReader& message, int depth);
  const char* within(int64_t at, int64_t bytes) const;
  void set_shape(pgb_value& value, MessageReader& message);

  OutputMemory& memory_;
  std::deque<std::vector<int64_t>> shapes_;
  std::deque<std::vector<pgb_value>> items_;
};

std::deque<Port> read_ports(MessageReader& message);

}  // namespace pgb::python
