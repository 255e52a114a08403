#include "polygraphy/model_tools/inspect/diff_json.h"

#include "base/os/atomic_file.h"
#include "formats/record_json.h"

namespace polygraphy {

Verdict DiffDocument::answer() const {
  return {.agreement = report->equal() ? Agreement::kAgrees : Agreement::kDiffers,
          .target = after,
          .reference = before,
          .unit = "model",
          .total = 1,
          .compared = 1,
          .off = report->equal() ? 0 : 1};
}

void write_diff_json(const graphsurgeon::DiffReport& report, const std::string& before,
                     const std::string& after, TextSink& sink) {
  JsonWriter json(sink);
  write_value(json, DiffDocument{before, after, &report});
  sink.write("\n");
}

void save_diff_json(const graphsurgeon::DiffReport& report, const std::string& before,
                    const std::string& after, const std::string& path) {
  AtomicFile file(path);
  SinkInto sink(file);
  write_diff_json(report, before, after, sink);
  file.commit();
}

}  // namespace polygraphy
