#include "tensorflow/wire/meta_graph.h"

#include "common/plugin.h"
#include "tensorflow/wire/reader.h"

namespace tensorflow {
namespace {

using protozero::pbf_reader;

pgb::Failure damaged(const char* what) {
  return pgb::Failure(std::string("it is not a ") + what + ", or is damaged");
}

SignedTensor read_tensor(pbf_reader message) {
  constexpr uint32_t kName = 1, kType = 2;
  SignedTensor tensor;
  while (message.next()) {
    switch (message.tag()) {
      case kName:
        tensor.tensor = text(message);
        break;
      case kType:
        tensor.type = message.get_enum();
        break;
      default:
        message.skip();
    }
  }
  return tensor;
}

// An entry of a map: key = 1, value = 2. `read` gets the value's message.
template <typename Map, typename Read>
void read_entry(pbf_reader entry, Map& into, Read&& read) {
  std::string key;
  pbf_reader value;
  while (entry.next()) {
    if (entry.tag() == 1) {
      key = text(entry);
    } else if (entry.tag() == 2) {
      value = entry.get_message();
    } else {
      entry.skip();
    }
  }
  into[key] = read(value);
}

Signature read_signature(pbf_reader message) {
  constexpr uint32_t kInputs = 1, kOutputs = 2;
  Signature signature;
  while (message.next()) {
    switch (message.tag()) {
      case kInputs:
        read_entry(message.get_message(), signature.inputs, read_tensor);
        break;
      case kOutputs:
        read_entry(message.get_message(), signature.outputs, read_tensor);
        break;
      default:
        message.skip();
    }
  }
  return signature;
}

void read_saver(pbf_reader message, MetaGraph& into) {
  while (message.next()) {
    switch (message.tag()) {
      case 1:
        into.saver_file_tensor = text(message);
        break;
      case 2:
        into.saver_save_tensor = text(message);
        break;
      case 3:
        into.saver_restore_operation = text(message);
        break;
      default:
        message.skip();
    }
  }
}

}  // namespace

MetaGraph read_meta_graph(std::string_view message) try {
  constexpr uint32_t kGraph = 2, kSaver = 3, kSignatures = 5;
  MetaGraph meta;
  pbf_reader reader(message.data(), message.size());
  while (reader.next()) {
    switch (reader.tag()) {
      case kGraph: {
        const protozero::data_view view = reader.get_view();
        meta.graph = {view.data(), view.size()};
        break;
      }
      case kSaver:
        read_saver(reader.get_message(), meta);
        break;
      case kSignatures:
        read_entry(reader.get_message(), meta.signatures, read_signature);
        break;
      default:
        reader.skip();
    }
  }
  return meta;
} catch (const protozero::exception&) {
  throw damaged("MetaGraphDef");
}

std::vector<std::vector<std::string>> read_saved_model_tags(std::string_view message) try {
  constexpr uint32_t kMetaGraphs = 2, kInfo = 1, kTags = 4;
  std::vector<std::vector<std::string>> found;
  pbf_reader reader(message.data(), message.size());
  while (reader.next(kMetaGraphs)) {
    auto& tags = found.emplace_back();
    pbf_reader meta = reader.get_message();
    while (meta.next(kInfo)) {
      pbf_reader info = meta.get_message();
      while (info.next(kTags)) tags.push_back(text(info));
    }
  }
  return found;
} catch (const protozero::exception&) {
  throw damaged("SavedModel");
}

std::string newest_checkpoint(std::string_view text) {
  constexpr std::string_view kKey = "model_checkpoint_path:";
  for (size_t at = text.find(kKey); at != text.npos; at = text.find(kKey, at + 1)) {
    if (at != 0 && text[at - 1] != '\n') continue;  // of "all_model_checkpoint_paths:" or in a name
    const std::string_view line = text.substr(at + kKey.size(), text.find('\n', at) - at);
    const size_t open = line.find('"');
    if (open == line.npos) continue;
    const size_t close = line.find('"', open + 1);
    if (close == line.npos) continue;
    return std::string(line.substr(open + 1, close - open - 1));
  }
  return {};
}

}  // namespace tensorflow
