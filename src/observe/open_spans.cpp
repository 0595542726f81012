#include "filch/detail/observe/open_spans.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/detail/base/thread_usage.hpp"
#include "filch/detail/base/tracing.hpp"
#include "filch/detail/observe/events.hpp"
#include "filch/detail/sched/observe.hpp"

namespace filch::detail {

namespace {

struct listed_span {
  std::uint32_t session;
  std::uint64_t which;
  std::string name;
};

/// The spans of one thread, outermost first.
struct span_list {
  thread_mark thread = this_thread_mark();
  span_list* next = nullptr;  // under the lock of all lists
  std::mutex mutex;           // what follows
  std::vector<listed_span> open;
  std::uint64_t so_far = 0;
};

/// Never destroyed, because threads may end after main.
struct all_lists {
  std::mutex mutex;
  span_list* first = nullptr;
  std::uint32_t trace = not_tracing;
  bool watchdog = false;
  span_list* of_parent = nullptr;  // for leak checkers
};

constinit all_lists lists;
static_assert(std::is_trivially_destructible_v<all_lists>);

constinit thread_local span_list* my_spans = nullptr;
// A plain bool can still be read after the thread's other objects have been destroyed.
constinit thread_local bool spans_are_gone = false;

/// If more spans than this are open, the outermost are dropped. A span that another thread ends
/// stays in the list until then.
constexpr std::size_t most_open = 64;

struct spans_of_thread {
  spans_of_thread() = default;
  spans_of_thread(const spans_of_thread&) = delete;
  spans_of_thread& operator=(const spans_of_thread&) = delete;
  ~spans_of_thread() {
    spans_are_gone = true;
    const std::unique_ptr<span_list> mine(std::exchange(my_spans, nullptr));
    if (mine == nullptr) return;
    const std::scoped_lock lock(lists.mutex);
    span_list** at = &lists.first;
    while (*at != mine.get()) at = &(*at)->next;
    *at = mine->next;
  }
  void keep() noexcept {}
};

/// The list of the calling thread. Null at the end of the thread. Throws `std::bad_alloc`.
span_list* list_of_this_thread() {
  if (spans_are_gone || my_spans != nullptr) return my_spans;
  thread_local spans_of_thread owner;
  owner.keep();
  auto made = std::make_unique<span_list>();
  const std::scoped_lock lock(lists.mutex);
  made->next = std::exchange(lists.first, made.get());
  return my_spans = made.release();
}

/// Under the lock of all lists.
void tell_spans() noexcept {
  const std::uint32_t session = lists.trace != not_tracing ? lists.trace
                                : lists.watchdog           ? spans_alone
                                                           : not_tracing;
  observed_spans->store(session, std::memory_order_relaxed);  // orders nothing: a hint
}

}  // namespace

void trace_observes_spans(std::uint32_t session) noexcept {
  const std::scoped_lock lock(lists.mutex);
  lists.trace = session;
  tell_spans();
}

void watchdog_observes_spans(bool on) noexcept {
  const std::scoped_lock lock(lists.mutex);
  lists.watchdog = on;
  tell_spans();
}

std::uint64_t open_span(std::uint32_t session, std::uint64_t which,
                        std::string_view name) noexcept {
  try {
    span_list* const mine = list_of_this_thread();
    if (mine == nullptr) return which;
    const std::scoped_lock lock(mine->mutex);
    if (which == 0) which = ++mine->so_far;
    if (mine->open.size() == most_open) mine->open.erase(mine->open.begin());
    mine->open.push_back({session, which, std::string(name.substr(0, event::longest_name))});
  } catch (const std::bad_alloc&) {
    // Then a dump does not name it.
  }
  return which;
}

void close_span(std::uint32_t session, std::uint64_t which) noexcept {
  if (my_spans == nullptr) return;
  const std::scoped_lock lock(my_spans->mutex);
  std::vector<listed_span>& open = my_spans->open;
  const auto at = std::find_if(open.rbegin(), open.rend(), [&](const listed_span& s) {
    return s.session == session && s.which == which;
  });
  if (at != open.rend()) open.erase(std::next(at).base());
}

std::string innermost_span(thread_mark thread) {
  const std::scoped_lock lock(lists.mutex);
  for (span_list* list = lists.first; list != nullptr; list = list->next) {
    if (list->thread != thread) continue;
    const std::scoped_lock contents(list->mutex);
    return list->open.empty() ? "" : list->open.back().name;
  }
  return "";
}

void forget_open_spans() noexcept {
  std::construct_at(&lists.mutex);
  lists.of_parent = std::exchange(lists.first, nullptr);
  my_spans = nullptr;
  lists.trace = not_tracing;
  lists.watchdog = false;
  tell_spans();
}

}  // namespace filch::detail
