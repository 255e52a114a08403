#include "graphsurgeon/io/file_kind.h"

#include <algorithm>
#include <cstddef>

namespace graphsurgeon {

namespace {

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

}  // namespace

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

}  // namespace graphsurgeon
