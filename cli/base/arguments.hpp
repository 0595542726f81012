// Options whose values are checked, with messages that name the value.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "filch/pool.hpp"

namespace filch::cli {

/// Parses `text` as a whole number from `least` to `most`: digits only, no sign, no spaces.
/// Throws  `bad_argument` that names `text`.
std::uint64_t parse_count(std::string_view text, std::uint64_t least, std::uint64_t most);

/// Parses `text` as a number above 0 and up to `most`. Fractions are allowed.
/// Throws  `bad_argument` that names `text`, and says that it should be a `what`.
double parse_positive(std::string_view text, double most, std::string_view what);

/// Adds an option whose text `parse` converts to a value. If it throws a `bad_argument`, the exit
/// code is 2.
template <class Value, class Parse>
CLI::Option* add_parsed(CLI::App& app, const std::string& names, Value& target, Parse parse,
                        const std::string& about) {
  return app.add_option_function<std::string>(
      names,
      [&target, names, parse](const std::string& text) {
        try {
          target = static_cast<Value>(parse(text));
        } catch (const bad_argument& error) {
          throw CLI::ValidationError(names, error.what());
        }
      },
      about);
}

/// A whole number.
template <class Number>
CLI::Option* add_count(CLI::App& app, const std::string& names, Number& target, std::uint64_t least,
                       std::uint64_t most, const std::string& about) {
  const auto parse = [=](const std::string& text) { return parse_count(text, least, most); };
  return add_parsed(app, names, target, parse, about)->type_name("N");
}

/// A number of seconds.
CLI::Option* add_seconds(CLI::App& app, const std::string& names, double& target,
                         const std::string& about);

/// A factor above 0, at most 1000.
CLI::Option* add_factor(CLI::App& app, const std::string& names, double& target,
                        const std::string& about);

/// The largest number of workers that -j accepts. Far beyond any use, and far below what overloads
/// a machine.
inline constexpr std::size_t most_workers = 1024;

/// -j, --workers: the number of workers, from 1 to most_workers. 0 means "choose"; the help text
/// describes that choice as `otherwise`.
CLI::Option* add_workers(CLI::App& app, std::size_t& target,
                         const std::string& otherwise = "what a pool would have, see filch doctor");

/// A flag, without a value.
CLI::Option* add_switch(CLI::App& app, const std::string& names, bool& target,
                        const std::string& about);

/// -o, --output: a file name, or the beginning of one. An empty name is refused.
CLI::Option* add_output(CLI::App& app, std::string& target, const std::string& about,
                        const std::string& type = "FILE");

/// A positional argument: one word of `choices`. The choices stand in the type's name, as "{a,b}",
/// where --help shows them and completion finds them.
CLI::Option* add_choice(CLI::App& app, const std::string& name, std::string& target,
                        const std::vector<std::string>& choices, const std::string& about);

/// The possible values of an option. Empty if it is not a choice.
std::vector<std::string> choices_of(const CLI::Option& option);

/// --json
CLI::Option* add_json(CLI::App& app, bool& target, const std::string& about);

/// The number of workers if the user asked for `wanted`. 0 asks for the number of the default pool.
/// Throws  `bad_argument` if FILCH_NUM_THREADS makes no sense.
std::size_t number_of_workers(std::size_t wanted);

/// Makes a pool of how.threads workers.
/// Throws  `failure` that names the number, if the machine has not enough memory or threads.
std::unique_ptr<filch::pool> make_pool(const filch::pool_options& how);

/// Throws  `bad_argument` if `path` cannot be written: it is a directory, its folder does not
///         exist, or it is where stdout goes. Commands check this before minutes of work, not
///         after.
void require_writable(const std::filesystem::path& path);

/// Checks a file `second` that is named after `path`.
/// Throws  `bad_argument` if `path` is a device or an open file (/dev/null, /dev/stdin, /dev/fd/3):
///         files beside those do not belong to the user.
void require_place_beside(const std::filesystem::path& path, const std::filesystem::path& second);

/// Throws  `bad_argument` if `path` is not a file that can be read.
void require_readable(const std::filesystem::path& path);

}  // namespace filch::cli
