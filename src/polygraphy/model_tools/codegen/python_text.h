// Python source text: literals, calls, imports.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polygraphy {

// A literal that Python reads back: infinities and NaN, too.
std::string py_number(double value);
std::string py_names(const std::vector<std::string>& names);  // ['a', 'b']
// [a, b] of values that are Python text already.
std::string py_list(const std::vector<std::string>& texts);
// {'': 1, 'y': 2} of values that are Python text already.
std::string py_dict(const std::vector<std::pair<std::string, std::string>>& entries);

// NAME(argument, keyword=value, …).
class PythonCall {
 public:
  explicit PythonCall(std::string name) : name_(std::move(name)) {}

  PythonCall& arg(std::string text) {
    arguments_.push_back(std::move(text));
    return *this;
  }
  PythonCall& arg(std::string_view keyword, const std::string& text) {
    return arg(std::string(keyword) + "=" + text);
  }
  // Nothing when the text is empty.
  PythonCall& arg_if(std::string_view keyword, const std::string& text) {
    return text.empty() ? *this : arg(keyword, text);
  }
  PythonCall& flag_if(std::string_view keyword, bool on, std::string_view value = "True") {
    return on ? arg(keyword, std::string(value)) : *this;
  }

  const std::string& name() const { return name_; }
  bool has_arguments() const { return !arguments_.empty(); }
  std::string text() const;

 private:
  std::string name_;
  std::vector<std::string> arguments_;
};

// The imports of a script, collected while it is written.
class PythonImports {
 public:
  // `from MODULE import NAME`; NAME may be "A as B".
  void add(const std::string& module, const std::string& name) { names_[module].insert(name); }
  // `VARIABLE = mod.lazy_import('PACKAGE')`.
  void add_lazy(const std::string& variable, const std::string& package) {
    lazy_[variable] = package;
    add("polygraphy", "mod");
  }
  // One line per module, in order.
  std::string text() const;

 private:
  std::map<std::string, std::set<std::string>> names_;
  std::map<std::string, std::string> lazy_;
};

// "# TEXT" and the end of the line: a line break in the text, as in a path, does not end it.
std::string py_comment(std::string text);

// The lines at the head of every script of ours: how it came about.
std::string script_header(std::string_view version, std::string_view command_line);

}  // namespace polygraphy
