#include "common/python/session.h"

#include <cstring>

namespace pgb::python {
namespace {

void write_options(MessageWriter& request, const pgb_session_options& options) {
  request.number(static_cast<int64_t>(options.option_count));
  for (size_t i = 0; i < options.option_count; ++i) {
    const pgb_key_values& option = options.options[i];
    request.text(option.key);
    request.number(static_cast<int64_t>(option.value_count));
    for (size_t j = 0; j < option.value_count; ++j) request.text(option.values[j]);
  }
  request.number(options.profile);
  request.number(static_cast<int64_t>(options.declared_input_count));
  for (size_t i = 0; i < options.declared_input_count; ++i) {
    const pgb_tensor_info& input = options.declared_inputs[i];
    request.text(input.name);
    request.number(input.rank);
    for (int32_t d = 0; d < input.rank; ++d) request.number(input.dims[d]);
  }
}

}  // namespace

Session::Session(std::shared_ptr<Process> process, const Host& host, const pgb_model& model,
                 const pgb_session_options& options)
    : process_(std::move(process)), host_(host) {
  MessageWriter request("load");
  request.text(model.path ? model.path : "");
  request.number(model.bytes ? static_cast<int64_t>(model.byte_count) : -1);
  if (model.bytes) {
    char* memory = process_->feeds().reserve(model.byte_count);
    std::memcpy(memory, model.bytes, model.byte_count);
  }
  request.text(model.external_data ? model.external_data : "");
  request.text(model.format ? model.format : "");
  write_options(request, options);
  Reply reply = process_->exchange(request, host_);
  number_ = reply.fields.number();
  inputs_ = read_ports(reply.fields);
  outputs_ = read_ports(reply.fields);
}

Session::~Session() {
  if (memory_) OutputMemory::release(memory_);
  if (process_->is_over()) return;
  try {
    MessageWriter request("unload");
    request.number(number_);
    process_->exchange(request, host_);
  } catch (const std::exception&) {  // it has ended, and its memory is gone
  }
}

void Session::infer(const pgb_named_value* feeds, size_t count, pgb_output_fn deliver,
                    void* context) {
  FeedWriter values;
  for (size_t i = 0; i < count; ++i) values.measure(*feeds[i].value);
  char* memory = process_->feeds().reserve(values.size());
  MessageWriter request("infer");
  request.number(number_);
  request.number(memory_ && memory_->has_one_owner());
  request.number(static_cast<int64_t>(values.size()));
  request.number(static_cast<int64_t>(count));
  for (size_t i = 0; i < count; ++i) {
    request.text(feeds[i].name);
    values.write(*feeds[i].value, memory, request);
  }
  Reply reply = process_->exchange(request, host_);
  const bool is_new = reply.fields.number() != 0;
  const int64_t size = reply.fields.number();
  if (is_new != (reply.descriptor >= 0) || size < 1 || (!is_new && !memory_))
    MessageReader::damaged();
  if (is_new) {
    OutputMemory* made = OutputMemory::map(reply.descriptor, static_cast<size_t>(size));
    if (memory_) OutputMemory::release(memory_);
    memory_ = made;
  }
  OutputReader outputs(*memory_);
  const size_t output_count = reply.fields.count();
  for (size_t i = 0; i < output_count; ++i) {
    const std::string name = reply.fields.text();
    const pgb_value value = outputs.read(reply.fields);
    if (deliver(context, name.c_str(), &value) != 0) return;
  }
}

void Session::profile(pgb_node_time_fn row, void* context) {
  MessageWriter request("profile");
  request.number(number_);
  MessageReader rows = process_->exchange(request, host_).fields;
  const size_t count = rows.count();
  for (size_t i = 0; i < count; ++i) {
    const std::string node = rows.text(), op = rows.text(), kernel = rows.text();
    constexpr double kNanoseconds = 1e3;
    deliver_time(row, context, node.c_str(), op.c_str(), kernel.empty() ? nullptr : kernel.c_str(),
                 static_cast<double>(rows.number()) / kNanoseconds);
  }
}

}  // namespace pgb::python
