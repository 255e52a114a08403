#include "polygraphy/data/inputs/torch_random.h"

#include "base/error.h"

namespace polygraphy {
namespace {

constexpr std::string_view kDoing = "Generating inputs with torch";

// float8e4m3fn is called float8_e4m3fn there.
std::string torch_name(DataType type) {
  std::string name(name_of(type));
  constexpr std::string_view kFloat8 = "float8";
  if (name.starts_with(kFloat8)) name.insert(kFloat8.size(), "_");
  return name;
}

class TorchRandom : public RandomBackend {
 public:
  explicit TorchRandom(std::shared_ptr<UserPython> python) : python_(std::move(python)) {}

  std::string_view name() const override { return "torch"; }

  void seed(uint64_t seed) override {
    PythonMessage request;
    request.header.set("seed", static_cast<int64_t>(seed));
    python_->call("draw_begin", std::move(request), std::string(kDoing));
  }

  Array integers(DataType type, const Shape& shape, int64_t low, int64_t high) override {
    return draw(type, shape, low, high);
  }
  Array floats(DataType type, const Shape& shape, double low, double high) override {
    return draw(type, shape, low, high);
  }

 private:
  Array draw(DataType type, const Shape& shape, JsonValue low, JsonValue high) {
    PythonMessage request;
    JsonValue::List dims;
    for (const int64_t dim : shape) dims.emplace_back(dim);
    request.header.set("type", torch_name(type));
    request.header.set("shape", std::move(dims));
    request.header.set("low", std::move(low));
    request.header.set("high", std::move(high));
    const PythonMessage reply = python_->call("draw", std::move(request), std::string(kDoing));
    const Array* array = reply.arrays.find("");
    if (array == nullptr) throw FormatError("Python sent no values.");
    return *array;
  }

  std::shared_ptr<UserPython> python_;
};

}  // namespace

std::shared_ptr<RandomBackend> torch_random(std::shared_ptr<UserPython> python) {
  auto random = std::make_shared<TorchRandom>(std::move(python));
  random->seed(0);
  return random;
}

}  // namespace polygraphy
