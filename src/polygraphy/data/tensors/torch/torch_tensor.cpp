#include "polygraphy/data/tensors/torch/torch_tensor.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/arrays/py_repr.h"
#include "base/error.h"

namespace polygraphy {
namespace {

struct StorageName {
  std::string_view name;
  DataType type;
};
// Classes of storages; the type of an untyped one stands beside the tensor.
constexpr std::array kStorages = {
    StorageName{"torch.DoubleStorage", DataType::kFloat64},
    StorageName{"torch.FloatStorage", DataType::kFloat32},
    StorageName{"torch.HalfStorage", DataType::kFloat16},
    StorageName{"torch.BFloat16Storage", DataType::kBfloat16},
    StorageName{"torch.LongStorage", DataType::kInt64},
    StorageName{"torch.IntStorage", DataType::kInt32},
    StorageName{"torch.ShortStorage", DataType::kInt16},
    StorageName{"torch.CharStorage", DataType::kInt8},
    StorageName{"torch.ByteStorage", DataType::kUint8},
    StorageName{"torch.BoolStorage", DataType::kBool},
    StorageName{"torch.ComplexFloatStorage", DataType::kComplex64},
    StorageName{"torch.ComplexDoubleStorage", DataType::kComplex128},
};
constexpr std::string_view kUntyped = "torch.storage.UntypedStorage";

// The arguments from which PyTorch rebuilds a tensor.
struct Description {
  std::optional<DataType> type;  // of the storage, where it has one
  std::string key;               // of the storage
  int64_t offset = 0;            // elements
  Shape shape, strides;          // elements
};

class Reader {
 public:
  Reader(const Pickle& pickle, const std::string& what) : pickle_(pickle), what_(what) {}

  Description read(const PickleValue& call) const {
    const PickleValue* callee = &pickle_.at(call.callee);
    const PickleValue* arguments = &pickle_.at(call.arguments);
    // Parameters, and tensors with attributes, are made from a tensor's call.
    while (true) {
      const std::string& name = callee->text;
      if (name == "torch._utils._rebuild_parameter" ||
          name == "torch._utils._rebuild_parameter_with_state") {
        const PickleValue& data = item(*arguments, 0, PickleKind::kCall);
        callee = &pickle_.at(data.callee);
        arguments = &pickle_.at(data.arguments);
      } else if (name == "torch._tensor._rebuild_from_type_v2") {
        const PickleValue& type = item(*arguments, 1, PickleKind::kGlobal);
        if (type.text != "torch.Tensor" && type.text != "torch.nn.parameter.Parameter") {
          refuse(type.text);
        }
        callee = &item(*arguments, 0, PickleKind::kGlobal);
        arguments = &item(*arguments, 2, PickleKind::kTuple);
      } else if (name == "torch._utils._rebuild_tensor_v2") {
        return describe(*arguments, 6);
      } else if (name == "torch._utils._rebuild_tensor_v3") {
        Description tensor = describe(*arguments, 7);
        const std::string& type = item(*arguments, 6, PickleKind::kGlobal).text;
        tensor.type = torch_type(type);
        if (!tensor.type) fail("is of type " + type + ", which is not supported.");
        return tensor;
      } else {
        refuse(name);
      }
    }
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw FormatError(what_ + " " + why); }

  [[noreturn]] void refuse(const std::string& name) const {
    throw FormatError(what_ + " is made by " + name +
                          ", which was not called: only dense tensors "
                          "in dicts, lists and tuples are read.",
                      "Convert it before you save it: x.to_dense(), x.dequantize(), a number or a "
                      "list of numbers as torch.tensor(x).");
  }

  const PickleValue& item(const PickleValue& tuple, size_t place, PickleKind kind) const {
    if (place < tuple.items.size()) {
      const PickleValue& value = pickle_.at(tuple.items[place]);
      if (value.kind == kind) return value;
    }
    fail("is not described as torch.save() does it: argument " + std::to_string(place) +
         " is missing or of another kind.");
  }

  Shape integers(const PickleValue& arguments, size_t place) const {
    constexpr size_t kMaxRank = 64;
    const PickleValue& tuple = item(arguments, place, PickleKind::kTuple);
    if (tuple.items.size() > kMaxRank) fail("has more than 64 dimensions.");
    Shape values;
    for (size_t i = 0; i < tuple.items.size(); ++i) {
      values.push_back(item(tuple, i, PickleKind::kInteger).number);
    }
    return values;
  }

  // `metadata`: the place of the argument that notes what is not yet computed.
  Description describe(const PickleValue& arguments, size_t metadata) const {
    Description tensor;
    const PickleValue& persistent = item(arguments, 0, PickleKind::kPersistent);
    const PickleValue& id = item(persistent, 0, PickleKind::kTuple);
    if (item(id, 0, PickleKind::kText).text != "storage") fail("has no storage.");
    const std::string& storage = item(id, 1, PickleKind::kGlobal).text;
    for (const StorageName& known : kStorages) {
      if (known.name == storage) tensor.type = known.type;
    }
    if (!tensor.type && storage != kUntyped) {
      fail("has a " + storage + ", a type that is not supported.");
    }
    tensor.key = item(id, 2, PickleKind::kText).text;
    tensor.offset = item(arguments, 1, PickleKind::kInteger).number;
    tensor.shape = integers(arguments, 2);
    tensor.strides = integers(arguments, 3);
    if (metadata < arguments.items.size() &&
        !item(arguments, metadata, PickleKind::kDict).items.empty()) {
      throw FormatError(what_ + " is a conjugate or a negative that is not computed yet.",
                        "Save x.resolve_conj().resolve_neg().");
    }
    return tensor;
  }

  const Pickle& pickle_;
  const std::string& what_;
};

// The elements of a storage that the tensor reaches. `end` counts from 0 and may not exceed
// `available`.
void check_reach(const Description& tensor, int64_t available, const std::string& what) {
  const auto fail = [&](const std::string& why) {
    throw FormatError(what + ", of shape " + py_tuple_repr(tensor.shape) + ", strides " +
                      py_tuple_repr(tensor.strides) + " and offset " +
                      std::to_string(tensor.offset) + ", " + why);
  };
  if (tensor.strides.size() != tensor.shape.size()) fail("has not one stride per dimension.");
  if (tensor.offset < 0) fail("begins before its storage.");
  int64_t end = tensor.offset;
  bool fits = true;
  for (size_t i = 0; i < tensor.shape.size(); ++i) {
    if (tensor.shape[i] < 0 || tensor.strides[i] < 0) fail("has a negative size or stride.");
    if (tensor.shape[i] == 0) return;
    int64_t span = 0;
    fits = fits && !__builtin_mul_overflow(tensor.shape[i] - 1, tensor.strides[i], &span) &&
           !__builtin_add_overflow(end, span, &end);
  }
  if (!fits || end >= available) {
    fail("reaches beyond its storage of " + std::to_string(available) + " elements.");
  }
}

// A tensor that repeats elements of its storage may claim any size: `stored` bytes say nothing.
void check_size(const Shape& shape, DataType type, int64_t stored, const std::string& what) {
  constexpr int64_t kMostRepeated = int64_t{1} << 30;
  std::string size;
  try {
    const int64_t bytes = storage_bytes(type, element_count(shape));
    if (bytes <= std::max(stored, kMostRepeated)) return;
    size = std::to_string(bytes);
  } catch (const FormatError&) {
    size = "more than 2^63";
  }
  throw FormatError(what + ", of shape " + py_tuple_repr(shape) + ", repeats the " +
                        std::to_string(stored) + " bytes of its storage to " + size +
                        ", above the limit of 1 GiB.",
                    "Save the tensor before it is expanded.");
}

Array view_of(const Description& tensor, DataType type, std::shared_ptr<const Array> storage) {
  const int64_t width = bit_width(type) / 8;
  if (element_count(tensor.shape) == 0) return Array::zeros(type, tensor.shape);
  std::vector<int64_t> strides;
  for (size_t i = 0; i < tensor.shape.size(); ++i) {
    strides.push_back(tensor.shape[i] > 1 ? tensor.strides[i] * width : width);  // of 1: any number
  }
  const std::byte* const first = storage->data() + tensor.offset * width;
  const int64_t unit = kind_of(type) == Kind::kComplex ? width / 2 : width;
  return Array::strided(type, tensor.shape, std::move(strides), first, std::move(storage))
      .contiguous_aligned(static_cast<size_t>(unit));
}

}  // namespace

std::optional<DataType> torch_type(std::string_view name) {
  constexpr std::string_view kModule = "torch.";
  if (!name.starts_with(kModule)) return std::nullopt;
  for (const DataType type : all_data_types()) {
    const bool whole = bit_width(type) > 0 && !is_packed(type);
    if (whole && numpy_name_of(type) == name.substr(kModule.size())) return type;
  }
  return std::nullopt;
}

std::function<Array()> torch_tensor(const Pickle& pickle, const PickleValue& call,
                                    const TorchArchive& archive, const std::string& what) {
  const Description tensor = Reader(pickle, what).read(call);
  if (!tensor.type) throw FormatError(what + " has a storage without a type.");
  const DataType type = *tensor.type;
  const auto entry = archive.entries.find("data/" + tensor.key);
  if (entry == archive.entries.end()) {
    throw FormatError(what + ": its storage, data/" + tensor.key + ", is not in the archive.");
  }
  const auto size = static_cast<int64_t>(
      std::min<uint64_t>(entry->second.size, std::numeric_limits<int64_t>::max()));
  check_reach(tensor, size / (bit_width(type) / 8), what);
  check_size(tensor.shape, type, size, what);
  return [=, file = archive.file, owner = archive.owner, stored = entry->second] {
    return view_of(tensor, type,
                   std::make_shared<const Array>(read_zip_entry(file, stored, owner, what)));
  };
}

}  // namespace polygraphy
