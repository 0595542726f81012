// A signal handler may do very little. This one writes to a pipe, and a thread waits at the other
// end.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <system_error>
#include <type_traits>

#include "filch/detail/observe/last_signal.hpp"

namespace filch::detail {

namespace {

/// The data of the handler.
std::atomic<int> write_end{-1};
std::atomic<pid_t> process{0};
static_assert(std::atomic<int>::is_always_lock_free && std::is_same_v<pid_t, int>);

constexpr unsigned char no_signal = 0;  // written to the pipe to end the thread

bool tell(unsigned char what) noexcept { return ::write(write_end.load(), &what, 1) == 1; }

/// The signal has its default action again (SA_RESETHAND), and is blocked until this returns.
extern "C" void filch_on_last_signal(int number) {
  const int before = errno;
  // In a child of a fork, the pipe belongs to the parent.
  if (::getpid() != process.load() || !tell(static_cast<unsigned char>(number)))
    (void)::raise(number);
  errno = before;
}

bool has_handler(int number, void (*handler)(int)) noexcept {
  struct sigaction now = {};
  return ::sigaction(number, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 &&
         now.sa_handler == handler;
}

}  // namespace

last_signal::last_signal(bool (*finish)()) : finish_(finish) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot make a pipe");
  read_end_ = ends[0];
  write_end.store(ends[1]);
  process.store(::getpid());
  try {
    thread_ = os_thread::start([](void* self) { static_cast<last_signal*>(self)->run(); }, this,
                               {.name = "filch-signal"});
  } catch (...) {
    ::close(ends[0]);
    ::close(ends[1]);
    throw;
  }
  struct sigaction ours = {};
  ours.sa_handler = filch_on_last_signal;
  ours.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigemptyset(&ours.sa_mask);
  for (const int number : caught)
    if (has_handler(number, SIG_DFL)) (void)::sigaction(number, &ours, nullptr);
}

last_signal::~last_signal() {
  for (const int number : caught)
    if (has_handler(number, filch_on_last_signal)) (void)::signal(number, SIG_DFL);
  (void)tell(no_signal);
  thread_.join();
  process.store(0);
  ::close(write_end.exchange(-1));
  ::close(read_end_);
}

void last_signal::run() noexcept {
  unsigned char number = no_signal;
  while (::read(read_end_, &number, 1) < 0 && errno == EINTR) {
  }
  if (number != no_signal && finish_()) (void)::kill(::getpid(), number);
}

}  // namespace filch::detail
