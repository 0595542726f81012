#include "live/live_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>
#include <vector>

#include "base/errors.hpp"
#include "filch/detail/base/process.hpp"

namespace filch::cli {
namespace {

using detail::live_page;

std::vector<std::filesystem::path> places_of(pid_t pid) {
  const std::string name = fmt::format("filch-live.{}", pid);
  std::vector<std::filesystem::path> places;
  if (const char* const folder = std::getenv("XDG_RUNTIME_DIR"); folder != nullptr && *folder != 0)
    places.push_back(std::filesystem::path(folder) / name);
  places.push_back(std::filesystem::path("/tmp") / name);
  return places;
}

/// Why a file cannot be used; nothing if it can.
std::string objection_to(const struct stat& file) {
  if (!S_ISREG(file.st_mode)) return "it is not a regular file; another program has put it there";
  if (file.st_uid != geteuid() && geteuid() != 0) return "it belongs to somebody else";
  if ((file.st_mode & (S_IWGRP | S_IWOTH)) != 0) return "others may write to it";
  if (file.st_size != static_cast<off_t>(sizeof(live_page)))
    return fmt::format("it has {} bytes instead of {}: another version of filch?", file.st_size,
                       sizeof(live_page));
  return "";
}

std::string objection_to(const live_page& page, pid_t pid) {
  if (page.magic != detail::live_magic) return "it is not filch's";
  if (page.version != detail::live_version || page.size != sizeof(live_page))
    return fmt::format("it has format {}, and this program reads {}", page.version,
                       detail::live_version);
  if (page.pid != static_cast<std::uint64_t>(pid))
    return fmt::format("it is of process {}", page.pid);
  return "";
}

/// Is `pid` the number of the process that has this mark? 0: it is not known.
bool lives(pid_t pid, std::uint64_t mark) noexcept {
  const std::uint64_t now = detail::process_mark(static_cast<std::uint64_t>(pid));
  if (now != 0 && mark != 0) return now == mark;
  return kill(pid, 0) == 0;  // no permission: it is somebody else's, so another one
}

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
  throw failure(fmt::format("cannot use '{}': {}", path.string(), why));
}

}  // namespace

void live_file::unmap::operator()(const live_page* page) const noexcept {
  (void)munmap(const_cast<live_page*>(page), sizeof(live_page));
}

std::optional<live_file> live_file::open(pid_t pid) {
  for (const std::filesystem::path& path : places_of(pid)) {
    // It may be anything that somebody has put there: opening a FIFO must not wait for its writer.
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) {
      if (errno == ENOENT || errno == ENOTDIR) continue;
      refuse(path, std::strerror(errno));
    }
    struct stat status = {};
    const bool known = fstat(file, &status) == 0;
    // A file that has just been created is empty for a moment.
    if (known && S_ISREG(status.st_mode) && status.st_size == 0) {
      close(file);
      return std::nullopt;
    }
    const std::string why = known ? objection_to(status) : std::strerror(errno);
    void* const at =
        why.empty() ? mmap(nullptr, sizeof(live_page), PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
    const std::string map_error = std::strerror(errno);
    close(file);
    if (!why.empty()) refuse(path, why);
    if (at == MAP_FAILED) refuse(path, map_error);
    live_file mapped(static_cast<const live_page*>(at));
    if (mapped.page_->magic == decltype(live_page::magic){})
      return std::nullopt;  // not written yet
    if (const std::string objection = objection_to(*mapped.page_, pid); !objection.empty())
      refuse(path, objection);
    if (!mapped.has_writer()) continue;
    return mapped;
  }
  return std::nullopt;
}

bool live_file::has_writer() const noexcept {
  return lives(static_cast<pid_t>(page_->pid), page_->process_mark);
}

bool live_file::remove_left_behind(pid_t pid) noexcept {
  bool any = false;
  for (const std::filesystem::path& path : places_of(pid)) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) continue;
    struct stat opened = {}, named = {};
    const bool ours =
        fstat(file, &opened) == 0 && S_ISREG(opened.st_mode) && opened.st_uid == geteuid();
    // Zeros stay if the process died before it wrote them.
    decltype(live_page::magic) magic{};
    std::uint64_t mark = 0;
    (void)!pread(file, magic.data(), magic.size(), offsetof(live_page, magic));
    (void)!pread(file, &mark, sizeof mark, offsetof(live_page, process_mark));
    const bool filchs = magic == detail::live_magic || magic == decltype(magic){};
    // The file that was looked at, and not one that a new process has put in its place: as long as
    // it is open, no other has its number.
    if (ours && filchs && !lives(pid, mark) && lstat(path.c_str(), &named) == 0 &&
        named.st_dev == opened.st_dev && named.st_ino == opened.st_ino)
      any = unlink(path.c_str()) == 0 || any;
    close(file);
  }
  return any;
}

std::unique_ptr<live_page> live_file::read() const {
  auto page = std::make_unique<live_page>();
  // On a busy machine the writer may have to wait for a CPU in the middle of its page.
  for (int tries = 0; tries < 100; ++tries) {
    if (detail::copy_live_page(*page_, *page)) return page;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return nullptr;
}

}  // namespace filch::cli
