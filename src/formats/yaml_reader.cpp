#include "formats/yaml_reader.h"

#include <yaml.h>

#include <map>
#include <memory>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "formats/yaml_scalar.h"

namespace polygraphy {
namespace {

constexpr size_t kMostBytes = size_t{64} << 20;
constexpr size_t kMostValues = 4'000'000;
// By anchors and aliases: a short text of aliases of aliases may ask for any number.
constexpr size_t kMostCopies = 100'000;
constexpr int kMostLevels = 100;

constexpr std::string_view kStandardTags = "tag:yaml.org,2002:";

std::string_view view_of(const yaml_char_t* text) {
  return text ? std::string_view(reinterpret_cast<const char*>(text)) : std::string_view();
}

class Event {
 public:
  Event() = default;
  ~Event() { yaml_event_delete(&event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  yaml_event_t* get() { return &event_; }
  yaml_event_type_t type() const { return event_.type; }
  size_t line() const { return event_.start_mark.line + 1; }
  const yaml_event_t& operator*() const { return event_; }

 private:
  yaml_event_t event_ = {};
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : name_(name) {
    if (text.size() > kMostBytes) fail(0, "the file is larger than 64 MiB");
    if (!yaml_parser_initialize(&parser_)) throw std::bad_alloc();
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  ~Reader() { yaml_parser_delete(&parser_); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  std::vector<YamlValue> documents() {
    std::vector<YamlValue> found;
    while (true) {
      Event event;
      next(event);
      if (event.type() == YAML_STREAM_END_EVENT) return found;
      if (event.type() != YAML_DOCUMENT_START_EVENT) continue;  // the stream's start
      anchors_.clear();
      Event root;
      next(root);
      found.push_back(value(root, 0));
      Event end;
      next(end);
    }
  }

 private:
  [[noreturn]] void fail(size_t line, const std::string& reason) const {
    throw FormatError(name_ + (line ? ", line " + std::to_string(line) : std::string()) + ": " +
                      reason);
  }

  void next(Event& event) {
    if (yaml_parser_parse(&parser_, event.get())) return;
    if (parser_.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
    const bool has_mark = parser_.error != YAML_READER_ERROR;
    const std::string problem = parser_.problem ? parser_.problem : "unreadable";
    const std::string context = parser_.context ? std::string(parser_.context) + ": " : "";
    fail(has_mark ? parser_.problem_mark.line + 1 : 0, "invalid YAML: " + context + problem);
  }

  void count(size_t line) {
    if (++values_ > kMostValues) fail(line, "more than 4 million values");
  }

  YamlValue value(const Event& event, int level) {
    if (level > kMostLevels) fail(event.line(), "values are nested more than 100 levels deep");
    if (event.type() == YAML_ALIAS_EVENT) return of_alias(event);
    count(event.line());
    YamlValue found;
    found.line = event.line();
    std::string anchor;
    if (event.type() == YAML_SCALAR_EVENT) {
      anchor = view_of((*event).data.scalar.anchor);
      found.data = scalar(event);
    } else if (event.type() == YAML_SEQUENCE_START_EVENT) {
      anchor = view_of((*event).data.sequence_start.anchor);
      check_tag(event, view_of((*event).data.sequence_start.tag), {"seq", "python/tuple"});
      found.data = list(level);
    } else {
      anchor = view_of((*event).data.mapping_start.anchor);
      check_tag(event, view_of((*event).data.mapping_start.tag), {"map"});
      found.data = map(level);
    }
    if (!anchor.empty()) {
      count_copies(found, event.line());
      anchors_.insert_or_assign(anchor, found);
    }
    return found;
  }

  // A copy: values are trees.
  YamlValue of_alias(const Event& event) {
    const std::string name(view_of((*event).data.alias.anchor));
    const auto found = anchors_.find(name);
    if (found == anchors_.end()) {
      fail(event.line(), "the alias *" + name + " has no anchor &" + name + " before it");
    }
    count_copies(found->second, event.line());
    return found->second;
  }

  void count_copies(const YamlValue& value, size_t line) {
    if (++copies_ > kMostCopies) fail(line, "anchors and aliases repeat more than 100,000 values");
    if (value.list()) {
      for (const YamlValue& item : *value.list()) count_copies(item, line);
    }
    if (value.map()) {
      for (const auto& [key, item] : *value.map()) count_copies(item, line);
    }
  }

  YamlValue::List list(int level) {
    YamlValue::List items;
    while (true) {
      Event event;
      next(event);
      if (event.type() == YAML_SEQUENCE_END_EVENT) return items;
      items.push_back(value(event, level + 1));
    }
  }

  YamlValue::Map map(int level) {
    YamlValue::Map entries;
    while (true) {
      Event event;
      next(event);
      if (event.type() == YAML_MAPPING_END_EVENT) return entries;
      const YamlValue key = value(event, level + 1);
      if (!key.text()) {
        fail(event.line(), "a key is " + std::string(key.kind()) + ", but keys must be texts");
      }
      if (entries.contains(*key.text())) {
        fail(event.line(), "the key " + py_str_repr(*key.text()) + " appears twice");
      }
      Event item;
      next(item);
      entries.set(*key.text(), value(item, level + 1));
    }
  }

  YamlValue::Data scalar(const Event& event) {
    const auto& scalar = (*event).data.scalar;
    const std::string text(reinterpret_cast<const char*>(scalar.value), scalar.length);
    YamlScalar type = scalar.plain_implicit ? yaml_scalar_type(text) : YamlScalar::kText;
    std::string_view tag = view_of(scalar.tag);
    if (!tag.empty() && tag != "!") {
      check_tag(event, tag, {"str", "null", "bool", "int", "float"});
      tag.remove_prefix(kStandardTags.size());
      const YamlScalar written = yaml_scalar_type(text);
      type = tag == "str"    ? YamlScalar::kText
             : tag == "null" ? YamlScalar::kNull
             : tag == "bool" ? YamlScalar::kBool
             : tag == "int"  ? YamlScalar::kInteger
                             : YamlScalar::kFloat;
      const bool fits = type == YamlScalar::kText || type == YamlScalar::kNull || written == type ||
                        (type == YamlScalar::kFloat && written == YamlScalar::kInteger);
      if (!fits)
        fail(event.line(), py_str_repr(text) + " is not a value of the type " + std::string(tag));
    }
    switch (type) {
      case YamlScalar::kNull:
        return std::monostate();
      case YamlScalar::kDate:
        fail(event.line(), "the date " + py_str_repr(text) + " must be quoted to be a text");
      case YamlScalar::kMerge:
      case YamlScalar::kDefault:
        fail(event.line(), py_str_repr(text) + " must be quoted to be a text");
      case YamlScalar::kText:
        return text;
      default:
        break;
    }
    try {
      return yaml_scalar_value(type, text);
    } catch (const FormatError& error) {
      fail(event.line(), error.what());
    }
  }

  void check_tag(const Event& event, std::string_view tag,
                 std::initializer_list<std::string_view> known) const {
    if (tag.empty() || tag == "!") return;
    if (tag.starts_with(kStandardTags)) {
      for (const std::string_view name : known) {
        if (tag.substr(kStandardTags.size()) == name) return;
      }
    }
    fail(event.line(),
         "the tag " + std::string(tag) + " is not supported: use numbers, texts, lists or maps");
  }

  const std::string& name_;
  yaml_parser_t parser_;
  size_t values_ = 0, copies_ = 0;
  std::map<std::string, YamlValue, std::less<>> anchors_;
};

}  // namespace

std::vector<YamlValue> read_yaml(std::string_view text, const std::string& name) {
  if (text.empty()) return {};  // of no bytes, there may be no address
  return Reader(text, name).documents();
}

}  // namespace polygraphy
