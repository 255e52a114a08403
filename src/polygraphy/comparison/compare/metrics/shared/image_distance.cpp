#include "polygraphy/comparison/compare/metrics/shared/image_distance.h"

#include "polygraphy/data/user_python/user_python.h"

namespace polygraphy {
namespace {

class Lpips : public ImageDistance {
 public:
  explicit Lpips(std::shared_ptr<UserPython> python) : python_(std::move(python)) {}

  void require() override {
    try {
      python_->call("lpips_begin", {}, "LPIPS");
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      throw Error(kNoLpips, error.what(),
                  error.hint() + (error.hint().empty() ? "" : "\n") +
                      "LPIPS needs the Python packages torch and lpips.");
    }
  }

  std::optional<double> distance(const Array& a, const Array& b, std::string& problem) override {
    PythonMessage request;
    request.arrays.set("a", a);
    request.arrays.set("b", b);
    const PythonMessage reply = python_->call("lpips", std::move(request), "LPIPS");
    problem = reply.header["problem"].text();
    const JsonValue& figure = reply.header["figure"];
    return figure.is_null() ? std::nullopt : std::optional(figure.number());
  }

 private:
  std::shared_ptr<UserPython> python_;
};

}  // namespace

std::shared_ptr<ImageDistance> lpips_in(std::shared_ptr<UserPython> python) {
  return std::make_shared<Lpips>(std::move(python));
}

}  // namespace polygraphy
