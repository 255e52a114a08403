#include "graphsurgeon/io/save.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "graphsurgeon/io/encoder.h"
#include "graphsurgeon/io/payload_bytes.h"
#include "graphsurgeon/io/placed_payloads.h"
#include "graphsurgeon/io/save_errors.h"
#include "graphsurgeon/io/save_plan.h"
#include "graphsurgeon/ir/payloads/encoded_payload.h"
#include "graphsurgeon/ir/payloads/source.h"
#include "graphsurgeon/wire/writer.h"

namespace graphsurgeon {

namespace {

using polygraphy::AtomicFile;
using polygraphy::Error;

// Below this it is cheaper to copy the bytes than to ask the system to.
constexpr size_t kCopyInKernel = 64 * 1024;

// Bytes that lie in the model's own file, or in a data file, go from file to file.
class FileSink final : public wire::Sink {
 public:
  FileSink(AtomicFile& out, const Source* source) : out_(out), source_(source) {}

  void write(std::string_view bytes) override {
    if (bytes.size() >= kCopyInKernel && source_ && source_->file && source_->file->fd() >= 0 &&
        source_->contains(bytes.data())) {
      out_.copy_from(source_->file->fd(),
                     static_cast<uint64_t>(bytes.data() - source_->bytes.data()), bytes.size());
    } else {
      out_.write(bytes);
    }
  }
  void write_file(const polygraphy::MappedFile& file, uint64_t offset, uint64_t length) override {
    if (length >= kCopyInKernel && file.fd() >= 0) {
      out_.copy_from(file.fd(), offset, length);
    } else {
      wire::Sink::write_file(file, offset, length);
    }
  }

 private:
  AtomicFile& out_;
  const Source* source_;
};

const Source* source_of(const Model& model) {
  return model.graph ? model.graph->store().source().get() : nullptr;
}

void check_source(const Source* source) {
  if (!source || !source->file || bytes_intact(*source->file)) return;
  throw polygraphy::IoError(
      fmt::format("{} changed on disk after loading, so its weights cannot be copied",
                  source->name),
      "Load it again.");
}

void copy_untouched(const Model& model, const std::string& path, const SaveOptions& options) {
  const Source* source = source_of(model);
  check_source(source);
  AtomicFile out(path, options.durability);
  out.expect(model.loaded_bytes.size());
  FileSink(out, source).write(model.loaded_bytes);
  check_source(source);
  out.commit();
}

// Are the file's bytes up to date, and mean the same at the new place?
bool can_copy(const Model& model, const std::string& path, const SaveOptions& options) {
  if (options.force_encode || options.external_data || !model.untouched()) return false;
  if (model.loaded_bytes.size() > kMaxMessageBytes) return false;
  if (!source_of(model)->has_external_data) return true;
  return options.share_external_data &&
         SavePlan(model, path, options, SavePlan::External::kNothing).keeps_references();
}

void write_data_file(const DataFile& data, AtomicFile& out, const Source* source) {
  out.expect(data.size);
  FileSink sink(out, source);
  for (const DataRange& range : data.ranges) {
    if (const uint64_t gap = range.offset - out.position(); gap > 0) {
      sink.write(std::string(gap, '\0'));
    }
    write_payload(*range.values, range.tensor, sink);
  }
}

void write_model(const Model& model, const SavePlan& plan, wire::Writer& writer, Encoder& encoder,
                 const std::string& path, const SaveOptions& options) {
  const Source* source = source_of(model);
  check_source(source);
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : path.substr(0, slash + 1);
  // Old model and old data stay until all new files are complete.
  std::vector<std::unique_ptr<AtomicFile>> files;
  for (const DataFile& data : plan.files()) {
    files.push_back(std::make_unique<AtomicFile>(folder + data.location, options.durability));
    write_data_file(data, *files.back(), source);
    files.back()->complete();
  }
  files.push_back(std::make_unique<AtomicFile>(path, options.durability));
  FileSink sink(*files.back(), source);
  writer.write_to(sink);
  encoder.encode(model);
  writer.finish();
  check_source(source);
  commit_together(files);
}

class KeepPlaces final : public Placement {
 public:
  Place place(const Payload&, bool) const override { return {}; }
};

class StripPayloads final : public Placement {
 public:
  StripPayloads(int64_t keep_bytes, std::string_view location)
      : keep_bytes_(keep_bytes), location_(location) {}

  Place place(const Payload& payload, bool) const override {
    // Texts cannot be external. External payloads get the new location, because the copy has no
    // folder.
    const bool is_kept =
        payload.nbytes() <= keep_bytes_ && payload.kind() != Payload::Kind::kExternal;
    if (payload.dtype() == DataType::kString || is_kept) return {};
    return {Place::Kind::kExternal, location_, {}, {}, {}};
  }
  // They are structure: the checker reads them.
  Place place_indices(const Payload& indices, bool initializer) const override {
    return indices.kind() == Payload::Kind::kExternal ? place(indices, initializer) : Place{};
  }

 private:
  int64_t keep_bytes_;
  std::string location_;
};

class ReferToFile final : public Placement {
 public:
  ReferToFile(const Source* source, const std::string& location, int64_t threshold,
              const PlacedPayloads& placed)
      : source_(source), location_(location), threshold_(threshold), placed_(placed) {}

  Place place(const Payload& payload, bool initializer) const override {
    if (const auto found = placed_.find(&payload); found != placed_.end()) return found->second;
    if (!initializer || payload.kind() != Payload::Kind::kInline ||
        payload.dtype() == DataType::kString || payload.nbytes() < threshold_) {
      return {};
    }
    const auto& encoded = static_cast<const EncodedPayload&>(payload);
    if (!source_ || !source_->file || encoded.source().get() != source_) return {};
    const std::string_view raw = encoded.raw_data();
    if (std::ssize(raw) != payload.nbytes() || !source_->contains(raw.data())) return {};
    return {Place::Kind::kExternal, location_,
            static_cast<uint64_t>(raw.data() - source_->bytes.data()), raw.size()};
  }

 private:
  const Source* source_;
  const std::string& location_;
  int64_t threshold_;
  const PlacedPayloads& placed_;
};

[[noreturn]] void too_big(uint64_t bytes) {
  throw Error(kModelTooLarge,
              fmt::format("the model needs {} bytes, but the limit of a protobuf message is {}",
                          bytes, kMaxMessageBytes),
              "Store the values in external data.");
}

std::string encode_to_string(const Model& model, const Placement& placement) {
  wire::Writer writer;
  Encoder encoder(writer, placement);
  encoder.encode(model);
  if (writer.size() > kMaxMessageBytes) too_big(writer.size());
  std::string bytes;
  bytes.reserve(writer.size());
  wire::StringSink sink(bytes);
  writer.write_to(sink);
  encoder.encode(model);
  writer.finish();
  return bytes;
}

void check_types(const Model& model) {
  if (!model.graph) return;
  const auto check = [](const std::vector<TensorRef>& tensors, const char* what) {
    for (const TensorRef& t : tensors) {
      if (t->dtype() != DataType::kUndefined || t->type_proto().data() != nullptr) continue;
      throw Error(fmt::format("{} '{}' of the graph has no type", what, t->name()),
                  "Set it with set_dtype(), or infer it with infer_shapes().");
    }
  };
  check(model.graph->inputs(), "input");
  check(model.graph->outputs(), "output");
}

}  // namespace

void save_model(const Model& model, const std::string& path, const SaveOptions& options) {
  if (options.check_types) check_types(model);
  if (can_copy(model, path, options)) return copy_untouched(model, path, options);
  using External = SavePlan::External;
  External external = options.external_data ? External::kInitializers : External::kNothing;
  for (;;) {
    const SavePlan plan(model, path, options, external);
    wire::Writer writer;
    Encoder encoder(writer, plan);
    encoder.encode(model);
    if (writer.size() <= kMaxMessageBytes) {
      return write_model(model, plan, writer, encoder, path, options);
    }
    // Too big for one message: first the initializers go out, then all there is.
    if (external == External::kEverything) too_big(writer.size());
    external = external == External::kNothing ? External::kInitializers : External::kEverything;
  }
}

std::string encode_model(const Model& model) {
  if (model.untouched()) {
    if (model.loaded_bytes.size() > kMaxMessageBytes) too_big(model.loaded_bytes.size());
    return std::string(model.loaded_bytes);
  }
  return encode_to_string(model, KeepPlaces());
}

std::string encode_without_payloads(const Model& model, int64_t keep_bytes,
                                    std::string_view location) {
  return encode_to_string(model, StripPayloads(keep_bytes, location));
}

std::string encode_beside_weights(const Model& model, const std::string& location,
                                  int64_t threshold) {
  return encode_beside_weights(model, location, threshold, {});
}

std::string encode_beside_weights(const Model& model, const std::string& location,
                                  int64_t threshold, const PlacedPayloads& placed) {
  const Source* source = source_of(model);
  check_source(source);
  return encode_to_string(model, ReferToFile(source, location, threshold, placed));
}

}  // namespace graphsurgeon
