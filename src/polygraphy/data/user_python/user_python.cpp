#include "polygraphy/data/user_python/user_python.h"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/arrays/dtype.h"
#include "base/clock.h"
#include "base/log_modules.h"
#include "base/os/files/file_access.h"
#include "base/os/system_error.h"
#include "polygraphy/data/user_python/program.h"

namespace polygraphy {
namespace {

// Takes the program from the connection. The current folder is not a place to import from: a file
// json.py in it would be taken for Python's.
constexpr std::string_view kBootstrap =
    "import sys\n"
    "if sys.path[:1] == ['']: del sys.path[0]\n"
    "import os\n"
    "def read(n, d=b''):\n"
    "    while len(d) < n:\n"
    "        p = os.read(3, n - len(d))\n"
    "        if not p: os._exit(1)\n"
    "        d += p\n"
    "    return d\n"
    "g = {'__name__': '<polygraphy bridge>'}\n"
    "exec(compile(read(int.from_bytes(read(8), 'little')).decode(), '<polygraphy bridge>', "
    "'exec'), g)\n"
    "os.set_inheritable(3, False)\n"
    "g['main'](3, os.dup(3))\n";

JsonValue modules() {
  JsonValue result = JsonValue::Object();
  for (const PythonModule& module : python_modules()) result.set(module.name, module.text);
  return result;
}

// Name, NumPy's name, bits and kind of each.
JsonValue element_types() {
  JsonValue::List rows;
  for (const DataType type : all_data_types()) {
    rows.emplace_back(JsonValue::List{name_of(type), numpy_name_of(type), bit_width(type),
                                      name_of(kind_of(type))});
  }
  return rows;
}

}  // namespace

UserPython::UserPython(PythonOptions options, Logger& log)
    : options_(std::move(options)), log_(log) {}

UserPython::~UserPython() = default;

bool UserPython::time_is_up() const {
  return deadline_ && seconds_now() > *deadline_;
}

void UserPython::start() {
  const std::string chosen =
      options_.chosen_by.empty() ? "" : " (chosen by " + options_.chosen_by + ")";
  const std::string remedy =
      "Scripts run in your own Python, with numpy: activate its environment, or name it with the "
      "environment variable POLYGRAPHY_PYTHON.";
  try {
    channel_ = std::make_unique<PythonChannel>(
        std::vector<std::string>{options_.program, "-u", "-c", std::string(kBootstrap)},
        options_.out, options_.err, options_.cancel,
        [this] { return time_is_up() || (abandoned_ && abandoned_()); });
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    throw Error("No Python to run scripts: " + std::string(error.what()) + chosen, remedy);
  }
  PythonMessage hello;
  hello.header.set("modules", modules());
  hello.header.set("element_types", element_types());
  hello.header.set("results", result_classes_ ? result_classes_() : JsonValue::Object());
  hello.header.set("severity", static_cast<int64_t>(log_.severity(log_modules::kUserScript)));
  PythonMessage answer;
  try {
    channel_->send_text(python_bridge());
    channel_->send(hello);
    answer = channel_->receive();
  } catch (const PythonEnded& end) {
    channel_.reset();
    throw Error(options_.program + chosen + " cannot run scripts: it " + end.what() + ".", remedy);
  }
  if (!answer.header["failed"].is_null()) {
    channel_.reset();
    throw Error(kNoNumpy,
                "Scripts need numpy, which " + options_.program + chosen +
                    " lacks: " + answer.header["trace"].text(),
                "Install it there (`" + options_.program + " -m pip install numpy`). " + remedy);
  }
  std::set<std::string> types;
  for (const JsonValue& type : answer.header["types"].list()) types.insert(type.text());
  channel_->set_types(std::move(types));
}

PythonMessage UserPython::call(std::string_view op, PythonMessage request,
                               const std::string& doing) {
  if (!channel_) start();
  deadline_.reset();
  // Imports of a script take their time.
  if (timeout_ && op != "load") deadline_ = seconds_now() + *timeout_;
  request.header.set("op", op);
  PythonMessage reply;
  try {
    channel_->send(request);
    request.arrays.clear();  // they may be large, and are in the other process by now
    while (true) {
      reply = channel_->receive();
      if (reply.header["ask"].is_null()) break;
      channel_->send(respond(reply));
    }
  } catch (const PythonEnded& end) {
    channel_.reset();
    throw Error(doing + ": Python " + end.what() + " while it ran.");
  } catch (const Interrupted&) {
    channel_.reset();
    if (time_is_up())
      throw Error(fmt::format("{} exceeded {:g} s, and was ended.", doing, *timeout_));
    throw;
  }
  deadline_.reset();  // the end of the process has its own
  const JsonValue& failed = reply.header["failed"];
  if (failed.is_null()) return reply;
  std::string trace = reply.header["trace"].text();
  while (trace.ends_with('\n')) trace.pop_back();
  throw Error(failed.text(), std::move(trace));
}

PythonMessage UserPython::respond(const PythonMessage& question) {
  const std::string& ask = question.header["ask"].text();
  try {
    if (ask == "log") {
      log_message(question.header);
      return {};
    }
    const Answer* answer = answers_.find(ask);
    if (answer == nullptr) throw Error("scripts cannot call this here: " + ask);
    return (*answer)(question);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    PythonMessage refusal;
    refusal.header.set("failed", error.hint().empty()
                                     ? std::string(error.what())
                                     : error.what() + std::string("\n") + error.hint());
    return refusal;
  }
}

void UserPython::log_message(const JsonValue& message) {
  const Logger::Indent deeper(log_, static_cast<int>(message["indentation"].integer()));
  log_.log(static_cast<Severity>(message["severity"].integer()), log_modules::kUserScript,
           message["text"].text());
}

ScriptSymbol parse_script_symbol(std::string_view text, std::string_view fallback) {
  const size_t colon = text.rfind(':');
  ScriptSymbol symbol{std::string(text), std::string(fallback)};
  // A ':' in a folder's name does not separate a function.
  if (colon != std::string_view::npos && text.find('/', colon) == std::string_view::npos) {
    symbol = {std::string(text.substr(0, colon)), std::string(text.substr(colon + 1))};
  }
  if (symbol.path.empty() || symbol.name.empty()) {
    throw Error("'" + std::string(text) + "' does not name a function of a script.",
                "Write FILE.py or FILE.py:FUNCTION.");
  }
  return symbol;
}

// In the words of the bridge.
void require_script(const ScriptSymbol& symbol) {
  int reason = is_readable(symbol.path) ? 0 : errno;
  std::error_code ignored;
  if (std::filesystem::is_directory(symbol.path, ignored)) reason = EISDIR;
  if (reason == 0) return;
  throw IoError("Could not import symbol: " + symbol.name + " from script: " + symbol.path,
                "Note: Error was: " + system_reason(reason));
}

ScriptFunction::ScriptFunction(std::shared_ptr<UserPython> python, ScriptSymbol symbol)
    : python_(std::move(python)), symbol_(std::move(symbol)) {
  require_script(symbol_);
  PythonMessage request;
  request.header.set("path", symbol_.path);
  request.header.set("name", symbol_.name);
  id_ = python_->call("load", std::move(request), "Script " + symbol_.path).header["id"].integer();
}

PythonMessage ScriptFunction::call(std::string_view op, PythonMessage request) const {
  request.header.set("id", id_);
  return python_->call(op, std::move(request),
                       "Script " + symbol_.path + ": " + symbol_.name + "()");
}

ScriptFunction ScriptFunction::object(int64_t id) const {
  ScriptFunction other = *this;
  other.id_ = id;
  return other;
}

}  // namespace polygraphy
