#include "graphsurgeon/wire/detached_values.h"

#include "graphsurgeon/wire/onnx_fields.h"
#include "graphsurgeon/wire/reader.h"
#include "graphsurgeon/wire/writer.h"

namespace graphsurgeon::wire {

namespace {

// Calls write_initializer(number, its message) in the place of each initializer.
template <typename WriteInitializer>
void rewrite(std::string_view encoded, Writer& writer, WriteInitializer write_initializer) {
  size_t number = 0;
  for (Reader fields(encoded); fields.next();) {
    if (fields.key() != bytes_key(model::kGraph)) {
      writer.raw(fields.raw());
      continue;
    }
    writer.begin(model::kGraph);
    for (Reader graph_fields(fields.bytes()); graph_fields.next();) {
      if (graph_fields.key() == bytes_key(graph::kInitializer)) {
        write_initializer(number++, graph_fields.raw(), graph_fields.bytes());
      } else {
        writer.raw(graph_fields.raw());
      }
    }
    writer.end();
  }
}

// Where something else will be written.
class Gap : public Body {
 public:
  explicit Gap(uint64_t size) : size_(size) {}
  uint64_t size() const override { return size_; }
  void write_to(Sink& sink) const override;

 private:
  uint64_t size_;
};

class Pieces : public Sink {
 public:
  void write(std::string_view bytes) override { pieces_.back().append(bytes); }
  void next() { pieces_.emplace_back(); }
  std::vector<std::string> take() { return std::move(pieces_); }

 private:
  std::vector<std::string> pieces_ = std::vector<std::string>(1);
};

void Gap::write_to(Sink& sink) const {
  dynamic_cast<Pieces&>(sink).next();
}

}  // namespace

ModelWithoutValues detach_values(std::string_view encoded, uint64_t least) {
  ModelWithoutValues result;
  StringSink sink(result.model);
  encode_to(sink, [&](Writer& writer) {
    result.values.clear();
    rewrite(encoded, writer, [&](size_t number, std::string_view raw, std::string_view message) {
      std::string_view values;
      for (Reader fields(message); fields.next();) {
        if (fields.key() == bytes_key(tensor::kRawData)) values = fields.bytes();
      }
      if (values.empty() || values.size() < least) {
        writer.raw(raw);
        return;
      }
      result.values.push_back(
          {number, static_cast<uint64_t>(values.data() - encoded.data()), values.size()});
      writer.begin(graph::kInitializer);
      for (Reader fields(message); fields.next();) {
        if (fields.key() != bytes_key(tensor::kRawData)) writer.raw(fields.raw());
      }
      writer.end();
    });
  });
  return result;
}

std::vector<std::string> pieces_around_values(std::string_view encoded,
                                              std::span<const AttachedValue> values) {
  Pieces pieces;
  encode_to(pieces, [&](Writer& writer) {
    auto next = values.begin();
    rewrite(encoded, writer, [&](size_t number, std::string_view raw, std::string_view message) {
      if (next == values.end() || next->initializer != number) {
        writer.raw(raw);
        return;
      }
      writer.begin(graph::kInitializer);
      // Among the other fields by its number, as writers of protobuf sort them.
      bool written = false;
      for (Reader fields(message); fields.next();) {
        if (!written && fields.number() > tensor::kRawData) {
          writer.body(tensor::kRawData, Gap(next->length));
          written = true;
        }
        writer.raw(fields.raw());
      }
      if (!written) writer.body(tensor::kRawData, Gap(next->length));
      writer.end();
      ++next;
    });
  });
  return pieces.take();
}

}  // namespace graphsurgeon::wire
