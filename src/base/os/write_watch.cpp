#include "base/os/write_watch.h"

#include <utility>

namespace polygraphy {
namespace {

constexpr uint64_t kStep = uint64_t{64} << 20;
thread_local constinit const WriteWatch* current = nullptr;

}  // namespace

WriteWatch::WriteWatch(Tell tell) : tell_(std::move(tell)), previous_(current) {
  current = this;
}

WriteWatch::~WriteWatch() {
  current = previous_;
}

void tell_written(const std::string& path, uint64_t before, uint64_t after) {
  if (current && before / kStep != after / kStep) current->tell_(path, after);
}

void tell_in_place(const std::string& path, uint64_t bytes) {
  if (current && bytes >= kStep) current->tell_(path, 0);
}

}  // namespace polygraphy
