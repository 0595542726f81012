#include "filch/detail/sched/parker.hpp"

#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

#include "filch/detail/sched/atfork.hpp"

namespace filch::detail {

namespace {

/// Parkers that no thread uses now. Never destroyed: threads that outlive main() still return
/// theirs. Initialised without code: a fork never finds it half made.
struct store {
  std::mutex mutex;
  parker* unused = nullptr;
  parker* of_parent = nullptr;  // for leak checkers
};

constinit store parkers;
static_assert(std::is_trivially_destructible_v<store>);

}  // namespace

parker& borrow_parker() {
  {
    const std::scoped_lock lock(parkers.mutex);
    if (parker* p = parkers.unused) {
      parkers.unused = p->next_unused;
      p->next_unused = nullptr;
      return *p;
    }
  }
  return *new parker;
}

void return_parker(parker& unused) noexcept {
  const std::scoped_lock lock(parkers.mutex);
  unused.next_unused = parkers.unused;
  parkers.unused = &unused;
}

void forget_parkers() noexcept {
  std::construct_at(&parkers.mutex);
  parkers.of_parent = std::exchange(parkers.unused, nullptr);
}

}  // namespace filch::detail
