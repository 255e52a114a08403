#include "tensorflow/wire/step_stats.h"

#include <limits>

#include "common/json_text.h"
#include "common/plugin.h"
#include "tensorflow/wire/reader.h"

namespace tensorflow {
namespace {

using protozero::pbf_reader;

// "y:MatMul", "[_Send] edge", "relu = Relu(matmul)" -> the operator, if present.
std::string op_in(const std::string& label, const std::string& name) {
  if (const size_t equals = label.find(" = "); equals != label.npos) {
    const size_t begin = equals + 3;
    return label.substr(begin, label.find('(', begin) - begin);
  }
  const size_t colon = name.rfind(':');
  return colon == name.npos ? std::string() : name.substr(colon + 1);
}

TimedNode read_node(pbf_reader message) {
  TimedNode node;
  std::string label;
  while (message.next()) {
    switch (message.tag()) {
      case 1:
        node.name = text(message);
        break;
      case 2:
        node.start = message.get_int64();
        break;
      case 5:
        node.duration = message.get_int64();
        break;
      case 16:
        node.nanoseconds = message.get_int64();
        break;
      case 8:
        label = text(message);
        break;
      case 10:
        node.thread = static_cast<int64_t>(message.get_uint32());
        break;
      default:
        message.skip();
    }
  }
  // Older libraries report microseconds only.
  if (node.nanoseconds == 0 && node.duration < std::numeric_limits<int64_t>::max() / 1000 &&
      node.duration > 0) {
    node.nanoseconds = node.duration * 1000;
  }
  node.op = op_in(label, node.name);
  node.name = node.name.substr(0, node.name.find(':'));
  return node;
}

void read_device(pbf_reader message, std::vector<TimedNode>& into) {
  std::string device;
  const size_t first = into.size();
  while (message.next()) {
    if (message.tag() == 1) {
      device = text(message);
    } else if (message.tag() == 2) {
      into.push_back(read_node(message.get_message()));
    } else {
      message.skip();
    }
  }
  for (size_t i = first; i < into.size(); ++i) into[i].device = device;
}

}  // namespace

std::vector<TimedNode> read_step_stats(std::string_view message) try {
  std::vector<TimedNode> nodes;
  pbf_reader metadata(message.data(), message.size());
  while (metadata.next(1)) {
    pbf_reader stats = metadata.get_message();
    while (stats.next(1)) read_device(stats.get_message(), nodes);
  }
  return nodes;
} catch (const protozero::exception&) {
  throw pgb::Failure("TensorFlow's measurements are damaged");
}

std::string timeline(const std::vector<TimedNode>& nodes) {
  std::vector<std::string> devices;
  const auto number_of = [&](const std::string& device) {
    for (size_t i = 0; i < devices.size(); ++i) {
      if (devices[i] == device) return static_cast<int64_t>(i);
    }
    devices.push_back(device);
    return static_cast<int64_t>(devices.size() - 1);
  };
  pgb::JsonText json;
  json.open('{').key("traceEvents").open('[');
  for (const TimedNode& node : nodes) {
    json.open('{')
        .put("ph", "X")
        .put("cat", "Op")
        .put("name", node.op.empty() ? node.name : node.op)
        .put("pid", number_of(node.device))
        .put("tid", node.thread)
        .put("ts", node.start)
        .put("dur", node.duration);
    json.key("args").open('{').put("name", node.name).put("op", node.op).close('}');
    json.close('}');
  }
  for (size_t i = 0; i < devices.size(); ++i) {
    json.open('{').put("ph", "M").put("name", "process_name").put("pid", static_cast<int64_t>(i));
    json.key("args").open('{').put("name", devices[i]).close('}');
    json.close('}');
  }
  return json.close(']').close('}').text();
}

}  // namespace tensorflow
