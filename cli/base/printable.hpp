// Text from other sources (a trace, a live page, a path), made safe for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace filch::cli {

/// `text` as one line that a terminal shows and does not interpret. Control characters (C0, DEL,
/// C1, and those that change the direction of text) become '?'. Bytes that are not UTF-8 become
/// U+FFFD.
std::string printable(std::string_view text);

/// The same for several lines. Their line ends stay.
std::string printable_lines(std::string_view text);

/// The text of a JSON value, which has C0 escaped already, with the other control characters
/// escaped too. For a program it is the same value.
std::string printable_json(std::string_view text);

}  // namespace filch::cli
