// Opening a vendor's shared library at run time.
#pragma once

#include <dlfcn.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <cstring>
#include <string>

#include "common/plugin.h"

namespace pgb {

// Functions of an open library: pointers of a derived struct, each set by `symbol =
// find("symbol")`.
class Functions {
 public:
  explicit Functions(void* handle) : handle_(handle) {}
  // The first one that the library lacks; empty: it has all.
  const std::string& missing() const { return missing_; }

 protected:
  struct Found {
    void* address;
    template <typename Function>
    operator Function*() const {
      return reinterpret_cast<Function*>(address);
    }
  };
  Found find(const char* symbol) {
    const Found found = find_optional(symbol);
    if (!found.address && missing_.empty()) missing_ = symbol;
    return found;
  }
  Found find_optional(const char* symbol) const { return {dlsym(handle_, symbol)}; }

 private:
  void* handle_;
  std::string missing_;
};

// A vendor library that is open for the rest of the process: closing one that started threads is
// not safe.
struct VendorLibrary {
  void* handle = nullptr;
  std::string path;  // its real path

  template <typename Function>
  Function find(const char* symbol) const {
    return reinterpret_cast<Function>(dlsym(handle, symbol));
  }
};

inline std::string real_path(const char* path) {
  char buffer[PATH_MAX];
  return realpath(path, buffer) ? buffer : path;
}

// Opens `library`, or without one the first usable of `search`. Usable: it loads and has `symbol`.
// Throws Failure(PGB_UNAVAILABLE) with the reason. `product` is the library's usual name, `symbol`
// an entry point that nothing else has.
inline VendorLibrary open_vendor_library(const char* product, const char* symbol,
                                         const char* library, const char* const* search,
                                         size_t search_count) {
  std::string reasons, absent;
  const auto attempt = [&](const char* candidate) -> VendorLibrary {
    void* handle = dlopen(candidate, RTLD_NOW | RTLD_LOCAL);
    // A name alone is looked for in the system's folders; one that is typed may be a file here.
    const bool is_name = std::strchr(candidate, '/') == nullptr;
    const bool is_here = library && is_name && access(candidate, F_OK) == 0;
    if (!handle && is_here) handle = dlopen(real_path(candidate).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
      const char* error = dlerror();
      if (is_name && !is_here) {
        absent += (absent.empty() ? "" : ", ") + std::string(candidate);
        return {};
      }
      reasons += (reasons.empty() ? "" : "; ") + std::string(error ? error : candidate);
      return {};
    }
    void* entry = dlsym(handle, symbol);
    if (!entry) {
      reasons += (reasons.empty() ? "" : "; ") + std::string(candidate) + ": not " + product +
                 " (it has no " + symbol + ")";
      return {};
    }
    Dl_info where{};
    const bool known = dladdr(entry, &where) != 0 && where.dli_fname;
    return {handle, real_path(known ? where.dli_fname : candidate)};
  };

  if (library) {
    if (VendorLibrary found = attempt(library); found.handle) return found;
    throw Failure(reasons.empty() ? "no library " + absent + " on this system" : reasons, {},
                  PGB_UNAVAILABLE);
  }
  for (size_t i = 0; i < search_count; ++i) {
    if (VendorLibrary found = attempt(search[i]); found.handle) return found;
  }
  if (reasons.empty())
    reasons = std::string(product) + " was not found" + (absent.empty() ? "" : " (" + absent + ")");
  throw Failure(reasons, {}, PGB_UNAVAILABLE);
}

}  // namespace pgb
