// What the program prints. Results go to stdout, messages to stderr.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <utility>

namespace filch::cli {

/// Writes to stdout, as it is: text that comes from elsewhere goes through printable() before.
/// After the first error nothing more is written; finish_output() tells.
void write(std::string_view text);

template <class... Arguments>
void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Writes `value` and the end of a line to stdout. Paths and names may be any bytes: what is not
/// UTF-8 becomes U+FFFD, and what a terminal would obey is escaped. An `indent` of -1 keeps it on
/// one line.
void print_json(const nlohmann::json& value, int indent = 2);

/// A message to stderr, after "filch: ". What a terminal would obey in it, but for the ends of
/// lines, is replaced.
void complain(std::string_view text);

/// Flushes stdout. False if something could not be written: then it has said why, once, unless
/// nobody reads (a closed pipe), who does not care.
bool finish_output();

}  // namespace filch::cli
