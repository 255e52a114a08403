#include "polygraphy/model_tools/inspect/diff_json.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/os/atomic_file.h"
#include "formats/json_fields.h"

namespace polygraphy {

using graphsurgeon::Change;
using graphsurgeon::DiffItem;
using graphsurgeon::DiffReport;
using graphsurgeon::GraphDiff;

namespace {

class DiffJson : JsonFields {
 public:
  explicit DiffJson(TextSink& sink) : JsonFields(sink) {}

  void report(const DiffReport& report, const std::string& before, const std::string& after) {
    json_.begin_object();
    json_.key("version");
    json_.integer(1);
    text("before", before);
    text("after", after);
    json_.key("equal");
    json_.boolean(report.equal());
    changes("model", report.model);
    items("functions", report.functions);
    json_.key("graphs");
    json_.begin_array();
    for (const GraphDiff& graph : report.graphs) {
      json_.begin_object();
      text("path", graph.path);
      changes("changes", graph.changes);
      items("inputs", graph.inputs);
      items("outputs", graph.outputs);
      items("nodes", graph.nodes);
      items("initializers", graph.initializers);
      json_.end_object();
    }
    json_.end_array();
    json_.end_object();
  }

 private:
  void place(std::string_view key, const std::optional<size_t>& value) {
    json_.key(key);
    if (value) {
      json_.integer(static_cast<int64_t>(*value));
    } else {
      json_.null();
    }
  }

  void changes(std::string_view key, const std::vector<Change>& list) {
    json_.key(key);
    json_.begin_array();
    for (const Change& change : list) {
      json_.begin_object();
      text("what", change.what);
      for (const auto& [side, value] :
           {std::pair("before", &change.before), std::pair("after", &change.after)}) {
        json_.key(side);
        if (*value) {
          json_.string(**value);
        } else {
          json_.null();
        }
      }
      json_.end_object();
    }
    json_.end_array();
  }

  void items(std::string_view key, const std::vector<DiffItem>& list) {
    constexpr std::string_view kStates[] = {"added", "removed", "changed"};
    json_.key(key);
    json_.begin_array();
    for (const DiffItem& item : list) {
      json_.begin_object();
      text("state", kStates[static_cast<size_t>(item.state)]);
      text("name", item.name);
      if (!item.op.empty()) text("op", item.op);
      text("details", item.details);
      place("before", item.before);
      place("after", item.after);
      changes("changes", item.changes);
      if (item.values) values(*item.values);
      json_.end_object();
    }
    json_.end_array();
  }

  void values(const graphsurgeon::WeightDiff& values) {
    json_.key("values");
    json_.begin_object();
    json_.key("size");
    json_.integer(values.size);
    json_.key("different");
    json_.integer(values.different);
    json_.key("max_abs");
    if (values.max_abs) {
      json_.number(*values.max_abs);
    } else {
      json_.null();
    }
    json_.key("max_ulp");
    if (values.max_ulp) {
      json_.integer(static_cast<int64_t>(std::min<uint64_t>(*values.max_ulp, INT64_MAX)));
    } else {
      json_.null();
    }
    json_.key("first");
    json_.begin_array();
    for (const int64_t i : values.first) json_.integer(i);
    json_.end_array();
    text("first_before", values.before);
    text("first_after", values.after);
    json_.end_object();
  }
};

}  // namespace

void write_diff_json(const DiffReport& report, const std::string& before, const std::string& after,
                     TextSink& sink) {
  DiffJson(sink).report(report, before, after);
  sink.write("\n");
}

void save_diff_json(const DiffReport& report, const std::string& before, const std::string& after,
                    const std::string& path) {
  AtomicFile file(path);
  SinkInto sink(file);
  write_diff_json(report, before, after, sink);
  file.commit();
}

}  // namespace polygraphy
