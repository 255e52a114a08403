// Common parts of all plugins at the C boundary: errors, options, the host's services.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polygraphy/backend.h"

namespace pgb {

// How a plugin call fails. Thrown inside a plugin, caught by guarded(): never crosses the boundary.
class Failure : public std::exception {
 public:
  explicit Failure(std::string message, std::string hint = {}, pgb_status status = PGB_FAILED)
      : message_(std::move(message)), hint_(std::move(hint)), status_(status) {}
  const char* what() const noexcept override { return message_.c_str(); }
  const std::string& hint() const { return hint_; }
  pgb_status status() const { return status_; }

 private:
  std::string message_, hint_;
  pgb_status status_;
};

inline Failure bad_option(std::string message, std::string hint = {}) {
  return Failure(std::move(message), std::move(hint), PGB_BAD_OPTION);
}

inline Failure cancelled() {
  return Failure("cancelled", {}, PGB_CANCELLED);
}

// Runs the body of a plugin call; turns whatever it throws into a status and one report to the
// host.
template <typename Body>
pgb_status guarded(const pgb_host& host, Body&& body) noexcept {
  try {
    body();
    return PGB_OK;
  } catch (const Failure& failure) {
    host.set_error(host.context, failure.what(),
                   failure.hint().empty() ? nullptr : failure.hint().c_str());
    return failure.status();
  } catch (const std::bad_alloc&) {
    host.set_error(host.context, "out of memory", nullptr);
  } catch (const std::exception& error) {
    host.set_error(host.context, error.what(), nullptr);
  } catch (...) {
    host.set_error(host.context, "the runtime threw an exception of unknown type", nullptr);
  }
  return PGB_FAILED;
}

// The host's services, with C++ types.
class Host {
 public:
  explicit Host(const pgb_host& host) : host_(&host) {}
  const pgb_host& raw() const { return *host_; }

  void log(pgb_severity severity, const char* module, const std::string& text) const {
    host_->log(host_->context, severity, module, text.c_str());
  }
  bool log_enabled(pgb_severity severity, const char* module) const {
    return host_->log_enabled(host_->context, severity, module) != 0;
  }
  bool cancellable() const { return host_->cancelled != nullptr; }
  bool is_cancelled() const { return cancellable() && host_->cancelled(host_->context) != 0; }
  void throw_if_cancelled() const {
    if (is_cancelled()) throw cancelled();
  }

 private:
  const pgb_host* host_;
};

inline constexpr pgb_severity kExtraVerbose = 0;
inline constexpr pgb_severity kVerbose = 10;
inline constexpr pgb_severity kInfo = 20;
inline constexpr pgb_severity kStart = 22;
inline constexpr pgb_severity kFinish = 28;
inline constexpr pgb_severity kWarning = 30;
inline constexpr pgb_severity kError = 40;

// The options of one load().
class Options {
 public:
  explicit Options(const pgb_session_options& session)
      : session_(session), options_(session.options), count_(session.option_count) {}
  const pgb_session_options& session() const { return session_; }

  bool has(std::string_view key) const { return find(key) != nullptr; }
  std::vector<std::string> values(std::string_view key) const {
    const pgb_key_values* found = find(key);
    if (!found) return {};
    return {found->values, found->values + found->value_count};
  }
  // Of an option that repeats, each one's values.
  std::vector<std::vector<std::string>> occurrences(std::string_view key) const {
    std::vector<std::vector<std::string>> found;
    for (size_t i = 0; i < count_; ++i) {
      if (key != options_[i].key) continue;
      found.emplace_back(options_[i].values, options_[i].values + options_[i].value_count);
    }
    return found;
  }
  std::optional<std::string> value(std::string_view key) const {
    const pgb_key_values* found = find(key);
    if (!found || found->value_count == 0) return std::nullopt;
    return found->values[0];
  }
  // A whole number of at least `least`. Throws Failure naming `spelling`.
  std::optional<int> integer(std::string_view key, const char* spelling, int least) const;

 private:
  // The last one wins, as on a command line.
  const pgb_key_values* find(std::string_view key) const {
    const pgb_key_values* found = nullptr;
    for (size_t i = 0; i < count_; ++i) {
      if (key == options_[i].key) found = &options_[i];
    }
    return found;
  }

  const pgb_session_options& session_;
  const pgb_key_values* options_;
  size_t count_;
};

inline std::optional<int> Options::integer(std::string_view key, const char* spelling,
                                           int least) const {
  const std::optional<std::string> text = value(key);
  if (!text) return std::nullopt;
  char* end = nullptr;
  const long number = std::strtol(text->c_str(), &end, 10);
  if (text->empty() || *end != '\0' || number < least || number > 1'000'000) {
    throw bad_option(std::string(spelling) + " takes a whole number of at least " +
                     std::to_string(least) + ", but received: " + *text);
  }
  return static_cast<int>(number);
}

inline pgb_value empty_value(pgb_value_kind kind) {
  pgb_value value{};
  value.struct_size = sizeof(pgb_value);
  value.kind = kind;
  return value;
}

// "['a', 'b']": lists in messages look as the original's.
inline std::string list_text(const std::vector<std::string>& names) {
  std::string text = "[";
  for (const std::string& name : names) {
    if (text.size() > 1) text += ", ";
    text += '\'' + name + '\'';
  }
  return text + "]";
}

}  // namespace pgb
