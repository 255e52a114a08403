#include "polygraphy/runtimes/backend/raw_forms.h"

#include <fmt/format.h>

#include <memory>
#include <span>

#include "base/error.h"
#include "base/os/mapped_file.h"
#include "polygraphy/runtimes/backend/values.h"

namespace polygraphy {
namespace {

ValueKind kind_of(int32_t raw) {
  switch (raw) {
    case PGB_SEQUENCE:
      return ValueKind::kSequence;
    case PGB_MAP:
      return ValueKind::kMap;
    case PGB_OPTIONAL:
      return ValueKind::kOptional;
    default:
      return ValueKind::kTensor;
  }
}

}  // namespace

ValueInfo to_value_info(const pgb_tensor_info& raw) {
  ValueInfo value;
  value.name = raw.name ? raw.name : "";
  value.info.kind = kind_of(raw.kind);
  value.info.dtype = static_cast<DataType>(raw.dtype);
  if (raw.rank < 0) return value;
  if (raw.rank > kMaxRank || (raw.rank > 0 && !raw.dims)) {
    throw Error(fmt::format("the runtime returned '{}' with {} dimensions{}", value.name, raw.rank,
                            raw.dims ? "" : ", but no sizes"));
  }
  const bool of_items = value.info.kind == ValueKind::kSequence;
  DimList& dims = (of_items ? value.info.item_shape : value.info.shape).emplace();
  for (int32_t i = 0; i < raw.rank; ++i) {
    const char* name = raw.dim_names ? raw.dim_names[i] : nullptr;
    if (raw.dims[i] >= 0) {
      dims.emplace_back(raw.dims[i]);
    } else if (name && *name) {
      dims.emplace_back(name);
    } else {
      dims.emplace_back();
    }
  }
  return value;
}

namespace {

ModelNames names_of(const ModelBlob& model) {
  if (!model.bytes.empty()) return read_model_names(model.bytes);
  const std::shared_ptr<const MappedFile> file = MappedFile::open(model.path);
  const std::span<const std::byte> bytes = file->bytes();
  return read_model_names({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> result;
  result.reserve(texts.size());
  for (const std::string& text : texts) result.push_back(text.c_str());
  return result;
}

std::vector<ValueInfo> value_infos(pgb_session* session,
                                   size_t (*list)(pgb_session*, size_t, const pgb_tensor_info**)) {
  std::vector<ValueInfo> result;
  const pgb_tensor_info* raw = nullptr;
  const size_t count = list(session, 0, &raw);
  result.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    list(session, i, &raw);
    result.push_back(to_value_info(*raw));
  }
  return result;
}

RawInfos::RawInfos(const Metadata& values) {
  for (const auto& [name, info] : values) {
    std::vector<int64_t>& dims = dims_.emplace_back();
    for (const Dim& dim : info.shape.value_or(DimList()))
      dims.push_back(dim.is_static() ? dim.value() : -1);
    pgb_tensor_info& raw = infos_.emplace_back();
    raw.struct_size = sizeof(raw);
    raw.name = name.c_str();
    raw.dtype = static_cast<int32_t>(info.dtype);
    raw.rank = info.shape ? static_cast<int32_t>(dims.size()) : -1;
    raw.dims = dims.data();  // which moving the list does not move
  }
}

RawOptions::RawOptions(const SessionOptions& options)
    : batches_(options.calibration), inputs_(options.inputs) {
  for (const auto& option : options.options) values_.push_back(pointers(option.second));
  for (size_t i = 0; i < values_.size(); ++i) {
    entries_.push_back({options.options[i].first.c_str(), values_[i].data(), values_[i].size()});
  }
  raw_.struct_size = sizeof(raw_);
  raw_.options = entries_.data();
  raw_.option_count = entries_.size();
  raw_.profile = options.profile;
  raw_.single_run = options.single_run;
  raw_.verbatim = options.verbatim;
  raw_.declared_inputs = inputs_.values().data();
  raw_.declared_input_count = inputs_.values().size();
  batches_.offer(raw_);
}

RawModel::RawModel(const ModelBlob& model, bool with_names) {
  raw_.struct_size = sizeof(raw_);
  raw_.format = model.format.c_str();
  raw_.path = model.path.empty() ? nullptr : model.path.c_str();
  if (!model.bytes.empty()) {
    raw_.bytes = model.bytes.data();
    raw_.byte_count = model.bytes.size();
    raw_.external_data =
        model.external_data_dir.empty() ? nullptr : model.external_data_dir.c_str();
  }
  if (!with_names || model.format != kOnnxFormat) return;
  names_ = names_of(model);
  if (names_.outputs.empty()) return;
  inputs_ = pointers(names_.inputs);
  outputs_ = pointers(names_.outputs);
  raw_.input_names = inputs_.data();
  raw_.input_count = inputs_.size();
  raw_.output_names = outputs_.data();
  raw_.output_count = outputs_.size();
}

}  // namespace polygraphy
