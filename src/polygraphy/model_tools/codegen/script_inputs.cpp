#include "polygraphy/model_tools/codegen/script_inputs.h"

#include "base/arrays/py_repr.h"

namespace polygraphy {
namespace {

constexpr std::string_view kComparator = "polygraphy.comparator";

std::string severity_text(Severity severity) {
  return "G_LOGGER." + std::string(severity_name(severity));
}

std::string metadata_text(const Metadata& shapes) {
  std::string text = "TensorMetadata()";
  for (const auto& [name, info] : shapes) {
    const std::string shape = info.shape ? shape_list_text(*info.shape) : "None";
    text += ".add(" + py_str_repr(name) + ", None, " + shape + ")";
  }
  return text;
}

std::string number_text(const GivenNumber& number) {
  return number.typed.empty() ? py_number(number.value) : number.typed;
}

// Of inputs that are saved or generated.
std::string data_loader_text(const RunScript::Inputs& inputs, PythonImports& imports) {
  if (!inputs.files.empty()) {
    imports.add(std::string(kComparator), "StreamingDataLoader");
    return PythonCall("StreamingDataLoader")
        .arg(py_names(inputs.files))
        .arg("allow_dirs", "True")
        .text();
  }
  PythonCall call("DataLoader");
  if (inputs.seed) call.arg("seed", std::to_string(*inputs.seed));
  if (inputs.iterations) call.arg("iterations", std::to_string(*inputs.iterations));
  if (!inputs.shapes.empty()) {
    call.arg("input_metadata", metadata_text(inputs.shapes));
    imports.add("polygraphy.common", "TensorMetadata");
  }
  std::vector<std::pair<std::string, std::string>> ranges;
  for (const auto& [input, ends] : inputs.ranges) {
    ranges.emplace_back(input,
                        "(" + number_text(ends.first) + ", " + number_text(ends.second) + ")");
  }
  if (!ranges.empty()) call.arg("val_range", py_dict(ranges));
  if (inputs.torch) call.arg("data_loader_backend_module", "'torch'");
  if (!call.has_arguments()) return {};
  imports.add(std::string(kComparator), "DataLoader");
  return call.text();
}

}  // namespace

DataLoaderScript data_loader_script(const RunScript::Inputs& inputs, PythonImports& imports) {
  if (!inputs.script) {
    const std::string call = data_loader_text(inputs, imports);
    return {call, call.empty() ? "" : "data_loader"};
  }
  imports.add("polygraphy", "mod");
  return {PythonCall("mod.import_from_script")
              .arg(py_str_repr(inputs.script->path))
              .arg("name", py_str_repr(inputs.script->name))
              .text(),
          "data_loader()"};
}

std::vector<std::string> logger_lines(const RunScript::Logging& logging) {
  std::vector<std::string> lines;
  if (logging.silent) {
    lines.push_back("module_severity = " + severity_text(Severity::kCritical));
  } else if (!logging.severities.empty()) {
    std::vector<std::pair<std::string, std::string>> severities;
    for (const auto& [path, severity] : logging.severities)
      severities.emplace_back(path, severity_text(severity));
    lines.push_back("module_severity = " + py_dict(severities));
  }
  if (!logging.colors) lines.emplace_back("colors = False");
  if (logging.timestamps) lines.emplace_back("timestamp = True");
  if (logging.line_info) lines.emplace_back("line_info = True");
  if (logging.file) lines.push_back("log_file = " + py_str_repr(*logging.file));
  return lines;
}

}  // namespace polygraphy
