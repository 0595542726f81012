// Where an algorithm runs: on the calling thread, on another pool, with another priority, or
// isolated.
#pragma once

#include "filch/detail/base/expect.hpp"
#include "filch/detail/sched/branches.hpp"
#include "filch/detail/sched/current_pool.hpp"
#include "filch/detail/sched/outcome.hpp"
#include "filch/options.hpp"

namespace filch::detail {

/// Refers to a function without result.
template <class... Args>
class call_ref {
 public:
  template <class F>
  explicit call_ref(F& f) noexcept
      : what_(std::addressof(f)), how_([](const void* what, Args... args) {
          (*const_cast<F*>(static_cast<const F*>(what)))(args...);
        }) {}
  void operator()(Args... args) const { how_(what_, args...); }

 private:
  const void* what_;
  void (*how_)(const void*, Args...);
};

/// A call that a thread gives to the library, and for which it waits. It lives on that thread
/// (`Given`) while the library has the call, and on the thread that runs the call while it does.
/// The object at `what` belongs to this call alone.
template <bool Given>
class tsan_call {
 public:
  explicit tsan_call(const void* what) noexcept : what_(static_cast<const char*>(what)) {
    Given ? tsan_release(what_) : tsan_acquire(what_);
  }
  tsan_call(const tsan_call&) = delete;
  tsan_call& operator=(const tsan_call&) = delete;
  ~tsan_call() { Given ? tsan_acquire(what_ + 1) : tsan_release(what_ + 1); }

 private:
  const char* what_;
  sanitizer_view<Given> view_;
};
using tsan_given_call = tsan_call<true>;
using tsan_received_call = tsan_call<false>;

/// launch() where it is not a plain call. It is not a template: otherwise every algorithm would
/// compile the code that submits and isolates tasks, which takes longer than the algorithm itself.
[[gnu::cold]] void launch_elsewhere(const options& o, call_ref<> f);

/// Calls `f`, which runs an algorithm, as the options say: on the pool `o.on`; as a task of another
/// priority than normal, for which the caller waits; isolated. Without these options it is a plain
/// call.
/// Throws  What `f` throws; `usage_error` for a priority that does not exist; what pool::install()
///         and submit() throw.
template <class F>
auto launch(const options& o, F&& f) -> std::invoke_result_t<F&> {
  if (usually(o.on == nullptr && !o.isolate && o.priority == priority::normal &&
              o.max_workers == 0)) {
    const lone_call here(!my_branches.is_open());
    return f();
  }
  using R = std::invoke_result_t<F&>;
  constexpr bool refers = std::is_reference_v<R>;
  std::optional<std::conditional_t<refers, std::remove_reference_t<R>*, value_of<R>>> result;
  auto call = [&] {
    const tsan_received_call here(&result);
    if constexpr (refers) {
      auto&& found = f();
      result = std::addressof(found);
    } else {
      result.emplace(detail::call(f));
    }
  };
  {
    const tsan_given_call given(&result);
    detail::launch_elsewhere(o, call_ref<>(call));
  }
  if constexpr (refers)
    return static_cast<R>(**result);
  else if constexpr (!std::is_void_v<R>)
    return *std::move(result);
}

}  // namespace filch::detail
