#include "filch/detail/sched/parker.hpp"

#include <mutex>

namespace filch::detail {

namespace {

/// Parkers nobody uses now. Never destroyed: threads that outlive main() still return theirs.
struct store {
  std::mutex mutex;
  parker* unused = nullptr;
};

store& parkers() {
  static store& all = *new store;
  return all;
}

}  // namespace

parker& borrow_parker() {
  store& s = parkers();
  {
    const std::scoped_lock lock(s.mutex);
    if (parker* p = s.unused) {
      s.unused = p->next_unused;
      p->next_unused = nullptr;
      return *p;
    }
  }
  return *new parker;
}

void return_parker(parker& unused) noexcept {
  store& s = parkers();
  const std::scoped_lock lock(s.mutex);
  unused.next_unused = s.unused;
  s.unused = &unused;
}

}  // namespace filch::detail
