#include "tensorrt/api/building/profiles.h"

#include <algorithm>
#include <cstddef>

#include "tensorrt/api/names.h"
#include "tensorrt/api/option_text.h"
#include "tensorrt/api/tensor_layout.h"

namespace tensorrt::TENSORRT_FAMILY {
namespace {

constexpr std::array<const char*, 3> kNames = {"minimum", "optimum", "maximum"};
constexpr std::array kSelectors = {nv::OptProfileSelector::kMIN, nv::OptProfileSelector::kOPT,
                                   nv::OptProfileSelector::kMAX};
constexpr int32_t kWideShapeValues = 101100;  // TensorRT 10.11 takes them in 64 bits

using Shapes = std::vector<std::pair<std::string, std::vector<int64_t>>>;

void set(Shapes& shapes, const std::string& name, std::vector<int64_t> shape) {
  for (auto& each : shapes) {
    if (each.first == name) {
      each.second = std::move(shape);
      return;
    }
  }
  shapes.emplace_back(name, std::move(shape));
}

// Open dimensions are given a size.
std::vector<int64_t> closed(const std::string& name, std::vector<int64_t> shape,
                            const pgb::Host& host) {
  const std::string open = shape_text(shape);
  for (int64_t& dim : shape) dim = std::max<int64_t>(dim, dim < 0 ? 1 : 0);
  if (shape_text(shape) != open) {
    host.log(pgb::kWarning, kConfigModule,
             "Input tensor: " + name + " | For TensorRT profile, overriding dynamic shape: " +
                 open + " to: " + shape_text(shape));
  }
  return shape;
}

std::string names_of(const Shapes& shapes) {
  std::vector<std::string> names;
  for (const auto& each : shapes) names.push_back(each.first);
  return pgb::list_text(names);
}

void require_same_inputs(const Shapes& a, const char* which_a, const Shapes& b,
                         const char* which_b) {
  const bool same = a.size() == b.size() && std::all_of(a.begin(), a.end(), [&](const auto& each) {
                      return std::any_of(b.begin(), b.end(), [&](const auto& other) {
                        return other.first == each.first;
                      });
                    });
  if (same) return;
  throw pgb::bad_option("Mismatch in input names between " + std::string(which_a) + " shapes (" +
                        names_of(a) + ") and " + which_b + " shapes (" + names_of(b) + ")");
}

std::string range_text(const ShapeRange& range) {
  return "[min=" + shape_text(range[0]) + ", opt=" + shape_text(range[1]) +
         ", max=" + shape_text(range[2]) + "]";
}

void log_profiles(const std::vector<Profile>& profiles, const pgb::Host& host) {
  std::string text = "Configuring with profiles:[";
  for (size_t i = 0; i < profiles.size(); ++i) {
    text += (i ? ",\n    " : "\n    ") + ("Profile " + std::to_string(i)) + ":\n        " +
            profile_text(profiles[i], ",\n         ");
  }
  host.log(pgb::kInfo, kConfigModule, text + "\n]");
}

// Where the network's own shape and the profile contradict each other.
void check_against(const nv::ITensor& input, const ShapeRange& range) {
  const std::string name = input.getName();
  const nv::Dims dims = input.getDimensions();
  for (size_t which = 0; which < kNames.size(); ++which) {
    const std::vector<int64_t>& shape = range[which];
    if (dims.nbDims >= 0 && shape.size() != static_cast<size_t>(dims.nbDims)) {
      throw pgb::bad_option("Input " + name + ": the profile's " + kNames[which] + " shape " +
                            shape_text(shape) + " has " + std::to_string(shape.size()) +
                            " dimensions, but the network's " + shape_text(dims) + " has " +
                            std::to_string(dims.nbDims));
    }
    for (size_t i = 0; i < shape.size(); ++i) {
      if (dims.nbDims >= 0 && dims.d[i] >= 0 && dims.d[i] != shape[i]) {
        throw pgb::bad_option("Input " + name + ": dimension " + std::to_string(i) +
                              " of the profile's " + kNames[which] + " shape " + shape_text(shape) +
                              " is " + std::to_string(shape[i]) + ", but the network's is " +
                              std::to_string(dims.d[i]));
      }
      if (which > 0 && range[which - 1][i] > shape[i]) {
        throw pgb::bad_option("Input " + name + ": dimension " + std::to_string(i) +
                              " of the profile's " + kNames[which - 1] + " shape is " +
                              std::to_string(range[which - 1][i]) + ", above the " +
                              std::to_string(shape[i]) + " of its " + kNames[which] + " shape");
      }
    }
  }
}

const ShapeRange* find(const Profile& profile, const std::string& input) {
  for (const auto& [name, range] : profile) {
    if (matches(name, input)) return &range;
  }
  return nullptr;
}

std::string tuple_text(const std::vector<int64_t>& shape) {
  const std::string list = shape_text(shape);
  return "(" + list.substr(1, list.size() - 2) + (shape.size() == 1 ? ",)" : ")");
}

ShapeRange default_range(const nv::ITensor& input, const pgb::Host& host) {
  const std::vector<int64_t> known = to_vector(input.getDimensions());
  const std::string about = std::string(input.getName()) + " (dtype=DataType." +
                            std::string(name_of(input.getType())) + ", shape=" + tuple_text(known) +
                            ")";
  std::vector<int64_t> shape = known;
  if (input.isShapeTensor()) {
    shape.assign(known.empty() ? 1 : std::max<int64_t>(known[0], 1), 1);
    host.log(pgb::kWarning, kProfileModule,
             "Input shape-tensor: " + about +
                 " | No values provided; Will use input values: " + tuple_text(shape) +
                 " for min/opt/max in profile.\nThis will cause the shape-tensor to have static "
                 "values. If this is incorrect, please set the range of values for this input "
                 "shape-tensor.");
    return {shape, shape, shape};
  }
  for (int64_t& dim : shape) dim = dim < 0 ? 1 : dim;
  if (shape == known) return {shape, shape, shape};
  host.log(pgb::kWarning, kProfileModule,
           "Input tensor: " + about +
               " | No shapes provided; Will use shape: " + shape_text(shape) +
               " for min/opt/max in profile.\nThis will cause the tensor to have a static shape. "
               "If this is incorrect, please set the range of shapes for this input tensor.");
  return {shape, shape, shape};
}

template <typename Profile>
bool set_values(Profile& profile, const char* input, nv::OptProfileSelector which,
                const std::vector<int64_t>& values, const Library& library) {
  const auto count = static_cast<int32_t>(values.size());
  if constexpr (requires { profile.setShapeValues(input, which, nullptr, count); }) {
    if (library.version_number() < kWideShapeValues) {
      const std::vector<int32_t> narrow(values.begin(), values.end());
      return profile.setShapeValues(input, which, narrow.data(), count);
    }
  }
  return profile.setShapeValuesV2(input, which, values.data(), count);
}

}  // namespace

std::string profile_text(const Profile& profile, const char* separator) {
  std::string text = "{";
  for (const auto& [name, range] : profile)
    text += (text.size() > 1 ? separator : "") + name + " " + range_text(range);
  return text + "}";
}

std::vector<Profile> profiles_of(const pgb::Host& host, const pgb::Options& options) {
  Shapes known;
  const pgb_session_options& session = options.session();
  constexpr size_t kEnd =
      offsetof(pgb_session_options, declared_input_count) + sizeof(session.declared_input_count);
  const size_t declared = session.struct_size < kEnd ? 0 : session.declared_input_count;
  for (size_t i = 0; i < declared; ++i) {
    const pgb_tensor_info& info = session.declared_inputs[i];
    if (info.rank < 0) continue;
    set(known, info.name, closed(info.name, {info.dims, info.dims + info.rank}, host));
  }
  const std::array given = {options.occurrences("trt_min_shapes"),
                            options.occurrences("trt_opt_shapes"),
                            options.occurrences("trt_max_shapes")};
  size_t count = std::max({given[0].size(), given[1].size(), given[2].size(), size_t{1}});
  std::vector<Profile> profiles;
  for (size_t i = 0; i < count; ++i) {
    std::array<Shapes, 3> shapes;
    for (size_t which = 0; which < shapes.size(); ++which) {
      // A missing shape is the previous one.
      if (i < given[which].size()) {
        for (const std::string& text : given[which][i]) {
          const auto [name, shape] = parse_shape(text);
          set(known, name, closed(name, shape, host));
        }
      }
      shapes[which] = known;
    }
    require_same_inputs(shapes[0], kNames[0], shapes[1], kNames[1]);
    require_same_inputs(shapes[1], kNames[1], shapes[2], kNames[2]);
    Profile& profile = profiles.emplace_back();
    for (const auto& [name, shape] : shapes[0]) {
      ShapeRange range = {shape, {}, {}};
      for (size_t which = 1; which < shapes.size(); ++which) {
        for (const auto& [other, its] : shapes[which]) {
          if (other == name) range[which] = its;
        }
      }
      profile.emplace_back(name, std::move(range));
    }
  }
  return profiles;
}

AddedProfile add_profiles(const std::vector<Profile>& profiles, nv::IBuilder& builder,
                          nv::INetworkDefinition& network, nv::IBuilderConfig& config,
                          const Library& library, Logger& logger) {
  std::vector<Profile> complete;
  const nv::IOptimizationProfile* last = nullptr;
  for (const Profile& profile : profiles) {
    std::vector<std::string> unknown;
    for (const auto& each : profile) unknown.push_back(each.first);
    Profile& whole = complete.emplace_back();
    nv::IOptimizationProfile* made = builder.createOptimizationProfile();
    last = made;
    for (int32_t i = 0; i < network.getNbInputs(); ++i) {
      const nv::ITensor& input = *network.getInput(i);
      const ShapeRange* given = find(profile, input.getName());
      std::erase_if(unknown,
                    [&](const std::string& name) { return matches(name, input.getName()); });
      const ShapeRange range = given ? *given : default_range(input, logger.host());
      if (!input.isShapeTensor()) check_against(input, range);
      for (size_t which = 0; which < range.size(); ++which) {
        const bool taken =
            input.isShapeTensor()
                ? set_values(*made, input.getName(), kSelectors[which], range[which], library)
                : made->setDimensions(input.getName(), kSelectors[which], to_dims(range[which]));
        if (taken) continue;
        throw logger.failure("Input " + std::string(input.getName()) + ": the " + kNames[which] +
                             " shape " + shape_text(range[which]) + " of profile " +
                             std::to_string(complete.size() - 1) + " is invalid");
      }
      whole.emplace_back(input.getName(), range);
    }
    if (!unknown.empty()) {
      std::vector<std::string> inputs;
      for (int32_t i = 0; i < network.getNbInputs(); ++i)
        inputs.emplace_back(network.getInput(i)->getName());
      throw pgb::bad_option(
          "Invalid inputs were provided to the optimization profile: " + pgb::list_text(unknown),
          "Inputs available in the TensorRT network are: " + pgb::list_text(inputs) + ".");
    }
    if (!made->isValid() || config.addOptimizationProfile(made) < 0) {
      throw logger.failure("Profile " + std::to_string(complete.size() - 1) +
                           " is not valid for this network");
    }
  }
  log_profiles(complete, logger.host());
  return {last, std::move(complete.back())};
}

}  // namespace tensorrt::TENSORRT_FAMILY
