#include "live/live_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>
#include <vector>

#include "base/errors.hpp"

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
    return mapped;
  }
  return std::nullopt;
}

void live_file::remove(pid_t pid) noexcept {
  for (const std::filesystem::path& path : places_of(pid)) {
    struct stat status = {};
    if (lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid())
      (void)unlink(path.c_str());
  }
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
