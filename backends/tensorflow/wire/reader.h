// The reader of protocol buffers, which throws protozero::exception for a field of another wire
// type than the message has: without this, only debug builds check it, and end the process.
#pragma once

#include <protozero/config.hpp>
#include <protozero/exception.hpp>

#undef protozero_assert
#define protozero_assert(condition) \
  ((condition) ? static_cast<void>(0) : throw protozero::invalid_tag_exception())

#include <protozero/pbf_reader.hpp>
#include <string>

namespace tensorflow {

inline std::string text(protozero::pbf_reader& reader) {
  const protozero::data_view view = reader.get_view();
  return {view.data(), view.size()};
}

}  // namespace tensorflow
