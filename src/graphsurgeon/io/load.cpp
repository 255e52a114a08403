#include "graphsurgeon/io/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "base/error.h"
#include "base/os/files/file_status.h"
#include "base/os/mapped_file.h"
#include "graphsurgeon/io/importer.h"
#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/ir/payloads/external_payload.h"
#include "graphsurgeon/ir/payloads/source.h"
#include "graphsurgeon/wire/field_gather.h"
#include "graphsurgeon/wire/onnx_fields.h"
#include "graphsurgeon/wire/reader.h"

namespace graphsurgeon {
namespace {

// The kind of a file that is not an ONNX model, for an error message.
struct FileKind {
  std::string_view
      what;  // "a Git LFS pointer, not the file itself"; empty when it is not recognised
  std::string_view hint;  // the remedy
};

using std::string_view_literals::operator""sv;

struct Signature {
  size_t offset;
  std::string_view bytes;
  FileKind kind;
};

constexpr std::string_view kExport = "Export the model to ONNX and give that file.";

// More specific ones first.
constexpr Signature kSignatures[] = {
    {0,
     "version https://git-lfs"sv,
     {"a Git LFS pointer, not the file itself", "Fetch the file with `git lfs pull`."}},
    {0,
     "PK\x03\x04"sv,
     {"a zip archive (such as a PyTorch checkpoint or an .npz file)",
      "Unpack it, or export the model to ONNX and give that file."}},
    {0, "\x1f\x8b"sv, {"compressed with gzip", "Unpack it first."}},
    {0, "BZh"sv, {"compressed with bzip2", "Unpack it first."}},
    {0,
     "\xfd"
     "7zXZ"sv,
     {"compressed with xz", "Unpack it first."}},
    {0, "\x28\xb5\x2f\xfd"sv, {"compressed with zstd", "Unpack it first."}},
    {0, "\x93NUMPY"sv, {"a NumPy array", kExport}},
    {0, "\x89HDF\r\n"sv, {"an HDF5 file (such as a Keras model)", kExport}},
    {0,
     "\x7f"
     "ELF"sv,
     {"an executable or shared library", kExport}},
    {0, "ftrt"sv, {"a TensorRT engine", "Give the ONNX model of the engine."}},
    {0, "ptrt"sv, {"a TensorRT engine", "Give the ONNX model of the engine."}},
    {0, "vtrt"sv, {"a TensorRT-RTX engine", "Give the ONNX model of the engine."}},
    {4, "TFL3"sv, {"a TensorFlow Lite model", kExport}},
    {4, "ORTM"sv, {"a model in ONNX Runtime's own format", "Give the original .onnx file."}},
    {8, "{\""sv, {"a safetensors file", kExport}},
    {0, "<!DOCTYPE"sv, {"a web page", "The download returned a page: fetch the file itself."}},
    {0, "<!doctype"sv, {"a web page", "The download returned a page: fetch the file itself."}},
    {0, "<html"sv, {"a web page", "The download returned a page: fetch the file itself."}},
    {0, "<HTML"sv, {"a web page", "The download returned a page: fetch the file itself."}},
    {0, "<?xml"sv, {"an XML file (such as an OpenVINO model)", kExport}},
    {0, "%PDF"sv, {"a PDF document", {}}},
    {0, "\x89PNG"sv, {"a picture", {}}},
    {0, "\x80\x02"sv, {"a Python pickle (such as an old PyTorch checkpoint)", kExport}},
    {0, "\x80\x04"sv, {"a Python pickle", kExport}},
};

bool is_text(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 ? byte != 0x7f : (c == '\n' || c == '\r' || c == '\t');
  });
}

// Looks at the first bytes only.
FileKind recognise(std::string_view bytes) {
  for (const Signature& s : kSignatures) {
    if (bytes.size() >= s.offset && bytes.substr(s.offset).starts_with(s.bytes)) return s.kind;
  }
  const std::string_view start = bytes.substr(0, 256);
  if (!is_text(start)) return {};
  const size_t first = start.find_first_not_of(" \t\r\n");
  if (first != start.npos && (start[first] == '{' || start[first] == '[')) {
    return {"a JSON file", kExport};
  }
  return {"a text file", "Convert ONNX's text form to the binary form first."};
}

using polygraphy::FormatError;
using polygraphy::MappedFile;
namespace field = wire::model;

// Files up to this size are read ahead; of larger ones only the pages that hold structure are read.
constexpr uint64_t kReadAheadBytes = uint64_t{64} << 20;

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {};
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::pair<std::string, std::string> decode_entry(std::string_view message) {
  std::pair<std::string, std::string> entry;
  for (wire::Reader reader(message); reader.next();) {
    if (reader.key() == wire::bytes_key(wire::entry::kKey)) entry.first = reader.bytes();
    if (reader.key() == wire::bytes_key(wire::entry::kValue)) entry.second = reader.bytes();
  }
  return entry;
}

// The fields of ModelProto, graphs not yet read.
struct Outline {
  Model model;
  std::vector<std::string_view> graphs;  // normally one; protobuf merges several
  std::vector<std::string_view> functions;
};

// A field that is there with its default value is kept encoded, so that it will be there again.
void set_text(std::string& to, const wire::Reader& reader, wire::FieldGather& unknown) {
  to = reader.bytes();
  if (to.empty()) unknown.add(reader.raw());
}

Outline read_outline(std::string_view bytes) {
  Outline outline;
  Model& model = outline.model;
  wire::FieldGather unknown;
  for (wire::Reader reader(bytes); reader.next();) {
    switch (reader.key()) {
      case wire::varint_key(field::kIrVersion):
        model.ir_version = reader.as_int64();
        if (model.ir_version == 0) unknown.add(reader.raw());
        break;
      case wire::bytes_key(field::kProducerName):
        set_text(model.producer_name, reader, unknown);
        break;
      case wire::bytes_key(field::kProducerVersion):
        set_text(model.producer_version, reader, unknown);
        break;
      case wire::bytes_key(field::kDomain):
        set_text(model.domain, reader, unknown);
        break;
      case wire::varint_key(field::kModelVersion):
        model.model_version = reader.as_int64();
        model.has_model_version = true;
        break;
      case wire::bytes_key(field::kDocString):
        set_text(model.doc_string, reader, unknown);
        break;
      case wire::bytes_key(field::kGraph):
        outline.graphs.push_back(reader.bytes());
        break;
      case wire::bytes_key(field::kOpsetImport):
        model.opset_imports.push_back(decode_opset_import(reader.bytes()));
        break;
      case wire::bytes_key(field::kMetadataProps):
        model.metadata.push_back(decode_entry(reader.bytes()));
        break;
      case wire::bytes_key(field::kFunctions):
        outline.functions.push_back(reader.bytes());
        break;
      default:
        unknown.add(reader.raw());
    }
  }
  model.unknown_fields = unknown.fields();
  return outline;
}

[[noreturn]] void not_a_model(const Source& source, const std::string& reason,
                              std::string_view hint) {
  const FileKind kind = recognise(source.bytes);
  if (!kind.what.empty()) {
    throw FormatError(fmt::format("{} is not an ONNX model: it is {}", source.name, kind.what),
                      std::string(kind.hint));
  }
  throw FormatError(reason, std::string(hint));
}

constexpr std::string_view kDamagedHint =
    "The file is truncated or damaged: copy, download or export it again.";

constexpr std::string_view kLimitHint =
    "This limit protects the program from hostile files; the file may be intact.";

// The same, with readable errors.
Outline read_outline(const Source& source) {
  if (source.bytes.empty()) {
    throw FormatError(fmt::format("{} is not an ONNX model: it is empty", source.name),
                      "Copy, download or export it again.");
  }
  Outline outline;
  try {
    outline = read_outline(source.bytes);
  } catch (const wire::ParseError& error) {
    not_a_model(source,
                fmt::format("{}: {} (not an ONNX model, or a damaged one)",
                            source.where(error.at()), error.what()),
                kDamagedHint);
  }
  if (outline.graphs.empty()) {
    not_a_model(source, fmt::format("{} is not an ONNX model: it has no graph", source.name),
                "It may be another protobuf message: a tensor (.pb of a test case), a graph "
                "without a model, or a TensorFlow graph.");
  }
  return outline;
}

Model import_model(const std::shared_ptr<Source>& source, const LoadOptions& options) {
  Outline outline = read_outline(*source);
  Model model = std::move(outline.model);
  wire::FieldGather merged;  // of plain bytes here: messages that follow each other are one message
  for (const std::string_view graph : outline.graphs) merged.add(graph);

  // Owned by its objects; until there are any, by this scope.
  Store* const store = Store::create();
  const struct Hold {
    explicit Hold(Store* s) : store(s) { store->retain(); }
    ~Hold() { store->release(); }
    Store* store;
  } hold(store);
  store->set_source(source);

  Importer importer(*store, options.max_nesting);
  try {
    model.graph = importer.import_graph(source->keep(merged));
    model.functions.reserve(outline.functions.size());
    for (const std::string_view function : outline.functions) {
      model.functions.push_back(importer.import_function(function));
    }
  } catch (const wire::ParseError& error) {
    const std::string place = importer.place();
    const bool is_limit = dynamic_cast<const TooDeeplyNested*>(&error) != nullptr;
    throw FormatError(fmt::format("{}: {}{}{}", source->where(error.at()), place,
                                  place.empty() ? "" : ": ", error.what()),
                      std::string(is_limit ? kLimitHint : kDamagedHint));
  }
  source->has_external_data = importer.has_external_data();
  model.loaded_bytes = source->bytes;
  model.external_data_dir = source->external->folder();
  model.remember_as_loaded();
  return model;
}

std::string refusal(const LoadOptions& options) {
  return options.ignore_external_data ? "its values are external data, which is ignored" : "";
}

}  // namespace

Model load_model(const std::string& path, const LoadOptions& options) {
  const auto status = polygraphy::file_status(path);
  const bool small = !status || status->bytes <= kReadAheadBytes;
  auto source = std::make_shared<Source>();
  source->file = MappedFile::open(
      path, small ? polygraphy::AccessPattern::kSequential : polygraphy::AccessPattern::kRandom);
  source->name = path;
  const auto bytes = source->file->bytes();
  source->bytes = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  source->owner = source->file;
  const std::string folder =
      options.external_data_dir.empty() ? folder_of(path) : options.external_data_dir;
  source->external = std::make_shared<ExternalFolder>(folder, path, refusal(options));
  Model model = import_model(source, options);
  model.path = path;
  return model;
}

Model load_model_from_bytes(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                            const std::string& name, const std::string& folder,
                            const LoadOptions& options) {
  auto source = std::make_shared<Source>();
  source->name = name;
  if (!owner) {
    auto copy =
        std::make_shared<std::string>(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    source->bytes = *copy;
    source->owner = std::move(copy);
  } else {
    source->bytes = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    source->owner = std::move(owner);
  }
  const std::string& data_folder =
      options.external_data_dir.empty() ? folder : options.external_data_dir;
  source->external = std::make_shared<ExternalFolder>(
      data_folder, std::string(),
      data_folder.empty() ? "its values are external data, but a model from memory has no folder"
                          : refusal(options));
  return import_model(source, options);
}

void check_external_data(const Model& model) {
  const auto& source = model.graph->store().source();
  if (source && model.untouched() && !source->has_external_data) return;
  for_each_payload(model, [](const PayloadUse& use) {
    for_each_external(*use.values,
                      [&](const ExternalPayload& payload) { payload.locate(use.name); });
  });
}

}  // namespace graphsurgeon
