#include "polygraphy/diagnosis/locate/report/locate_json.h"
#include "polygraphy/comparison/verdict/verdict_json.h"

#include <string>

#include "formats/json_fields.h"
#include "polygraphy/diagnosis/locate/report/locate_text.h"

namespace polygraphy {
namespace {

class Document : JsonFields {
 public:
  explicit Document(TextSink& sink) : JsonFields(sink) {}

  void write(const LocateResult& result) {
    json_.begin_object();
    text("verdict", locate_verdict(result));
    text("summary", locate_summary(result));
    json_.key("answer");
    write_verdict(json_, result.verdict);
    if (!result.varies.empty()) text("varies", result.varies);
    text("reference", result.reference);
    text("target", result.target);
    text("target_precision", std::string(name_of(result.format)));
    json_.key("samples");
    json_.integer(result.samples);
    list("outputs", result.outputs);
    if (result.fusion) {
      json_.key("fusion");
      json_.begin_object();
      list("tensors", result.fusion->tensors);
      boolean("on_both_sides", result.fusion->on_both_sides);
      text("first_off", result.fusion->first_off);
      text("note", result.fusion->note);
      json_.end_object();
    }
    if (result.proof) write(*result.proof);
    if (result.remedy) write(*result.remedy);
    list("notes", result.notes);
    json_.key("nodes");
    json_.begin_array();
    int64_t rank = 0;
    for (const NodeFinding& finding : result.nodes) write(finding, ++rank);
    json_.end_array();
    json_.end_object();
  }

 private:
  void write(const LocateProof& proof) {
    json_.key("proof");
    json_.begin_object();
    list("replaced", proof.replaced);
    boolean("agrees", proof.agrees);
    number("worst_before", proof.worst_before);
    number("worst_after", proof.worst_after);
    text("worst_output", proof.worst_output);
    number_or_null("worst_with_only_these", proof.worst_with_only_these);
    boolean("suffices", proof.suffices);
    list("next", proof.next);
    text("note", proof.note);
    json_.end_object();
  }

  void write(const LocateRemedy& remedy) {
    json_.key("remedy");
    json_.begin_object();
    text("measure", remedy.measure);
    list("nodes", remedy.nodes);
    boolean("agrees", remedy.agrees);
    boolean("fewest", remedy.fewest);
    integer("evaluations", remedy.evaluations);
    text("written", remedy.written);
    if (remedy.written_agrees) boolean("written_agrees", *remedy.written_agrees);
    text("note", remedy.note);
    json_.end_object();
  }

  void write(std::string_view key, const std::optional<JudgedError>& judged) {
    json_.key(std::string(key) + "_error");
    if (!judged) return json_.null();
    const TensorError& error = judged->error;
    json_.begin_object();
    number("relative", error.relative());
    number("largest", error.largest);
    integer("worst_element", error.worst);
    number("worst_reference", error.worst_reference);
    number("worst_observed", error.worst_observed);
    number("ulps", error.ulps);
    number("cosine", error.cosine());
    number("snr", error.snr());
    integer("elements", error.elements);
    integer("non_finite", error.non_finite);
    integer("non_finite_mismatches", error.non_finite_mismatches);
    integer("first_mismatch", error.first_mismatch);
    number("least", error.least_number);
    number("greatest", error.largest_number);
    number("noise", error.reference_norm > 0 ? judged->noise_norm / error.reference_norm : 0);
    number("noise_largest", judged->noise_largest);
    number("ratio", judged->ratio);
    number("by_element", judged->by_element);
    if (!error.incomparable.empty()) text("incomparable", error.incomparable);
    json_.end_object();
  }

  void write(const NodeFinding& finding, int64_t rank) {
    const auto relative = [](const std::optional<JudgedError>& judged) {
      return judged ? judged->error.relative() : 0;
    };
    const auto& shown = finding.isolated ? finding.isolated : finding.accumulated;
    json_.begin_object();
    integer("rank", rank);
    text("node", finding.node);
    text("op", finding.op);
    text("graph", finding.graph);
    text("tensor", finding.tensor);
    text("module", finding.module);
    text("verdict", name_of(finding.verdict));
    text("format", finding.format);
    integer("sample", finding.sample);
    number("isolated", relative(finding.isolated));
    number("accumulated", relative(finding.accumulated));
    number("noise", shown && shown->error.reference_norm > 0
                        ? shown->noise_norm / shown->error.reference_norm
                        : 0);
    number("ratio", shown ? shown->ratio : 0);
    number("amplification", finding.amplification);
    number("headroom", finding.headroom);
    number("least_input", finding.least_input);
    number("greatest_input", finding.greatest_input);
    boolean("reference_deviates", finding.reference_deviates);
    list("reads", finding.reads);
    list("makes", finding.makes);
    list("neighbourhood", finding.neighbourhood);
    if (!finding.ran_with.empty()) text("ran_with", finding.ran_with);
    if (!finding.wrong_weight.empty()) text("wrong_weight", finding.wrong_weight);
    if (!finding.note.empty()) text("note", finding.note);
    write("isolated", finding.isolated);
    write("neighbours", finding.neighbours);
    write("accumulated", finding.accumulated);
    json_.end_object();
  }
};

}  // namespace

std::string locate_json(const LocateResult& result) {
  StringSink sink;
  Document(sink).write(result);
  return sink.text() + "\n";
}

}  // namespace polygraphy
