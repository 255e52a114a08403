#include "given_model.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "arrays/buffer_array.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"

namespace native {

graphsurgeon::Model given_model(PyObject* data) {
  const std::shared_ptr<const Py_buffer> buffer = buffer_of(data);
  const std::span<const std::byte> bytes(static_cast<const std::byte*>(buffer->buf),
                                         static_cast<size_t>(buffer->len));
  std::shared_ptr<const void> owner;
  if (buffer->readonly != 0) owner = buffer;
  const WithoutGil released;
  return graphsurgeon::load_model_from_bytes(bytes, owner, "the model");
}

PyRef encoded_model(const graphsurgeon::Model& model) {
  std::string bytes;
  {
    const WithoutGil released;
    bytes = graphsurgeon::encode_model(model);
  }
  return to_bytes(bytes);
}

}  // namespace native
