// A back end in Python: the exported table.
#include <memory>
#include <string>

#include "common/export.h"
#include "common/python/back_end.h"
#include "common/python/session.h"

using pgb::python::MessageReader;
using pgb::python::MessageWriter;
using pgb::python::Process;

struct pgb_session {
  pgb::python::Session session;
};

struct pgb_instance {
  pgb_instance(const pgb_host& raw, const char* path, const char* const* search, size_t count)
      : host(raw),
        interpreter(path        ? path
                    : count > 0 ? search[0]
                                : "python3") {
    process();
  }

  // The one that runs, or one more: it may have been stopped by Ctrl-C, or a model crashed it.
  const std::shared_ptr<Process>& process() {
    if (running && !running->is_over()) return running;
    running = {Process::take(interpreter, pgb::python::kProgram).release(),
               [](Process* process) { Process::give_back(std::unique_ptr<Process>(process)); }};
    MessageReader found = running->exchange(MessageWriter("find"), pgb::Host(host)).fields;
    version = found.text();
    const std::string program = found.text();
    flags = PGB_EXTERNAL_FOLDER | (found.number() != 0 ? PGB_WANTS_TYPES : 0);
    program_path = interpreter.find('/') == std::string::npos ? program : interpreter;
    return running;
  }

  void info(pgb_instance_info& out) {
    MessageReader told = process()->exchange(MessageWriter("info"), pgb::Host(host)).fields;
    devices = told.text();
    out.library_version = version.c_str();
    out.library_path = program_path.c_str();
    out.devices = devices.c_str();
    out.max_ir_version = static_cast<int32_t>(told.number());
    out.max_opset = static_cast<int32_t>(told.number());
  }

  uint32_t capabilities(const pgb::Options&) const { return flags; }

  pgb_session* load(const pgb::Host& services, const pgb_model& model,
                    const pgb::Options& options) {
    return new pgb_session{pgb::python::Session(process(), services, model, options.session())};
  }

  pgb_host host;
  std::string interpreter, version, program_path, devices;
  uint32_t flags = 0;
  std::shared_ptr<Process> running;
};

PGB_EXPORT(pgb::python::kOptions, nullptr)
