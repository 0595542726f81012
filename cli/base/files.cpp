#include "base/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>

#include "base/errors.hpp"

namespace filch::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw failure(fmt::format("cannot write '{}': {}", path.string(), why));
}

/// Follows symbolic links, also if the last one leads to nothing.
fs::path followed(fs::path path) {
  constexpr int most = 40;  // as many as the kernel follows
  std::error_code error;
  for (int i = 0; i < most && fs::is_symlink(fs::symlink_status(path, error)); ++i) {
    const fs::path next = fs::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / next;  // an absolute path replaces the folder
  }
  if (fs::is_symlink(fs::symlink_status(path, error))) refuse(path, std::strerror(ELOOP));
  return path;
}

/// Can a new file replace what is at `path`?
bool is_replaceable(const fs::path& path) {
  std::error_code error;
  const fs::file_status found = fs::status(path, error);
  if (fs::exists(found) && !fs::is_regular_file(found)) return false;
  const fs::path folder = followed(path).parent_path();
  return !fs::exists(found) || access(folder.empty() ? "." : folder.c_str(), W_OK) == 0;
}

/// Returns the reason if it failed, otherwise an empty string.
std::string fill_file(const fs::path& path, const std::function<void(std::ostream&)>& fill) {
  errno = 0;
  std::ofstream out(path, std::ios::binary);
  if (out) fill(out);
  out.close();
  return out ? "" : std::strerror(errno == 0 ? EIO : errno);
}

/// Makes an empty file, and removes what was there first, because a link might lead anywhere.
/// Returns the reason if it failed, otherwise an empty string.
std::string create_anew(const fs::path& path) {
  (void)unlink(path.c_str());
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return std::strerror(errno);
  close(file);
  return "";
}

/// Copies `in` to `out`. If not everything arrives, `out` is not good() afterwards. (out <<
/// in.rdbuf() reports an error only if nothing arrives.)
void copy(std::istream& in, std::ostream& out) {
  std::array<char, std::size_t{1} << 16> part;
  while (out && in) {
    in.read(part.data(), part.size());
    out.write(part.data(), in.gcount());
  }
  if (!in.eof()) out.setstate(std::ios::failbit);
}

}  // namespace

void write_file(const fs::path& path, const std::function<void(std::ostream&)>& fill) {
  if (!is_replaceable(path)) {
    if (const std::string why = fill_file(path, fill); !why.empty()) refuse(path, why);
    return;
  }
  const fs::path place = followed(path);
  fs::path half = place;
  half += fmt::format(".{}.part", getpid());
  std::string why = create_anew(half);
  if (why.empty()) why = fill_file(half, fill);
  std::error_code error;
  if (why.empty()) fs::rename(half, place, error);
  if (error) why = error.message();
  if (why.empty()) return;
  fs::remove(half, error);
  refuse(path, why);
}

fs::path move_file(const fs::path& from, const fs::path& to) {
  std::error_code error;
  if (is_replaceable(to)) {
    fs::rename(from, followed(to), error);
    if (!error) return to;
  }
  write_file(to, [&](std::ostream& out) {
    std::ifstream in(from, std::ios::binary);
    copy(in, out);
  });
  if (!fs::is_regular_file(to, error)) return from;
  fs::remove(from, error);
  return to;
}

}  // namespace filch::cli
