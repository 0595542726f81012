// Files that are written for the user: as a whole or not at all, and where the user meant.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>

namespace filch::cli {

/// Has `fill` write what is to stand at `path`.
/// How     A file is written beside its place, as .<process>.part, and renamed: nobody finds half
///         of one. A symbolic link stays one, and what it points to is written. What is no file (a
///         device, a FIFO) is written to as it is, and so is a file whose folder takes no new ones.
/// Throws  `failure` with the reason.
void write_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& fill);

/// Moves a file, also to another disk. What `to` may be is as above; if it is no file, the old one
/// stays.
/// Returns  Where it can be read.
/// Throws   `failure` with the reason; then `from` is still there.
std::filesystem::path move_file(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace filch::cli
