#include "api/job_report.h"

namespace native {

PyRef to_python(const JobReport& report) {
  return PyRef::take(Py_BuildValue("(ONN)", report.passed ? Py_True : Py_False,
                                   to_python(std::string_view(report.text)).release(),
                                   to_python(std::string_view(report.json)).release()));
}

}  // namespace native
