// open(2), write(2), memfd_create(2), mmap(2), strerror_r(3).
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <utility>

#include "filch/detail/base/files.hpp"

namespace filch::detail {

namespace {

std::error_code last_error() noexcept { return {errno, std::generic_category()}; }

/// While this lives, an error of a file raises no signal. Without it, a limit for files (SIGXFSZ)
/// or a pipe without a reader (SIGPIPE) would end the program by a signal to the thread that
/// writes.
class no_signals_of_files {
 public:
  no_signals_of_files() noexcept {
    sigemptyset(&ours_);
    for (const int number : {SIGXFSZ, SIGPIPE})
      if (!is_pending(number)) sigaddset(&ours_, number);  // a pending one came from elsewhere
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

[[noreturn]] void refuse(int error) {
  throw std::system_error(error, std::generic_category(),
                          "cannot make memory that other processes can map");
}

int create_in_memory(const char* name) {
  constexpr unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  constexpr unsigned never_a_program = 8;  // MFD_NOEXEC_SEAL, which a kernel may insist on
  int file = ::memfd_create(name, flags | never_a_program);
  if (file < 0 && errno == EINVAL) file = ::memfd_create(name, flags);  // it is older than that
  if (file < 0) refuse(errno);
  return file;
}

}  // namespace

int create_file(const std::string& path, std::error_code& error) noexcept {
  // Opening a FIFO must not wait for a reader. Writing may.
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

/// A close that was interrupted has closed the file all the same.
std::error_code close_file(int file) noexcept {
  return ::close(file) != 0 && errno != EINTR ? last_error() : std::error_code();
}

error_text::error_text(std::error_code error) noexcept
    : text_(::strerror_r(error.value(), storage_.data(), storage_.size())) {}

shared_memory::shared_memory(const char* name, const void* contents, std::size_t size)
    : size_(size), file_(create_in_memory(name)) {
  int error = write_all(file_, static_cast<const char*>(contents), size_).value();
  if (error == 0 && ::fcntl(file_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0) error = errno;
  if (error == 0) {
    memory_ = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (memory_ == MAP_FAILED) error = errno;
  }
  if (error == 0) return;
  hide();
  refuse(error);
}

shared_memory::~shared_memory() {
  ::munmap(memory_, size_);
  hide();
}

void shared_memory::hide() noexcept {
  if (const int file = std::exchange(file_, -1); file >= 0) ::close(file);
}

}  // namespace filch::detail
