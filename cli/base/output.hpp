// What the program prints. Results go to stdout, messages to stderr.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <utility>

namespace filch::cli {

/// Writes `text` to stdout unchanged. Text from other sources must go through printable() first.
/// After the first error nothing more is written; finish_output() reports it.
void write(std::string_view text);

template <class... Arguments>
void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Writes `value` and a line end to stdout. Paths and names may contain any bytes: those that are
/// not UTF-8 become U+FFFD, and control characters are escaped. An `indent` of -1 keeps it on one
/// line.
void print_json(const nlohmann::json& value, int indent = 2);

/// Writes a message to stderr, after "filch: ". Control characters in it, except line ends, are
/// replaced.
void complain(std::string_view text);

/// Flushes stdout. Returns false if something could not be written. Then it has printed the reason,
/// once; but not for a closed pipe, which no program reads.
bool finish_output();

}  // namespace filch::cli
