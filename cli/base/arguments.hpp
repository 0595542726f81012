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

/// `text` as a whole number from `least` to `most`: digits only, no sign, no spaces.
/// Throws  `bad_argument` that names `text`.
std::uint64_t parse_count(std::string_view text, std::uint64_t least, std::uint64_t most);

/// `text` as a number above 0 and up to `most`; fractions are fine.
/// Throws  `bad_argument` that names `text`, and says that it should be a `what`.
double parse_positive(std::string_view text, double most, std::string_view what);

/// An option whose value `parse` makes of its text, or throws a `bad_argument`: exit code 2.
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

/// The most workers that -j takes. Far beyond any use, and far below what makes machines fall over.
inline constexpr std::size_t most_workers = 1024;

/// -j, --workers: how many workers, from 1 to most_workers. 0 stays "choose", which is said to be
/// `otherwise`.
CLI::Option* add_workers(CLI::App& app, std::size_t& target,
                         const std::string& otherwise = "what a pool would have, see filch doctor");

/// A flag: it is there or not, and takes no value.
CLI::Option* add_switch(CLI::App& app, const std::string& names, bool& target,
                        const std::string& about);

/// -o, --output: a file, or the beginning of a file's name. An empty one is refused.
CLI::Option* add_output(CLI::App& app, std::string& target, const std::string& about,
                        const std::string& type = "FILE");

/// A word out of `choices`, by its place on the command line. What they are stands in the type's
/// name, as "{a,b}", where --help shows it and completion finds it.
CLI::Option* add_choice(CLI::App& app, const std::string& name, std::string& target,
                        const std::vector<std::string>& choices, const std::string& about);

/// What may be given for an option; nothing if it is no choice.
std::vector<std::string> choices_of(const CLI::Option& option);

/// --json
CLI::Option* add_json(CLI::App& app, bool& target, const std::string& about);

/// How many workers there are if `wanted` were asked for; 0 asks for the default pool's number.
/// Throws  `bad_argument` if FILCH_NUM_THREADS makes no sense.
std::size_t number_of_workers(std::size_t wanted);

/// A pool of how.threads workers.
/// Throws  `failure` that names the number, if the machine has no room for them.
std::unique_ptr<filch::pool> make_pool(const filch::pool_options& how);

/// Throws  `bad_argument` if `path` cannot be a file to write: it is a directory, its folder does
///         not exist, or it is where stdout goes. Said before minutes of work, not after them.
void require_writable(const std::filesystem::path& path);

/// For a file `second` that is named after `path`.
/// Throws  `bad_argument` if `path` is a device or an open file (/dev/null, /dev/stdin, /dev/fd/3):
///         what lies beside those is not the user's.
void require_place_beside(const std::filesystem::path& path, const std::filesystem::path& second);

/// Throws  `bad_argument` if `path` is no file that can be read.
void require_readable(const std::filesystem::path& path);

}  // namespace filch::cli
