// Where a loaded model's bytes come from.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "base/os/mapped_file.h"
#include "graphsurgeon/wire/field_gather.h"

namespace graphsurgeon {

class ExternalFolder;

// Shared by the store and by the payloads that view its bytes.
struct Source {
  std::string name;                                    // of the file, for messages
  std::string_view bytes;                              // all of it
  std::shared_ptr<const void> owner;                   // of the bytes
  std::shared_ptr<const polygraphy::MappedFile> file;  // null when the bytes are in memory
  std::shared_ptr<ExternalFolder> external;            // where external data is looked up
  // Some tensor, in an attribute perhaps, has its values in another file.
  bool has_external_data = false;

  bool contains(const char* p) const {
    return p >= bytes.data() && p <= bytes.data() + bytes.size();
  }
  // "model.onnx" or, for a pointer into the bytes, "model.onnx: at byte 17".
  std::string where(const char* p) const;

  // The gathered fields as a view that lives as long as this: of the bytes themselves where they
  // are in one piece there, else of a copy.
  std::string_view keep(const wire::FieldGather& gather) const;

 private:
  mutable std::deque<std::string> copies_;
};

}  // namespace graphsurgeon
