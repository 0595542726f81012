#include "filch/detail/sched/parker.hpp"

#include <mutex>

#include "filch/detail/base/one_per_process.hpp"
#include "filch/detail/sched/atfork.hpp"
#include "filch/detail/sched/latch.hpp"

namespace filch::detail {

namespace {

/// Those that no thread uses now. Threads that outlive main() still return theirs.
constinit one_per_process<parker> parkers;

}  // namespace

parker& borrow_parker() {
  {
    const std::scoped_lock lock(parkers.mutex);
    if (parker* p = parkers.it) {
      parkers.it = p->next_unused;
      p->next_unused = nullptr;
      return *p;
    }
  }
  return *new parker;
}

void return_parker(parker& unused) noexcept {
  const std::scoped_lock lock(parkers.mutex);
  unused.next_unused = parkers.it;
  parkers.it = &unused;
}

void latch::unpark(std::uintptr_t sleeper) noexcept {
  reinterpret_cast<parker*>(sleeper)->unpark();  // NOLINT(*-int-to-ptr)
}

void forget_parkers() noexcept { parkers.forget(); }

}  // namespace filch::detail
