#include "api/agreement.h"

#include <string>
#include <utility>
#include <vector>

#include "api/array_object.h"
#include "python_values.h"

namespace native {
namespace {

using polygraphy::Array;

bool agree(Job& job, PyObject* function, const std::string& output, const Array& reference,
           const Array& observed) {
  bool agrees = false;
  job.call([&] {
    agrees = is_true(call(function, output, to_python(reference), to_python(observed)).get());
  });
  return agrees;
}

class Agreeing : public polygraphy::ResultComparison {
 public:
  Agreeing(Job& job, PyObject* function) : job_(job), function_(function) {}

  polygraphy::OutputResults compare(const polygraphy::IterationResult& reference,
                                    const polygraphy::IterationResult& observed) override {
    polygraphy::OutputResults judged;
    for (const auto& [name, array] : reference.outputs) {
      const Array* other = observed.outputs.find(name);
      polygraphy::OutputResult result;
      result.passed = other && agree(job_, function_, name, array, *other);
      judged.emplace_back(name, result);
    }
    return judged;
  }
  bool averages() const override { return false; }
  polygraphy::Threshold threshold(const std::string&) override { return {}; }

 private:
  Job& job_;
  PyObject* const function_;
};

}  // namespace

std::shared_ptr<polygraphy::ResultComparison> agreement(Job& job, PyObject* function) {
  return std::make_shared<Agreeing>(job, function);
}

}  // namespace native
