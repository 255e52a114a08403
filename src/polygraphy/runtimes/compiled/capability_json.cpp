#include "polygraphy/runtimes/compiled/capability_json.h"

#include "formats/json_reader.h"
#include "polygraphy/runtimes/compiled/tensor_json.h"

namespace polygraphy {
namespace {

RefusedNode read_refused(JsonReader& json) {
  RefusedNode refused;
  std::string key;
  json.enter_object();
  while (json.next_key(key)) {
    if (key == "node") {
      refused.node = json.read_integer();
    } else if (key == "name") {
      refused.name = json.read_string();
    } else if (key == "operator") {
      refused.op = json.read_string();
    } else if (key == "reason") {
      refused.reason = json.read_string();
    } else if (key == "functions") {
      refused.functions = read_texts(json);
    } else {
      json.skip_value();
    }
  }
  return refused;
}

ModelPart read_part(JsonReader& json) {
  ModelPart part;
  std::string key;
  json.enter_object();
  while (json.next_key(key)) {
    if (key == "supported") {
      part.supported = json.read_bool();
    } else if (key == "nodes") {
      json.enter_array();
      while (json.next_element()) part.nodes.push_back(json.read_integer());
    } else {
      json.skip_value();
    }
  }
  return part;
}

}  // namespace

Capability read_capability(std::string_view text, const std::string& backend) {
  JsonReader json(text, "the capabilities that " + backend + " reported");
  Capability capability;
  std::string key;
  json.enter_object();
  while (json.next_key(key)) {
    if (key == "supported") {
      capability.supported = json.read_bool();
    } else if (key == "errors") {
      json.enter_array();
      while (json.next_element()) capability.refused.push_back(read_refused(json));
    } else if (key == "subgraphs") {
      json.enter_array();
      while (json.next_element()) capability.parts.push_back(read_part(json));
    } else {
      json.skip_value();
    }
  }
  json.finish();
  return capability;
}

}  // namespace polygraphy
