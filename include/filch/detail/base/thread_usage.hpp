// What another thread of this process does, as the system sees it.
//
// The implementation is src/base/thread_usage_<system>.cpp. A system that does not tell is allowed:
// then nothing here is known, and dump() says "not known on this system".
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace filch::detail {

/// By this any thread asks about a thread of this process. 0 is the mark of no thread.
using thread_mark = std::uint64_t;

/// The mark of the calling thread. It asks the system once for each thread, and once again in the
/// child of a fork.
thread_mark this_thread_mark() noexcept;

/// The number of the thread that gdb, top and /proc show. 0 if there is none.
std::uint64_t number_of(thread_mark mark) noexcept;

/// Nanoseconds of processor time that the thread has used. Nothing if the thread has ended, or the
/// system does not tell. Any thread; one system call.
std::optional<std::uint64_t> processor_time(thread_mark mark) noexcept;

/// Does a thread sleep in the kernel?
enum class kernel_state : unsigned char {
  unknown,  ///< the thread has ended, or the system does not tell
  ready,    ///< it runs, or waits for a processor
  asleep,   ///< it waits for anything else
};
/// Any thread; three system calls.
kernel_state kernel_state_of(thread_mark mark) noexcept;

/// What a thread that sleeps in the kernel waits for, as in "a lock, a condition variable or
/// another thread". Empty if that is not known. Any thread; three system calls. Throws
/// `std::bad_alloc`.
std::string reason_for_sleep(thread_mark mark);

}  // namespace filch::detail
