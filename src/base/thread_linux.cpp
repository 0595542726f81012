// pthreads. The floating-point environment needs no code: POSIX says that it is inherited.
#include <limits.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <system_error>
#include <vector>

#include "filch/detail/base/affinity.hpp"
#include "filch/detail/base/check.hpp"
#include "filch/detail/base/sanitizer.hpp"
#include "filch/detail/base/thread.hpp"
#include "filch/errors.hpp"

namespace filch::detail {
namespace {

/// All signals but those that a thread's own code raises.
sigset_t asynchronous_signals() noexcept {
  sigset_t signals;
  sigfillset(&signals);
  for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS})
    sigdelset(&signals, own);
  return signals;
}

/// Blocks these signals in the calling thread while this lives: a new thread starts with its
/// creator's mask. If it had to block them itself, it could be interrupted before that.
class signals_blocked {
 public:
  signals_blocked() noexcept {
    const sigset_t signals = asynchronous_signals();
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
  }
  ~signals_blocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  signals_blocked(const signals_blocked&) = delete;
  signals_blocked& operator=(const signals_blocked&) = delete;

 private:
  sigset_t before_;
};

/// Frees the attributes at the end.
class thread_attributes {
 public:
  thread_attributes() {
    if (const int error = pthread_attr_init(&value_); error != 0)
      throw std::system_error(error, std::generic_category(), "cannot prepare a thread");
  }
  ~thread_attributes() { pthread_attr_destroy(&value_); }
  thread_attributes(const thread_attributes&) = delete;
  thread_attributes& operator=(const thread_attributes&) = delete;

  pthread_attr_t* get() noexcept { return &value_; }

 private:
  pthread_attr_t value_;
};

/// No system has a larger stack. It leaves a margin for rounding up and for what is added.
constexpr std::size_t largest_stack_size = SIZE_MAX / 2;

/// What the creator hands to the new thread, which deletes it.
struct luggage {
  os_thread::function entry;
  void* argument;
  std::string name;
  std::vector<std::size_t> cpus;  ///< Empty: as inherited.
};

/// Neither this nor the function that it calls is noexcept. So an exception that is not caught
/// terminates the program where it was thrown, with the stack that tells why; and pthread_exit()
/// works.
void* run_function(void* raw) {
  std::unique_ptr<luggage> own(static_cast<luggage*>(raw));
  const os_thread::function entry = own->entry;
  void* const argument = own->argument;

  // The creator has blocked these signals, but may have had more blocked than these.
  const sigset_t signals = asynchronous_signals();
  pthread_sigmask(SIG_SETMASK, &signals, nullptr);
  set_thread_name(own->name);
  // If that fails (a CPU was unplugged since it was looked up), the thread runs elsewhere.
  if (!own->cpus.empty()) set_this_thread_cpus(own->cpus);

  own.reset();                          // the thread may end without returning here
  const hidden_from_sanitizers hidden;  // ThreadSanitizer sees the program's code, and no more
  entry(argument);
  return nullptr;
}

std::vector<std::size_t> cpus_for(const thread_settings& settings) {
  std::vector<std::size_t> cpus = process_cpus();
  if (!settings.cpu) {
    // Setting the same CPUs again is not the same as inheriting them: a thread whose set was set
    // does not follow when the container's set grows; a thread that inherited its set does.
    if (this_thread_cpus() == cpus) cpus.clear();
    return cpus;
  }
  const std::size_t cpu = *settings.cpu;
  if (!cpus.empty() && std::find(cpus.begin(), cpus.end(), cpu) == cpus.end()) {
    std::string list;
    for (const std::size_t usable : cpus)
      list += (list.empty() ? "" : ", ") + std::to_string(usable);
    throw usage_error("a thread cannot be pinned to CPU " + std::to_string(cpu) +
                      ": this process may use " + std::to_string(cpus.size()) +
                      " CPUs, which are " + list);
  }
  return {cpu};
}

[[noreturn]] void refuse_stack_size(std::size_t size) {
  if (size > largest_stack_size)
    throw usage_error("stack_size is " + std::to_string(size) +
                      " bytes, which is more than the address space; it must be at most " +
                      std::to_string(largest_stack_size) + ", or 0 to let the system choose");
  throw usage_error("stack_size is " + std::to_string(size) + " bytes; it must be at least " +
                    std::to_string(minimum_stack_size()) +
                    " plus the size of thread_local variables, or 0 to let the system choose");
}

}  // namespace

os_thread os_thread::start(function entry, void* argument, const thread_settings& settings) {
  const std::size_t stack_size = settings.stack_size;
  thread_attributes attributes;
  if (stack_size > largest_stack_size) refuse_stack_size(stack_size);
  if (stack_size != 0 && pthread_attr_setstacksize(attributes.get(), stack_size) != 0)
    refuse_stack_size(stack_size);

  auto taken_along =
      std::make_unique<luggage>(luggage{entry, argument, settings.name, cpus_for(settings)});
  pthread_t handle{};
  int error = 0;
  {
    const signals_blocked blocked;
    error = pthread_create(&handle, attributes.get(), run_function, taken_along.get());
  }
  if (error == 0) {
    static_cast<void>(taken_along.release());
    return os_thread(handle);
  }
  if (error == EINVAL && stack_size != 0) refuse_stack_size(stack_size);
  throw std::system_error(error, std::generic_category(),
                          stack_size == 0 ? "cannot start a thread"
                                          : "cannot start a thread with a stack of " +
                                                std::to_string(stack_size) + " bytes");
}

os_thread& os_thread::operator=(os_thread&& other) noexcept {
  if (this == &other) return *this;
  if (joinable_)
    fail("os_thread: an os_thread was assigned to before its thread was joined; call join() first");
  handle_ = other.handle_;
  joinable_ = std::exchange(other.joinable_, false);
  return *this;
}

os_thread::~os_thread() {
  if (joinable_)
    fail("os_thread: an os_thread was destroyed before its thread was joined; call join() first");
}

void os_thread::join() noexcept {
  if (!joinable_)
    fail(
        "os_thread::join(): there is no thread to join: it was not started, was moved away or was "
        "joined");
  if (const int error = pthread_join(handle_, nullptr); error != 0)
    fail("os_thread::join(): %s", std::strerror(error));  // a thread that waits for itself
  joinable_ = false;
}

void os_thread::detach() noexcept {
  if (!joinable_) fail("os_thread::detach(): there is no thread: it was moved away or was joined");
  if (const int error = pthread_detach(handle_); error != 0)
    fail("os_thread::detach(): %s", std::strerror(error));
  joinable_ = false;
}

std::size_t minimum_stack_size() noexcept {
  return static_cast<std::size_t>(PTHREAD_STACK_MIN);  // a call: CPUs differ in what a signal saves
}

void set_thread_name(std::string_view name) noexcept {
  constexpr std::size_t most = 15;
  std::size_t length = std::min(name.size(), most);
  // The first byte that is cut off must not continue a character.
  while (length < name.size() && length > 0 && (static_cast<unsigned char>(name[length]) >> 6) == 2)
    --length;
  if (length == 0) return;
  std::array<char, most + 1> text{};
  name.copy(text.data(), length);
  pthread_setname_np(pthread_self(), text.data());
}

std::array<char, 32> name_of_this_thread() noexcept {
  std::array<char, 32> name{};
  pthread_getname_np(pthread_self(), name.data(), name.size());
  return name;
}

}  // namespace filch::detail
