// Text that comes from elsewhere (a trace, a live page, a path), as a terminal may have it.
#pragma once

#include <string>
#include <string_view>

namespace filch::cli {

/// One line of `text` that a terminal shows and does not obey: controls (C0, DEL, C1, and those
/// that change the direction of what follows) become '?', what is not UTF-8 becomes U+FFFD.
std::string printable(std::string_view text);

/// The same for several lines, whose ends stay.
std::string printable_lines(std::string_view text);

/// The text of a JSON value, which has C0 escaped already, with the other controls escaped, too: to
/// a program it is the same value.
std::string printable_json(std::string_view text);

}  // namespace filch::cli
