// The linker (--wrap=pthread_create) redirects calls of pthread_create() to
// __wrap_pthread_create(), and calls of __real_pthread_create() to the original.
#include "support/thread_failures.hpp"

#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <mutex>

namespace {

struct plan {
  std::mutex mutex;
  std::size_t succeed = 0;  // creations before the failures
  std::size_t fail = 0;     // failures left
  std::size_t failed = 0;
  int error = EAGAIN;
};

plan& current() {
  static plan value;
  return value;
}

std::atomic<std::size_t> creations = 0;

/// The error of the next creation, or 0 for none.
int next_error() {
  plan& now = current();
  const std::lock_guard lock(now.mutex);
  if (now.fail == 0) return 0;
  if (now.succeed > 0) {
    --now.succeed;
    return 0;
  }
  --now.fail;
  ++now.failed;
  return now.error;
}

void change(std::size_t succeed, std::size_t fail, int error) {
  plan& now = current();
  const std::lock_guard lock(now.mutex);
  now.succeed = succeed;
  now.fail = fail;
  now.failed = 0;
  now.error = error == 0 ? EAGAIN : error;
}

}  // namespace

extern "C" {
int __real_pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                          void* (*entry)(void*), void* argument) {
  ++creations;
  const int error = next_error();
  return error != 0 ? error : __real_pthread_create(thread, attributes, entry, argument);
}
}

namespace filch::test {

std::size_t thread_creations() noexcept { return creations.load(); }

fail_thread_creation::fail_thread_creation(std::size_t k, std::size_t count, int error) noexcept {
  change(k - 1, count, error);
}

fail_thread_creation::~fail_thread_creation() { change(0, 0, 0); }

std::size_t fail_thread_creation::seen() const noexcept {
  const std::lock_guard lock(current().mutex);
  return current().failed;
}

}  // namespace filch::test
