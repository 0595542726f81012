#include "live/live_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "base/errors.hpp"
#include "filch/detail/base/process.hpp"

namespace filch::cli {
namespace {

namespace fs = std::filesystem;
using detail::live_page;

/// A descriptor that is closed at the end. The path may name anything, so open() must not block.
class opened {
 public:
  explicit opened(const fs::path& path)
      : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}
  opened(const opened&) = delete;
  opened& operator=(const opened&) = delete;
  ~opened() {
    if (file_ >= 0) ::close(file_);
  }
  operator int() const { return file_; }

 private:
  int file_;
};

/// Why a file that a process of `owner` has open cannot be used, or "" if it can.
std::string objection_to(const struct stat& file, uid_t owner) {
  if (file.st_uid != owner && file.st_uid != 0)
    return fmt::format("it belongs to user {}, but the process belongs to user {}", file.st_uid,
                       owner);
  if (file.st_size != static_cast<off_t>(sizeof(live_page)))
    return fmt::format("it has {} bytes instead of {}: another version of filch?", file.st_size,
                       sizeof(live_page));
  return "";
}

std::string objection_to(const live_page& page) {
  if (page.magic != detail::live_magic) return "it is not a page of filch";
  if (page.version != detail::live_version || page.size != sizeof(live_page))
    return fmt::format("it has format {}, but this program reads format {}", page.version,
                       detail::live_version);
  return "";
}

/// Does process `pid` have this mark? A mark of 0 is not known.
bool lives(pid_t pid, std::uint64_t mark) noexcept {
  const std::uint64_t now = detail::process_mark(static_cast<std::uint64_t>(pid));
  if (now != 0 && mark != 0) return now == mark;
  return kill(pid, 0) == 0;  // no permission: another user's process, so not this one
}

}  // namespace

void live_file::unmap::operator()(const live_page* page) const noexcept {
  (void)munmap(const_cast<live_page*>(page), sizeof(live_page));
}

auto live_file::map(int file, uid_t owner) -> mapped_page {
  struct stat status = {};
  // The page is not complete before it is sealed. Then no process can truncate it.
  const int seals = fcntl(file, F_GET_SEALS);
  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0 || fstat(file, &status) != 0) return nullptr;
  if (const std::string why = objection_to(status, owner); !why.empty()) throw failure(why);
  void* const at = mmap(nullptr, sizeof(live_page), PROT_READ, MAP_SHARED, file, 0);
  if (at == MAP_FAILED) throw failure(std::strerror(errno));
  mapped_page page(static_cast<const live_page*>(at));
  if (const std::string why = objection_to(*page); !why.empty()) throw failure(why);
  return page;
}

std::optional<live_file> live_file::open(pid_t pid) {
  const fs::path process = fmt::format("/proc/{}", pid);
  const std::string link = fmt::format("/memfd:{} (deleted)", detail::live_name);
  struct stat owner = {};
  if (stat(process.c_str(), &owner) != 0) return std::nullopt;
  std::string why;  // why a page that was found cannot be used
  std::error_code error, closed;
  for (fs::directory_iterator file(process / "fd", error), end; !error && file != end;
       file.increment(error)) {
    if (fs::read_symlink(file->path(), closed) != link) continue;
    try {
      mapped_page page = map(opened(file->path()), owner.st_uid);
      // A child that does not know of its fork has its parent's page open too.
      if (page == nullptr || page->pid != static_cast<std::uint64_t>(pid)) continue;
      live_file found(pid, std::move(page));
      if (found.has_writer()) return found;
    } catch (const failure& objection) {
      why = objection.what();
    }
  }
  if (!why.empty())
    throw failure(
        fmt::format("cannot use the page of counters that process {} publishes: {}", pid, why));
  return std::nullopt;
}

bool live_file::has_writer() const noexcept { return lives(pid_, process_mark_); }

std::unique_ptr<live_page> live_file::read() const {
  auto page = std::make_unique<live_page>();
  // On a busy machine the writer may wait for a CPU in the middle of its page.
  for (int tries = 0; tries < 100; ++tries) {
    if (detail::copy_live_page(*page_, *page)) return page;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return nullptr;
}

}  // namespace filch::cli
