#include "base/arguments.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <new>
#include <system_error>

#include "filch/detail/base/cpu_count.hpp"
#include "filch/errors.hpp"

namespace filch::cli {

namespace fs = std::filesystem;

std::uint64_t parse_count(std::string_view text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && rest == end && value >= least && value <= most) return value;
  throw bad_argument(
      fmt::format("takes a whole number from {} to {}, not '{}'", least, most, text));
}

double parse_positive(std::string_view text, double most, std::string_view what) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && rest == end && value > 0 && value <= most) return value;
  throw bad_argument(fmt::format("takes a {} above 0 and up to {}, not '{}'", what, most, text));
}

CLI::Option* add_seconds(CLI::App& app, const std::string& names, double& target,
                         const std::string& about) {
  constexpr double day = 86'400;
  const auto parse = [](const std::string& text) {
    return parse_positive(text, day, "number of seconds");
  };
  return add_parsed(app, names, target, parse, about)->type_name("SECONDS");
}

CLI::Option* add_factor(CLI::App& app, const std::string& names, double& target,
                        const std::string& about) {
  const auto parse = [](const std::string& text) { return parse_positive(text, 1000, "factor"); };
  return add_parsed(app, names, target, parse, about)->type_name("FACTOR");
}

CLI::Option* add_workers(CLI::App& app, std::size_t& target, const std::string& otherwise) {
  return add_count(
      app, "-j,--workers", target, 1, most_workers,
      fmt::format("Number of workers, up to {} (default: {})", most_workers, otherwise));
}

CLI::Option* add_json(CLI::App& app, bool& target, const std::string& about) {
  return add_switch(app, "--json", target, about);
}

CLI::Option* add_switch(CLI::App& app, const std::string& names, bool& target,
                        const std::string& about) {
  return app.add_flag(names, target, about)->disable_flag_override();
}

CLI::Option* add_output(CLI::App& app, std::string& target, const std::string& about,
                        const std::string& type) {
  const auto parse = [](const std::string& text) {
    if (text.empty()) throw bad_argument("takes a name, but got an empty one");
    return text;
  };
  return add_parsed(app, "-o,--output", target, parse, about)->type_name(type);
}

CLI::Option* add_choice(CLI::App& app, const std::string& name, std::string& target,
                        const std::vector<std::string>& choices, const std::string& about) {
  const auto parse = [choices](const std::string& text) {
    if (std::find(choices.begin(), choices.end(), text) != choices.end()) return text;
    throw bad_argument(fmt::format("must be one of {}, not '{}'", fmt::join(choices, ", "), text));
  };
  return add_parsed(app, name, target, parse, about)
      ->type_name(fmt::format("{{{}}}", fmt::join(choices, ",")));
}

std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (!type.starts_with('{') || !type.ends_with('}')) return {};
  return CLI::detail::split(type.substr(1, type.size() - 2), ',');
}

std::size_t number_of_workers(std::size_t wanted) {
  if (wanted != 0) return wanted;
  try {
    return detail::default_thread_count();
  } catch (const filch::usage_error& error) {
    throw bad_argument(error.what());
  }
}

std::unique_ptr<filch::pool> make_pool(const filch::pool_options& how) {
  std::string why = "there is not enough memory";
  try {
    return std::make_unique<filch::pool>(how);
  } catch (const std::bad_alloc&) {
  } catch (const std::system_error& error) {
    why = error.what();
  }
  throw failure(
      fmt::format("cannot start {} workers: {}; ask for fewer with -j", how.threads, why));
}

void require_writable(const fs::path& path) {
  std::error_code ignored;
  if (path.empty()) throw bad_argument("the name of the file to write is empty");
  if (fs::is_directory(path, ignored))
    throw bad_argument(fmt::format("cannot write '{}': it is a directory", path.string()));
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, ignored))
    throw bad_argument(
        fmt::format("cannot write '{}': there is no folder '{}'", path.string(), folder.string()));
  struct stat named = {}, out = {};
  if (stat(path.c_str(), &named) == 0 && fstat(STDOUT_FILENO, &out) == 0 &&
      S_ISREG(named.st_mode) && named.st_dev == out.st_dev && named.st_ino == out.st_ino)
    throw bad_argument(
        fmt::format("cannot write '{}': standard output goes to the same file; choose another name "
                    "for one of them",
                    path.string()));
  const fs::path& decides = fs::exists(path, ignored) ? path : folder;
  if (access(decides.c_str(), W_OK) != 0)
    throw bad_argument(fmt::format("cannot write '{}': {}", path.string(), std::strerror(errno)));
}

void require_place_beside(const fs::path& path, const fs::path& second) {
  std::error_code ignored;
  const fs::file_status found = fs::status(path, ignored);
  const bool device = fs::is_character_file(found) || fs::is_block_file(found);
  // /dev/stdin and /dev/fd/3 are links that lead to files by way of /proc.
  const std::string folder = fs::canonical(path.parent_path(), ignored).string();
  if (device || folder == "/dev" || folder.starts_with("/proc/"))
    throw bad_argument(
        fmt::format("cannot write '{}' beside '{}', which is a device or an open file: give the "
                    "name of a regular file with -o",
                    second.string(), path.string()));
}

void require_readable(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    throw bad_argument(fmt::format("cannot read '{}': it is a directory", path.string()));
  if (access(path.c_str(), R_OK) != 0)
    throw bad_argument(fmt::format("cannot read '{}': {}", path.string(), std::strerror(errno)));
}

}  // namespace filch::cli
