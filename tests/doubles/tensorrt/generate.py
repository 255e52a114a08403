#!/usr/bin/env python3
"""generate.py HEADERS OUTPUT: reads one set of TensorRT's headers and writes into the folder OUTPUT

forward.h  a class template per interface, ForwardVBuilder<Impl> ...: each virtual function records its call, then calls
           the function of the same name of Impl. If Impl has none, it records that and returns
           nothing. So one source serves all sets of headers: functions that a set lacks are never called.
names.h    name_of(value) for every enumeration: "kFP16".
"""

import pathlib
import re
import sys

# Abstract classes outside of NvInferImpl.h that a library implements as well.
INTERFACES = {"NvInferRuntimeCommon.h": ["IPluginRegistry"], "NvOnnxParser.h": ["IParserError", "IParser", "IParserRefitter"]}
ENUMERATIONS = ["NvInferRuntimeBase.h", "NvInferPluginBase.h", "NvInferRuntimePlugin.h", "NvInferRuntimeCommon.h",
                "NvInferRuntime.h", "NvInfer.h", "NvOnnxParser.h"]
MASKS = {"BuilderFlags": "BuilderFlag", "TacticSources": "TacticSource", "QuantizationFlags": "QuantizationFlag",
         "SerializationFlags": "SerializationFlag", "TempfileControlFlags": "TempfileControlFlag",
         "TensorFormats": "TensorFormat", "NetworkDefinitionCreationFlags": "NetworkDefinitionCreationFlag",
         "OnnxParserFlags": "nvonnxparser::OnnxParserFlag"}
METHOD = re.compile(r"virtual\s+([^;{}()]*?)\b(\w+)\s*\(([^;{}]*)\)\s*(const)?\s*(noexcept)?\s*=\s*0\s*;")


def source(path):
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"//[^\n]*", "", text)
    # Declarations that no released library exports.
    return re.sub(r"#if ENABLE_FEATURE.*?#endif", "", text, flags=re.S)


def body_of(text, name):
    start = re.search(r"class\s+(?:\w+\s+)?" + name + r"\b[^;{]*\{", text)
    if not start:
        return None
    depth, at = 1, start.end()
    while depth:
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return text[start.end():at]


def split_arguments(text):
    parts, depth, part = [], 0, ""
    for c in text:
        depth += {"(": 1, "<": 1, ")": -1, ">": -1}.get(c, 0)
        if c == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += c
    return [p.strip() for p in parts + [part] if p.strip()]


def type_of(argument):
    argument = re.sub(r"\s*=.*$", "", argument)
    named = re.match(r"^(.*[\s*&])\w+(\[\])?$", argument, re.S)
    kind = named.group(1).strip() if named and named.group(1).strip() not in ("const", "struct") else argument
    return re.sub(r"\s+", " ", kind)


def is_recorded(name, const):
    return not const and not re.match(r"(get|is|query|has|infer|supports|areWeights|canRun)", name)


def forward(name, body, base):
    lines = [f"template <class Impl>\nclass Forward{name} final : public {base} {{", " public:",
             "  template <class... A>",
             f"  explicit Forward{name}(A&&... a) : impl(std::forward<A>(a)...) {{}}",
             "  mutable Impl impl;"]
    public_name = re.sub(r"^V", "I", name)
    for result, method, arguments, const, noexcept in METHOD.findall(body):
        if result.rstrip().endswith("~"):
            continue
        result = re.sub(r"\b(TRT_DEPRECATED|TRT_NODISCARD|TRT_DEPRECATED_API)\b", "", result)
        result = re.sub(r"\s+", " ", result).strip()
        if result == "PluginLibraryHandle":
            result = "void*"
        types = [type_of(a) for a in split_arguments(arguments)]
        parameters = ", ".join(f"{t} a{i}" for i, t in enumerate(types))
        values = ", ".join(f"a{i}" for i in range(len(types)))
        called = f'"{public_name}.{method}"'
        if base in ("IParser", "IParserRefitter", "IParserError"):
            result = re.sub(r"\bErrorCode\b", "nvonnxparser::ErrorCode", result)
        lines.append(f"  {result} {method}({parameters}) {const} {noexcept} override {{")
        if is_recorded(method, const):
            texts = ", ".join(f"Mask<{MASKS[t]}>{{a{i}}}" if t in MASKS else f"a{i}" for i, t in enumerate(types))
            lines.append(f"    record_call(impl, \"{public_name}\", \"{method}\"{', ' if texts else ''}{texts});")
        lines.append(f"    if constexpr (requires {{ impl.{method}({values}); }}) {{")
        # A method that returns void in this version may return a status in others.
        lines.append(f"      {'' if result == 'void' else 'return '}impl.{method}({values});")
        lines.append("    } else {")
        lines.append(f"      return not_implemented<{result}>({called});")
        lines.append("    }\n  }")
    lines.append("};\n")
    return "\n".join(lines)


def write_forward(headers):
    parts = ["#pragma once\n#include <utility>\n\n#include \"made.h\"\n#include \"record.h\"\n",
             "namespace tensorrt_double {\nusing namespace nvinfer1;\nusing namespace nvonnxparser;\n"]
    text = source(headers / "NvInferImpl.h")
    for name in re.findall(r"\bclass\s+(V\w+)\s*:\s*public\s+VRoot", text):
        parts.append(forward(name, body_of(text, name), "apiv::" + name))
    for header, names in INTERFACES.items():
        text = source(headers / header)
        for name in names:
            parts.append(forward(name, body_of(text, name), name))
    return "\n".join(parts) + "\n}  // namespace tensorrt_double\n"


def write_names(headers):
    found, values = {}, set()
    for path in [headers / name for name in ENUMERATIONS if (headers / name).exists()]:
        space = "nvonnxparser" if path.name == "NvOnnxParser.h" else "nvinfer1"
        text = source(path)
        for name, body in re.findall(r"enum class\s+(?:TRT_DEPRECATED_ENUM\s+)?(\w+)\s*:[^{;]*\{(.*?)\}", text, re.S):
            # Those of classes: their names would need the class.
            if name in ("Severity", "Impl") or (name == "ErrorCode" and space != "nvinfer1") or "\n    enum class " + name in text:
                continue
            enumerators = re.findall(r"(?:^|,)\s*(k\w+)", body)
            if enumerators and (space, name) not in found:
                found[space, name] = enumerators
    lines = ["#pragma once", "#include <NvInfer.h>", "#include <NvOnnxParser.h>", "namespace tensorrt_double {"]
    for (space, name), enumerators in sorted(found.items()):
        lines.append(f"inline const char* name_of({space}::{name} value) {{")
        for e in enumerators:
            lines.append(f"  if (value == {space}::{name}::{e}) return \"{e}\";")
        lines.append("  return nullptr;\n}")
    return "\n".join(lines) + "\n}  // namespace tensorrt_double\n"


def main():
    headers, output = map(pathlib.Path, sys.argv[1:])
    output.mkdir(parents=True, exist_ok=True)
    pragma = "// Generated by tests/doubles/tensorrt/generate.py.\n"
    (output / "forward.h").write_text(pragma + write_forward(headers), encoding="utf-8")
    (output / "names.h").write_text(pragma + write_names(headers), encoding="utf-8")


main()
