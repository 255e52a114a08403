// The part of TensorFlow's C interface that is used here. Declared in this tree, so that a build
// needs none of TensorFlow's 250 MB: the interface only grows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "common/vendor_library.h"

// Objects of the library.
struct TF_Status;
struct TF_Graph;
struct TF_Operation;
struct TF_Tensor;
struct TF_Session;
struct TF_SessionOptions;
struct TF_ImportGraphDefOptions;

namespace tensorflow {

struct Buffer {  // TF_Buffer
  const void* data;
  size_t length;
  void (*data_deallocator)(void* data, size_t length);
};

struct Output {  // TF_Output, and TF_Input, which looks the same
  TF_Operation* operation;
  int index;
};

// TF_DataType: numbers of types.proto.
inline constexpr int kString = 7;

inline constexpr int kOk = 0;  // TF_Code

// TF_TString: 24 bytes; the two lowest bits say in which of these forms they are.
class TString {
 public:
  static TString view_of(const char* data, size_t size) {
    TString made;
    const uint64_t tagged = uint64_t{size} << 2 | kView;
    std::memcpy(made.raw_, &tagged, sizeof(tagged));
    std::memcpy(made.raw_ + 8, &data, sizeof(data));
    return made;
  }
  size_t size() const {
    switch (raw_[0] & kMask) {
      case kSmall:
        return raw_[0] >> 2;
      case kOffset:
        return number<uint32_t>(0) >> 2;
      default:
        return number<uint64_t>(0) >> 2;
    }
  }
  const char* data() const {
    const char* begin = reinterpret_cast<const char*>(raw_);
    switch (raw_[0] & kMask) {
      case kSmall:
        return begin + 1;
      case kOffset:
        return begin + number<uint32_t>(4);
      case kLarge:
        return number<const char*>(16);  // behind the capacity
      default:
        return number<const char*>(8);
    }
  }

 private:
  enum : unsigned char { kSmall = 0, kLarge = 1, kOffset = 2, kView = 3, kMask = 3 };
  template <typename T>
  T number(size_t at) const {
    T value;
    std::memcpy(&value, raw_ + at, sizeof(value));
    return value;
  }
  alignas(8) unsigned char raw_[24] = {};
};
static_assert(sizeof(TString) == 24);

// The functions, looked up at run time: TF_<Name>.
struct Api : pgb::Functions {
  using Functions::Functions;

  const char* (*Version)() = find("TF_Version");
  TF_Status* (*NewStatus)() = find("TF_NewStatus");
  void (*DeleteStatus)(TF_Status*) = find("TF_DeleteStatus");
  int (*GetCode)(const TF_Status*) = find("TF_GetCode");
  const char* (*Message)(const TF_Status*) = find("TF_Message");

  void (*DeleteBuffer)(Buffer*) = find("TF_DeleteBuffer");
  Buffer* (*NewBuffer)() = find("TF_NewBuffer");
  Buffer* (*NewBufferFromString)(const void* bytes, size_t count) = find("TF_NewBufferFromString");

  TF_Graph* (*NewGraph)() = find("TF_NewGraph");
  void (*DeleteGraph)(TF_Graph*) = find("TF_DeleteGraph");
  TF_ImportGraphDefOptions* (*NewImportGraphDefOptions)() = find("TF_NewImportGraphDefOptions");
  void (*DeleteImportGraphDefOptions)(TF_ImportGraphDefOptions*) =
      find("TF_DeleteImportGraphDefOptions");
  void (*GraphImportGraphDef)(TF_Graph*, const Buffer*, const TF_ImportGraphDefOptions*,
                              TF_Status*) = find("TF_GraphImportGraphDef");
  void (*GraphToGraphDef)(TF_Graph*, Buffer*, TF_Status*) = find("TF_GraphToGraphDef");
  TF_Operation* (*GraphNextOperation)(TF_Graph*, size_t* position) = find("TF_GraphNextOperation");
  TF_Operation* (*GraphOperationByName)(TF_Graph*,
                                        const char* name) = find("TF_GraphOperationByName");
  int (*GraphGetTensorNumDims)(TF_Graph*, Output, TF_Status*) = find("TF_GraphGetTensorNumDims");
  void (*GraphGetTensorShape)(TF_Graph*, Output, int64_t* dims, int count,
                              TF_Status*) = find("TF_GraphGetTensorShape");

  const char* (*OperationName)(TF_Operation*) = find("TF_OperationName");
  const char* (*OperationOpType)(TF_Operation*) = find("TF_OperationOpType");
  int (*OperationNumInputs)(TF_Operation*) = find("TF_OperationNumInputs");
  Output (*OperationInput)(Output input) = find("TF_OperationInput");  // TF_Input -> TF_Output
  int (*OperationNumControlInputs)(TF_Operation*) = find("TF_OperationNumControlInputs");
  int (*OperationGetControlInputs)(TF_Operation*, TF_Operation** found,
                                   int count) = find("TF_OperationGetControlInputs");
  int (*OperationNumControlOutputs)(TF_Operation*) = find("TF_OperationNumControlOutputs");
  int (*OperationNumOutputs)(TF_Operation*) = find("TF_OperationNumOutputs");
  int (*OperationOutputType)(Output) = find("TF_OperationOutputType");
  int (*OperationOutputNumConsumers)(Output) = find("TF_OperationOutputNumConsumers");
  void (*OperationToNodeDef)(TF_Operation*, Buffer*, TF_Status*) = find("TF_OperationToNodeDef");

  TF_SessionOptions* (*NewSessionOptions)() = find("TF_NewSessionOptions");
  void (*DeleteSessionOptions)(TF_SessionOptions*) = find("TF_DeleteSessionOptions");
  void (*SetConfig)(TF_SessionOptions*, const void* config, size_t count,
                    TF_Status*) = find("TF_SetConfig");
  TF_Session* (*NewSession)(TF_Graph*, const TF_SessionOptions*,
                            TF_Status*) = find("TF_NewSession");
  TF_Session* (*LoadSessionFromSavedModel)(const TF_SessionOptions*, const Buffer* run_options,
                                           const char* folder, const char* const* tags,
                                           int tag_count, TF_Graph*, Buffer* meta_graph,
                                           TF_Status*) = find("TF_LoadSessionFromSavedModel");
  void (*CloseSession)(TF_Session*, TF_Status*) = find("TF_CloseSession");
  void (*DeleteSession)(TF_Session*, TF_Status*) = find("TF_DeleteSession");
  void (*SessionRun)(TF_Session*, const Buffer* run_options, const Output* inputs,
                     TF_Tensor* const* input_values, int input_count, const Output* outputs,
                     TF_Tensor** output_values, int output_count,
                     const TF_Operation* const* targets, int target_count, Buffer* run_metadata,
                     TF_Status*) = find("TF_SessionRun");

  TF_Tensor* (*NewTensor)(int type, const int64_t* dims, int dim_count, void* data, size_t bytes,
                          void (*deallocate)(void* data, size_t bytes, void* context),
                          void* context) = find("TF_NewTensor");
  void (*DeleteTensor)(TF_Tensor*) = find("TF_DeleteTensor");
  int (*TensorType)(const TF_Tensor*) = find("TF_TensorType");
  int (*NumDims)(const TF_Tensor*) = find("TF_NumDims");
  int64_t (*Dim)(const TF_Tensor*, int index) = find("TF_Dim");
  size_t (*TensorByteSize)(const TF_Tensor*) = find("TF_TensorByteSize");
  void* (*TensorData)(const TF_Tensor*) = find("TF_TensorData");
};

}  // namespace tensorflow
