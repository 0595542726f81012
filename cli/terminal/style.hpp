// Colours, where the output is a terminal.
#pragma once

#include <string>
#include <string_view>

namespace filch::cli {

enum class style : unsigned char { plain, bold, dim, good, bad, accent };

/// Is `descriptor` (1 is stdout, 2 stderr) a terminal that understands escape codes?
bool is_terminal(int descriptor) noexcept;

/// May stdout have colours? Not if it is not a terminal, if NO_COLOR is set, or if TERM is "dumb".
bool colours_wanted() noexcept;

/// `text` with the escape codes of `how` around it, if `on`.
std::string styled(std::string_view text, style how, bool on);

/// How many columns `text` takes on a terminal: escape codes take none, a UTF-8 character takes
/// one.
std::size_t width_of(std::string_view text) noexcept;

/// The first `columns` columns of `text`. Escape codes are kept, so that colours end.
std::string cut_to(std::string_view text, std::size_t columns);

}  // namespace filch::cli
