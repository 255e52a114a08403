#include "formats/yaml_writer.h"

#include <yaml.h>

#include <new>

#include "base/error.h"
#include "formats/yaml_scalar.h"

namespace polygraphy {
namespace {

constexpr size_t kMostText = size_t{64} << 20;  // a longer text cannot be read again

class Writer {
 public:
  Writer() {
    if (!yaml_emitter_initialize(&emitter_)) throw std::bad_alloc();
    yaml_emitter_set_output(&emitter_, &Writer::receive, &text_);
    yaml_event_t event;
    emit(event, yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING));
  }
  ~Writer() { yaml_emitter_delete(&emitter_); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void document(const YamlValue& value) {
    yaml_event_t event;
    emit(event, yaml_document_start_event_initialize(&event, nullptr, nullptr, nullptr, 1));
    write(value);
    emit(event, yaml_document_end_event_initialize(&event, 1));
  }

  std::string finish() {
    yaml_event_t event;
    emit(event, yaml_stream_end_event_initialize(&event));
    yaml_emitter_flush(&emitter_);
    return std::move(text_);
  }

 private:
  static int receive(void* data, unsigned char* bytes, size_t size) {
    static_cast<std::string*>(data)->append(reinterpret_cast<const char*>(bytes), size);
    return 1;
  }

  void emit(yaml_event_t& event, int made) {
    if (!made) {
      throw Error("YAML does not support a text that is not UTF-8");
    }
    if (yaml_emitter_emit(&emitter_, &event)) return;
    if (emitter_.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
    throw Error(std::string("A value cannot be written as YAML: ") +
                (emitter_.problem ? emitter_.problem : "unknown reason"));
  }

  void write(const YamlValue& value) {
    yaml_event_t event;
    if (value.list()) {
      emit(event, yaml_sequence_start_event_initialize(&event, nullptr, nullptr, 1,
                                                       YAML_BLOCK_SEQUENCE_STYLE));
      for (const YamlValue& item : *value.list()) write(item);
      emit(event, yaml_sequence_end_event_initialize(&event));
    } else if (value.map()) {
      emit(event, yaml_mapping_start_event_initialize(&event, nullptr, nullptr, 1,
                                                      YAML_BLOCK_MAPPING_STYLE));
      for (const auto& [key, item] : *value.map()) {
        scalar(key, yaml_scalar_type(key) == YamlScalar::kText);
        write(item);
      }
      emit(event, yaml_mapping_end_event_initialize(&event));
    } else if (const std::string* text = value.text()) {
      scalar(*text, yaml_scalar_type(*text) == YamlScalar::kText);
    } else if (const auto* integer = std::get_if<int64_t>(&value.data)) {
      scalar(std::to_string(*integer), true);
    } else if (const auto* number = std::get_if<double>(&value.data)) {
      scalar(yaml_float(*number), true);
    } else if (const auto* truth = std::get_if<bool>(&value.data)) {
      scalar(*truth ? "true" : "false", true);
    } else {
      scalar("null", true);
    }
  }

  // `plain`: without quotes, a reader sees the right type.
  void scalar(const std::string& text, bool plain) {
    if (text.size() > kMostText) throw Error("The limit for a text in YAML is 64 MiB");
    yaml_event_t event;
    emit(event, yaml_scalar_event_initialize(
                    &event, nullptr, nullptr, reinterpret_cast<const yaml_char_t*>(text.data()),
                    static_cast<int>(text.size()), plain ? 1 : 0, 1, YAML_ANY_SCALAR_STYLE));
  }

  yaml_emitter_t emitter_;
  std::string text_;
};

}  // namespace

std::string yaml_text(std::span<const YamlValue> documents) {
  if (documents.empty()) return {};
  Writer writer;
  for (const YamlValue& document : documents) writer.document(document);
  return writer.finish();
}

}  // namespace polygraphy
