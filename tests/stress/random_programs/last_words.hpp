// Prints which program was running when the process dies.
#pragma once

#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstring>

// Provided by AddressSanitizer and ThreadSanitizer, which end the process without a signal.
extern "C" [[gnu::weak]] void __sanitizer_set_death_callback(void (*callback)());

namespace filch::test {

inline std::atomic<std::uint64_t> running_seed = 0;

/// Writes the seed. Calls only functions that are allowed in a signal handler.
inline void say_running_seed() noexcept {
  std::array<char, 80> text{};
  std::strcpy(text.data(), "random program: died with --seed ");
  char* const digits = text.data() + std::strlen(text.data());
  char* const end = std::to_chars(digits, text.data() + text.size() - 1, running_seed.load()).ptr;
  *end = '\n';
  (void)!write(STDERR_FILENO, text.data(), static_cast<std::size_t>(end + 1 - text.data()));
}

/// Makes a crash, an abort or a sanitizer's report print the seed.
inline void say_running_seed_at_death() {
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE})
    std::signal(signal, [](int which) {
      say_running_seed();
      std::signal(which, SIG_DFL);
      std::raise(which);
    });
  if (__sanitizer_set_death_callback != nullptr)
    __sanitizer_set_death_callback([] { say_running_seed(); });
}

}  // namespace filch::test
