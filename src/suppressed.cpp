// Exceptions that another one suppresses: how they come from the tasks to filch::suppressed().
#include "filch/suppressed.hpp"

#include <cstddef>
#include <exception>
#include <new>
#include <utility>
#include <vector>

#include "filch/detail/sched/caught.hpp"

namespace filch::detail {

struct suppressed_list::items {
  std::vector<std::exception_ptr> all;
};

const std::exception_ptr* suppressed_list::begin() const noexcept {
  return items_ == nullptr ? nullptr : items_->all.data();
}

const std::exception_ptr* suppressed_list::end() const noexcept {
  return items_ == nullptr ? nullptr : items_->all.data() + items_->all.size();
}

void suppressed_list::add(std::exception_ptr e, const suppressed_list& more) {
  if (items_ == nullptr) items_ = new items;
  std::vector<std::exception_ptr>& all = items_->all;
  all.reserve(all.size() + 1 + static_cast<std::size_t>(more.end() - more.begin()));
  all.push_back(std::move(e));
  all.insert(all.end(), more.begin(), more.end());
}

void suppressed_list::destroy() noexcept { delete items_; }

namespace {

// A plain bool can still be read when the thread's other objects are gone.
constinit thread_local bool suppressed_is_gone = false;

/// The exceptions that were suppressed by the one that a wait on this thread threw last.
struct suppressed_of_thread {
  std::exception_ptr by;  // the one that was thrown
  suppressed_list others;

  suppressed_of_thread() = default;
  suppressed_of_thread(const suppressed_of_thread&) = delete;
  suppressed_of_thread& operator=(const suppressed_of_thread&) = delete;
  ~suppressed_of_thread() { suppressed_is_gone = true; }
};

/// Null while the thread ends: then they cannot be kept.
suppressed_of_thread* suppressed_here() noexcept {
  if (suppressed_is_gone) return nullptr;
  thread_local suppressed_of_thread here;
  return &here;
}

}  // namespace

caught caught::in_handler() noexcept {
  caught c{std::current_exception()};
  suppressed_of_thread* const here = suppressed_here();
  if (here != nullptr && here->by == c.first) c.others = std::exchange(here->others, {});
  return c;
}

caught caught::copy() const noexcept {
  caught c{first};
  try {
    for (const std::exception_ptr& e : others) c.others.add(e, {});
  } catch (const std::bad_alloc&) {  // the first one matters more
  }
  return c;
}

void caught::suppress(caught&& later) noexcept {
  try {
    others.add(std::move(later.first), later.others);
  } catch (const std::bad_alloc&) {  // dropped
  }
}

void caught::rethrow() {
  if (suppressed_of_thread* const here = suppressed_here()) {
    // An exception that suppresses none is not kept: it is destroyed when its handler ends. What
    // was kept before is destroyed last: its destructors may throw and catch.
    const std::exception_ptr by =
        std::exchange(here->by, others.begin() == others.end() ? nullptr : first);
    const suppressed_list before = std::exchange(here->others, std::move(others));
  }
  std::rethrow_exception(std::move(first));
}

plain_vector<std::exception_ptr> suppressed_by_current() {
  plain_vector<std::exception_ptr> found;
  const suppressed_of_thread* const here = suppressed_here();
  if (here == nullptr || here->by == nullptr || here->by != std::current_exception()) return found;
  for (const std::exception_ptr& e : here->others) found.push_back(e);
  return found;
}

}  // namespace filch::detail
