// Requirements on every plugin, whatever models its library takes.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/os/processes/standard_streams.h"
#include "base/text.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/contract/contract_case.h"
#include "polygraphy/runtimes/contract/workbench.h"

namespace polygraphy::contract {
namespace {

std::span<const pgb_model_format> formats_of(const pgb_backend_options& backend) {
  return {backend.formats, backend.format_count};
}

void option_table(Workbench& bench) {
  std::set<std::string_view> keys;
  for (const pgb_option_spec& option : options_of(bench.options())) {
    const std::string_view key = option.key;
    // A spelling is a word of the command line.
    if (option.spellings) {
      for (const auto spelling : split(option.spellings, ' '))
        bench.holds(fmt::format("{} begins with a dash", spelling), spelling.starts_with("-"));
    }
    bench.holds(fmt::format("key {} is used once", key), keys.insert(key).second);
    bench.holds(fmt::format("nargs of {} is one of: 0, 1, ?, +, *", key),
                std::string_view("01?+*").find(option.nargs) != std::string_view::npos &&
                    std::string_view(option.nargs).size() == 1);
    bench.holds(fmt::format("type of {} is a pgb_option_type", key),
                option.type >= PGB_TEXT && option.type <= PGB_WRITTEN_FOLDER);
    bench.holds(fmt::format("stages of {} are pgb_stages", key),
                (option.stages & ~(PGB_BUILDS | PGB_RUNS)) == 0);
    bench.holds(fmt::format("{} names an enumeration, if it names a member of one", key),
                option.enumeration || !option.enumerator);
  }
}

void format_table(Workbench& bench) {
  std::set<std::string_view> names;
  for (const pgb_model_format& format : formats_of(bench.options())) {
    bench.holds(fmt::format("model type {} is listed once", format.name),
                names.insert(format.name).second);
  }
}

void extensions(Workbench& bench) {
  const pgb_backend& backend = bench.host().open(bench.runtime())->backend();
  if (!backend.extension) return;
  bench.holds("extension() returns null for an unknown name",
              backend.extension("an unknown name") == nullptr);
  const auto* build = static_cast<const pgb_build*>(backend.extension(PGB_BUILD));
  if (!build) return;
  bench.holds("extension build: has a function", build->build != nullptr);
  bench.holds("extension build: its format is one of the model types",
              build->format && std::any_of(formats_of(bench.options()).begin(),
                                           formats_of(bench.options()).end(), [&](auto& format) {
                                             return std::string_view(format.name) == build->format;
                                           }));
}

void tells_about_its_library(Workbench& bench) {
  const auto instance = bench.host().open(bench.runtime());
  bench.holds("info: library_version is set", !instance->info().library_version.empty());
}

void opens_again(Workbench& bench) {
  std::string version;
  for (int i = 0; i < 3; ++i) {
    Workbench other(bench.host().paths(), bench.runtime());
    const std::string seen = other.host().open(bench.runtime())->info().library_version;
    if (i > 0) bench.text_is("the version of an instance that is opened later", seen, version);
    version = seen;
  }
}

void two_instances_side_by_side(Workbench& bench) {
  Workbench other(bench.host().paths(), bench.runtime());
  const auto one = bench.host().open(bench.runtime());
  const auto two = other.host().open(bench.runtime());
  bench.text_is("the version of both", one->info().library_version, two->info().library_version);
}

bool names_a_library(const pgb_backend_options& backend) {
  return backend.library_option != nullptr || backend.library_env != nullptr;
}

void library_that_is_not_there(Workbench& bench) {
  const std::string path = bench.folder() / "libnothing.so";
  const std::string error = error_of([&] { bench.host().open(bench.runtime(), path); });
  bench.text_has("the error", error, {bench.runtime() + " is not available", path});
}

// A path that a model of the format may have: "model.scale", "saved_model/".
std::string name_of_model(const pgb_model_format& format, const std::string& stem, bool& folder) {
  const auto patterns = split(format.patterns, ' ');
  std::string name =
      patterns.empty() || patterns.front().empty() ? "*" : std::string(patterns.front());
  folder = name.ends_with('/');
  if (folder) name.pop_back();
  std::replace(name.begin(), name.end(), '?', 'x');
  const size_t star = name.find('*');
  return star == std::string::npos ? stem + "_" + name
                                   : name.substr(0, star) + stem + name.substr(star + 1);
}

// The error with which a runner refuses the model; checked for the parts that each of these errors
// has.
void refuses(Workbench& bench, const std::string& what, const pgb_model_format& format,
             const std::string& path) {
  const std::string of_format = fmt::format("{} (model type {})", what, format.name);
  const auto runner = bench.runner({.path = path, .format = format.name});
  const std::string error = error_of([&] { runner->activate(); });
  bench.text_has(of_format, error, {path});
  bench.text_lacks(of_format, error, "reported no reason");
  bench.holds("a runner is inactive after a failed activation", !runner->active());
}

void file_that_is_no_model(Workbench& bench) {
  for (const pgb_model_format& format : formats_of(bench.options())) {
    bool folder = false;
    const std::string name = name_of_model(format, "no_model", folder);
    if (folder) std::filesystem::create_directories(bench.folder() / name);
    const std::string path =
        bench.file_of_bytes("this is not a model", folder ? name + "/x" : name);
    // Twice: the second time nothing has changed.
    for (int i = 0; i < 2; ++i)
      refuses(bench, "a file that is not a model", format, folder ? bench.folder() / name : path);
  }
}

void file_that_is_not_there(Workbench& bench) {
  for (const pgb_model_format& format : formats_of(bench.options())) {
    bool folder = false;
    const std::string name = name_of_model(format, "none", folder);
    refuses(bench, "a missing file", format, bench.folder() / name);
  }
}

void folder_without_a_model(Workbench& bench) {
  for (const pgb_model_format& format : formats_of(bench.options())) {
    bool folder = false;
    const std::string path = bench.folder() / name_of_model(format, "folder", folder);
    std::filesystem::create_directories(path);
    refuses(bench, "a folder without a model", format, path);
  }
}

void bytes_that_are_no_model(Workbench& bench) {
  const auto instance = bench.host().open(bench.runtime());
  for (const pgb_model_format& format : formats_of(bench.options())) {
    ModelBlob blob{.bytes = "this is not a model", .format = format.name};
    bench.fails(fmt::format("bytes that are not a model (model type {})", format.name),
                error_of([&] { instance->load(blob, {}); }));
  }
}

// load() may find either error first: the cancellation, or bytes that are not a model.
void cancelled_before_loading(Workbench& bench) {
  const auto instance = bench.host().open(bench.runtime());
  const pgb_model_format& format = formats_of(bench.options()).front();
  ModelBlob blob{.bytes = "this is not a model", .format = format.name};
  bench.stop = true;
  bench.fails("load() that is cancelled", error_of([&] { instance->load(blob, {}); }));
  bench.stop = false;
  const std::string error = error_of([&] { instance->load(blob, {}); });
  bench.fails("load() afterwards", error);
  bench.text_lacks("load() afterwards", error, "interrupted");
}

void nothing_on_stdout_and_stderr(Workbench& bench) {
  StandardStreams streams(bench.folder() / "printed");
  {
    Workbench loud(bench.host().paths(), bench.runtime());
    loud.log().log().set_severity(Severity::kUltraVerbose);
    const auto instance = loud.host().open(bench.runtime());
    instance->info();
    ModelBlob blob{.bytes = "no model", .format = formats_of(loud.options()).front().name};
    error_of([&] { instance->load(blob, {}); });
  }
  bench.text_is("standard output and standard error", streams.take(), "");
}

std::vector<Case> case_list() {
  return {{std::string(kOpeningCase), tells_about_its_library, takes_anything},
          {"plugin/option_table", option_table, takes_anything},
          {"plugin/format_table", format_table, takes_anything},
          {"plugin/extensions", extensions, takes_anything},
          {"plugin/opens_again", opens_again, takes_anything},
          {"plugin/two_instances_side_by_side", two_instances_side_by_side, takes_anything},
          {"plugin/library_that_is_not_there", library_that_is_not_there, names_a_library},
          {"plugin/file_that_is_no_model", file_that_is_no_model, takes_anything},
          {"plugin/file_that_is_not_there", file_that_is_not_there, takes_anything},
          {"plugin/folder_without_a_model", folder_without_a_model, takes_anything},
          {"plugin/bytes_that_are_no_model", bytes_that_are_no_model, takes_anything},
          {"plugin/cancelled_before_loading", cancelled_before_loading, takes_anything},
          {"plugin/nothing_on_stdout_and_stderr", nothing_on_stdout_and_stderr, takes_anything}};
}

}  // namespace

extern constinit const CaseGroup case_group_plugin = {.cases = case_list};

}  // namespace polygraphy::contract
