// The result of one model of a zoo as a page.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "pictures/report_page/report_page.h"
#include "polygraphy/diagnosis/zoo/zoo_result.h"

namespace polygraphy {

// The file of the page of the model at this index, in the folder: "0007-resnet50-model.html".
std::string zoo_page_name(const ZooResult& result, size_t index);

// The file of a reduced model beside it: "0007-resnet50-model-openvino.onnx".
std::string reduced_file_name(const ZooResult& result, size_t index, const std::string& engine);

// Of one model: the outcome on each engine with the whole texts of failures, guilty nodes and all
// outputs. `commands` reproduce it: purposes and command lines.
std::vector<ReportSection> zoo_model_sections(
    const ZooModelResult& model, std::vector<std::pair<std::string, std::string>> commands);

}  // namespace polygraphy
