// open(2), write(2), mmap(2), strerror_r(3).
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "filch/detail/base/files.hpp"

namespace filch::detail {

namespace {

std::error_code last_error() noexcept { return {errno, std::generic_category()}; }

/// While it lives, an error of a file is an error and nothing else: a limit for files (SIGXFSZ) and
/// a pipe that nobody reads (SIGPIPE) would end the program by a signal to the thread that writes.
class no_signals_of_files {
 public:
  no_signals_of_files() noexcept {
    sigemptyset(&ours_);
    for (const int number : {SIGXFSZ, SIGPIPE})
      if (!is_pending(number)) sigaddset(&ours_, number);  // one that waits is somebody else's
    (void)::pthread_sigmask(SIG_BLOCK, &ours_, &before_);
  }
  no_signals_of_files(const no_signals_of_files&) = delete;
  no_signals_of_files& operator=(const no_signals_of_files&) = delete;
  ~no_signals_of_files() {
    const int error = errno;
    const timespec at_once{};
    while (::sigtimedwait(&ours_, nullptr, &at_once) > 0 || errno == EINTR) {
    }
    (void)::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = error;
  }

 private:
  static bool is_pending(int number) noexcept {
    sigset_t pending;
    return ::sigpending(&pending) == 0 && sigismember(&pending, number) == 1;
  }
  sigset_t ours_;
  sigset_t before_;
};

[[noreturn]] void refuse(int error, const std::string& path, const char* what) {
  throw std::system_error(error, std::generic_category(), std::string(what) + " '" + path + "'");
}

/// Nobody else's, and not through a link that somebody has put there.
int create_own(const std::string& path) {
  constexpr int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  int file = ::open(path.c_str(), flags, 0600);
  if (file < 0 && errno == EEXIST) {
    struct stat old {};
    if (::lstat(path.c_str(), &old) == 0 && S_ISREG(old.st_mode) && old.st_uid == ::geteuid() &&
        ::unlink(path.c_str()) == 0)
      file = ::open(path.c_str(), flags, 0600);
    else
      errno = EEXIST;
  }
  if (file < 0) refuse(errno, path, "cannot create");
  return file;
}

}  // namespace

int create_file(const std::string& path, std::error_code& error) noexcept {
  // Opening a FIFO would wait for a reader. Writing may wait for it.
  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
  const int file = ::open(path.c_str(), flags | O_NONBLOCK, 0666);
  error = file < 0 ? last_error() : std::error_code();
  if (file >= 0) (void)::fcntl(file, F_SETFL, 0);
  return file;
}

std::error_code write_all(int file, const char* text, std::size_t size) noexcept {
  const no_signals_of_files guard;
  while (size != 0) {
    const ssize_t written = ::write(file, text, size);
    if (written < 0) {
      if (errno != EINTR) return last_error();
    } else if (written == 0) {
      return std::make_error_code(std::errc::io_error);
    } else {
      text += written;
      size -= static_cast<std::size_t>(written);
    }
  }
  return {};
}

/// One that was interrupted has closed it all the same.
std::error_code close_file(int file) noexcept {
  return ::close(file) != 0 && errno != EINTR ? last_error() : std::error_code();
}

error_text::error_text(std::error_code error) noexcept
    : text_(::strerror_r(error.value(), room_.data(), room_.size())) {}

shared_file::shared_file(std::string path, std::size_t size) : path_(std::move(path)), size_(size) {
  const int file = create_own(path_);
  int error = 0;
  {
    const no_signals_of_files guard;
    error = ::posix_fallocate(file, 0, static_cast<off_t>(size_));
  }
  if (error == 0) {
    memory_ = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory_ == MAP_FAILED) error = errno;
  }
  ::close(file);
  if (error == 0) return;
  ::unlink(path_.c_str());
  refuse(error, path_, "cannot map");
}

shared_file::~shared_file() {
  ::unlink(path_.c_str());
  ::munmap(memory_, size_);
}

}  // namespace filch::detail
