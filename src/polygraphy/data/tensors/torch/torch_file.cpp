#include "polygraphy/data/tensors/torch/torch_file.h"

#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "formats/pickle.h"
#include "formats/zip_archive.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/data/tensors/tensor_file.h"
#include "polygraphy/data/tensors/torch/torch_tensor.h"

namespace polygraphy {
namespace {

using Bytes = std::span<const std::byte>;

constexpr std::string_view kData = "data.pkl";
constexpr const char* kPlainHint =
    "Save tensors in dicts, lists and tuples, without other objects: torch.save({'x': x}, path).";

bool is_old(Bytes file) {
  // The pickle of the number 0x1950a86a20f9469cfc6c.
  constexpr std::string_view kMagic("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.",
                                    15);
  return std::string_view(reinterpret_cast<const char*>(file.data()), file.size())
      .starts_with(kMagic);
}

// Without the folder that holds all entries.
std::string_view inner_name(std::string_view entry) {
  return entry.substr(entry.find('/') + 1);
}

Array read_entry(const TorchArchive& archive, std::string_view name, const std::string& path) {
  const auto entry = archive.entries.find(std::string(name));
  if (entry == archive.entries.end()) {
    throw FormatError(path + ": the archive has no " + std::string(name) + ".",
                      "Save the tensors with torch.save().");
  }
  return read_zip_entry(archive.file, entry->second, archive.owner, path);
}

// Throws FormatError for programs, and for storages in the order of other machines.
void check_kind(const TorchArchive& archive, const std::string& path) {
  if (archive.entries.contains("constants.pkl")) {
    throw FormatError(path + ": a TorchScript program, not a file of tensors.",
                      "Its weights as tensors: torch.save(torch.jit.load(path).state_dict(), "
                      "'weights.pt').");
  }
  if (!archive.entries.contains("byteorder")) return;  // PyTorch before 2.1
  const Array order = read_entry(archive, "byteorder", path);
  const std::string_view text(reinterpret_cast<const char*>(order.data()), order.bytes().size());
  if (text == "little") return;
  throw FormatError(path + ": its storages are not little-endian.",
                    "Load the file in PyTorch on this machine, and save it again.");
}

// Collects the tensors of a pickle.
class Collection {
 public:
  Collection(const Pickle& pickle, const TorchArchive& archive, const std::string& path)
      : pickle_(pickle), archive_(archive), path_(path) {}

  TensorFile collect() {
    const PickleValue& root = pickle_.at(pickle_.root);
    file_.named = dict_of(root).has_value();
    visit(pickle_.root, file_.named ? "" : stem_of(path_), 0);
    if (file_.tensors.empty()) {
      throw FormatError(path_ + ": the file has no tensors.", kPlainHint);
    }
    return std::move(file_);
  }

 private:
  // The keys and values of a dict or OrderedDict.
  std::optional<std::span<const uint32_t>> dict_of(const PickleValue& value) const {
    const bool ordered = value.kind == PickleKind::kCall &&
                         pickle_.at(value.callee).text == "collections.OrderedDict";
    if (value.kind != PickleKind::kDict && !ordered) return std::nullopt;
    if (ordered && !pickle_.at(value.arguments).items.empty()) return std::nullopt;
    return value.items;
  }

  // Sizes and devices hold no tensors, and name nothing that would run.
  bool is_constant(const PickleValue& call) const {
    const std::string& name = pickle_.at(call.callee).text;
    return name == "torch.Size" || name == "torch.device";
  }

  std::string key_of(uint32_t place, const std::string& dict) const {
    const PickleValue& key = pickle_.at(place);
    if (key.kind == PickleKind::kText) return key.text;
    if (key.kind == PickleKind::kInteger) return std::to_string(key.number);
    throw FormatError(path_ + ": a key of the dict '" + dict + "' is neither a text nor a number.",
                      kPlainHint);
  }

  void visit(uint32_t place, const std::string& name, size_t depth) {
    constexpr size_t kMaxDepth = 64, kMaxNames = size_t{64} << 20, kPerValue = 16;
    if (depth > kMaxDepth) fail(name, "is nested deeper than 64 levels.");
    // A pickle of a few bytes may refer to one value in many places.
    names_ += name.size() + kPerValue;
    if (names_ > kMaxNames) fail(name, "comes after more than 64 MiB of names.");
    const PickleValue& value = pickle_.at(place);
    if (const auto items = dict_of(value)) {
      for (size_t i = 0; i < items->size(); i += 2) {
        const std::string key = key_of((*items)[i], name);
        visit((*items)[i + 1], depth == 0 ? key : name + "." + key, depth + 1);
      }
    } else if (value.kind == PickleKind::kList || value.kind == PickleKind::kTuple) {
      for (size_t i = 0; i < value.items.size(); ++i) {
        visit(value.items[i], item_name(name, i), depth + 1);
      }
    } else if (value.kind == PickleKind::kPersistent) {
      fail(name, "is a storage without a tensor.");
    } else if (value.kind == PickleKind::kCall && !is_constant(value)) {
      add(name, value);
    } else if (value.kind == PickleKind::kGlobal && !torch_type(value.text)) {
      fail(name, "is " + value.text + ", which was not imported.");
    }
  }

  void add(const std::string& name, const PickleValue& call) {
    const std::string what = path_ + ": '" + name + "'";
    if (!call.items.empty()) fail(name, "gets items, but is not a dict.");
    if (!seen_.insert(name).second) throw FormatError(what + " occurs twice.");
    file_.tensors.push_back({name, torch_tensor(pickle_, call, archive_, what)});
  }

  [[noreturn]] void fail(const std::string& name, const std::string& why) const {
    throw FormatError(path_ + ": '" + name + "' " + why, kPlainHint);
  }

  const Pickle& pickle_;
  const TorchArchive& archive_;
  const std::string& path_;
  TensorFile file_;
  std::set<std::string> seen_;
  size_t names_ = 0;  // bytes
};

}  // namespace

bool is_torch_file(std::span<const std::byte> file) {
  if (is_old(file)) return true;
  if (!is_zip(file)) return false;
  try {
    for (ZipDirectory directory(file, {}); directory.next();) {
      if (inner_name(directory.entry().name) == kData) return true;
    }
  } catch (const FormatError&) {
  }
  return false;
}

TensorFile read_torch_file(std::span<const std::byte> file, std::shared_ptr<const void> owner,
                           const std::string& path) {
  if (is_old(file)) {
    throw FormatError(path + ": a file of torch.save() in the form before PyTorch 1.6.",
                      "Save it in today's: torch.save(torch.load(path), path).");
  }
  if (!is_zip(file)) {
    throw FormatError(path + ": not a file of torch.save().",
                      "Save the tensors with torch.save({'x': x}, path).");
  }
  TorchArchive archive{file, std::move(owner), {}};
  for (ZipDirectory directory(file, path); directory.next();) {
    const ZipEntry& entry = directory.entry();
    // torch.serialization.set_crc32_options(False) leaves the checksums out.
    if (entry.crc == 0) entry.checked->store(true);
    archive.entries.emplace(inner_name(entry.name), entry);
  }
  check_kind(archive, path);
  const Array data = read_entry(archive, kData, path);
  const Pickle pickle = read_pickle(data.bytes(), path);
  return Collection(pickle, archive, path).collect();
}

}  // namespace polygraphy
