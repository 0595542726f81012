// Files for the user: written completely or not at all, at the path that the user gave.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>

namespace filch::cli {

/// Calls `fill` to write the contents of the file at `path`.
/// How     Writes a new file beside `path`, as .<process>.part, and renames it, so that no process
///         finds an incomplete one. Follows a symbolic link and writes its target. Writes directly
///         to anything that is not a regular file (a device, a FIFO), and to a file whose folder
///         accepts no new files.
/// Throws  `failure` with the reason.
void write_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& fill);

/// Moves a file, also to another disk. `to` is treated as above. If it is not a regular file, the
/// old file stays.
/// Returns  Where the contents can be read.
/// Throws   `failure` with the reason; then `from` is still there.
std::filesystem::path move_file(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace filch::cli
