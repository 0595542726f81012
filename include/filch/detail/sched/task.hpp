// The tasks that submit, detach, install and broadcast put into a pool.
#pragma once

#include <concepts>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>

#include "filch/detail/base/early_end.hpp"
#include "filch/detail/base/refused.hpp"
#include "filch/detail/sched/caught.hpp"
#include "filch/detail/sched/chosen_pool.hpp"
#include "filch/detail/sched/claim.hpp"
#include "filch/detail/sched/followed_latch.hpp"
#include "filch/detail/sched/future_state.hpp"
#include "filch/detail/sched/guest_stay.hpp"
#include "filch/detail/sched/isolation.hpp"
#include "filch/detail/sched/job.hpp"
#include "filch/detail/sched/listed_job.hpp"
#include "filch/detail/sched/pool_access.hpp"
#include "filch/detail/sched/running_here.hpp"
#include "filch/errors.hpp"
#include "filch/options.hpp"

namespace filch::detail {

/// A function that can be submitted: a copy of it can be made, moved, and called without arguments.
template <class F>
concept task_function =
    std::constructible_from<std::decay_t<F>, F> && std::move_constructible<std::decay_t<F>> &&
    std::invocable<std::add_lvalue_reference_t<std::decay_t<F>>>;

/// What the compiler says if something else is submitted.
#define FILCH_REFUSED_TASK(name)                                                               \
  template <class F>                                                                           \
  requires(!filch::detail::task_function<F>)                                                   \
      FILCH_REFUSED("filch: " #name                                                            \
                    "(f): f must be movable, and callable without arguments, as an "           \
                    "lvalue. A lambda can capture arguments: " #name "([=] { return f(x); })", \
                    name(F&&, const options& = {}))
/// What it says if the options come first.
#define FILCH_REFUSED_OPTIONS_BEFORE_TASK(name)                                     \
  FILCH_REFUSED_OPTIONS_FIRST(name, "options come last, after the function: " #name \
                                    "(f, "                                          \
                                    "options)")

/// What it says if a scope is given options together with a task.
#define FILCH_REFUSED_OPTIONS_OF_TASK(name)                                              \
  FILCH_REFUSED_OPTIONS_FIRST(name, "options go to the scope: filch::scope s(options)"); \
  template <filch::detail::task_function F>                                              \
  FILCH_REFUSED("filch: " #name "(): options go to the scope: filch::scope s(options)",  \
                name(F&&, const filch::options&))

/// A range of functions that can be submitted.
template <class R>
concept task_range = std::ranges::input_range<R> && task_function<std::ranges::range_value_t<R>>;

/// A function that can be called on a worker while its caller waits.
template <class F>
concept visitor = std::invocable<F&>;

/// A function that can be called once by each worker.
template <class F>
concept broadcast_function = std::move_constructible<F> &&
    (std::invocable<F&> || std::invocable<F&, std::size_t>);

/// Refuses a std::function, or a pointer to a function, that is empty.
template <class F>
void require_callable(const F& f, const char* who) {
  // A class with both is a std::function or like one. (Without RTTI that has no target_type().)
  if constexpr (std::is_pointer_v<F> || requires {
                  f.operator bool();
                  f == nullptr;
                }) {
    if (!static_cast<bool>(f))
      throw usage_error(std::string("filch::") + who +
                        "() was given an empty function, which cannot be called");
  }
}

[[noreturn, gnu::cold]] void refuse_for_tasks(const options& o, const char* who);
/// Refuses options that tasks do not support, rather than ignoring them.
inline void require_supported(const options& o, const char* who) {
  if (o.priority > priority::low || o.grain != 0 || o.deterministic || o.progress ||
      o.max_workers != 0) [[unlikely]]
    refuse_for_tasks(o, who);
}
/// The same for scopes, which support max_workers.
inline void require_supported_by_scope(const options& o) {
  if (o.priority > priority::low || o.grain != 0 || o.deterministic || o.progress) [[unlikely]]
    refuse_for_tasks(o, "scope");
}
/// Refuses every option but `on`.
void require_only_on(const options& o, const char* who);

/// The exception for the future of a task that was skipped for the reason `why`.
inline caught gave_up(const char* why) noexcept { return caught::make<cancelled>(why); }

/// Whether a task runs in an isolation region of its own.
enum class in_own_region : bool { no, yes };
constexpr in_own_region wanted_region(const options& o) noexcept {
  return o.isolate ? in_own_region::yes : in_own_region::no;
}

/// The region that a task is in while it is called. Chosen at compile time, so that tasks without a
/// region of their own pay nothing.
template <in_own_region>
struct task_region {};
template <>
struct task_region<in_own_region::yes> : in_region {
  task_region() noexcept : in_region(new_region()) {}
};

/// A task that no thread waits for. It is skipped, without a message, if `end` says so
/// before it starts.
template <class F>
class detached_task final : public listed_job {
 public:
  explicit detached_task(F&& f, early_end end = {}, in_own_region isolated = in_own_region::no)
      : listed_job(isolated == in_own_region::yes ? &detached_task::entry<in_own_region::yes>
                                                  : &detached_task::entry<in_own_region::no>),
        f_(std::move(f)),
        end_(std::move(end)) {}
  F& function() noexcept { return f_; }

  /// Runs it on the calling thread.
  void run_in_place(registry& home, in_own_region isolated = in_own_region::no) noexcept {
    const guest_stay here = guest_stay::in_place(home);
    isolated == in_own_region::yes ? call<in_own_region::yes>(home) : call<in_own_region::no>(home);
  }

 private:
  template <in_own_region Isolated>
  void call(registry& home) noexcept {
    if (is_to_end(end_)) return;
    try {
      [[maybe_unused]] const task_region<Isolated> here;
      f_();
    } catch (...) {
      report_exception(home, std::current_exception());
    }
  }
  template <in_own_region Isolated>
  static void entry(job& self) noexcept {
    const sanitizer_seen seen;
    self.taken();
    std::unique_ptr<detached_task> task(&static_cast<detached_task&>(self));
    task->template call<Isolated>(home_of_this_task());
    task.reset();  // before the task counts as ended: wait_idle() means that closures are gone too
    end_task();
  }

  F f_;
  early_end end_;
};

/// A task with a future. It is skipped if `end` says so before it starts. It waits in
/// `where`.
template <class F, class T>
class submitted_task : public listed_job, public future_state<T> {
 public:
  submitted_task(F&& f, early_end end, in_own_region isolated, claim::wait_key where)
      : listed_job(isolated == in_own_region::yes ? &submitted_task::entry<in_own_region::yes>
                                                  : &submitted_task::entry<in_own_region::no>),
        f_(std::move(f)),
        end_(std::move(end)),
        isolated_(isolated),
        claim_(where) {}

  /// Runs it on the calling thread.
  void run_in_place(registry& home) noexcept {
    const guest_stay here = guest_stay::in_place(home);
    finish_somewhere();
    this->let_go();
  }

  bool run_unless_begun(claim::wait_key here) noexcept override {
    if (!claim_.take(here)) return false;
    const sanitizer_seen seen;
    finish_somewhere();
    if (claim_.ran()) end();
    return true;
  }

 protected:
  /// It was not submitted, and will not run: its future gets `why`. A continuation goes to the pool
  /// `where`. Afterwards it may be gone.
  void refuse(caught&& why, const chosen_pool& where) noexcept {
    this->result.fail(std::move(why));
    f_.reset();
    this->deliver_in(where);
    this->let_go();
  }

 private:
  template <in_own_region Isolated>
  static void entry(job& self) noexcept {
    const sanitizer_seen seen;
    self.taken();
    auto& task = static_cast<submitted_task&>(self);
    const claim::remainder mine = task.claim_.found();
    if (mine == claim::remainder::nothing) [[unlikely]]
      return;
    if (mine == claim::remainder::run_and_end) [[likely]]
      task.template finish<Isolated>();
    task.end();
  }
  void end() noexcept {
    this->let_go();
    end_task();
  }
  void finish_somewhere() noexcept {
    isolated_ == in_own_region::yes ? finish<in_own_region::yes>() : finish<in_own_region::no>();
  }
  template <in_own_region Isolated>
  void finish() noexcept {
    if (is_to_end(end_)) {
      this->result.fail(gave_up(
          end_.stop.stop_requested()
              ? "filch: the task had not started when its options::stop was asked to "
                "stop, and was skipped"
              : "filch: the task had not started at its options::deadline, and was skipped"));
    } else {
      [[maybe_unused]] const task_region<Isolated> here;
      this->result.run(*f_);
    }
    f_.reset();  // what it holds is not kept for as long as the future lives
    this->deliver();
  }

  std::optional<F> f_;
  early_end end_;
  in_own_region isolated_;
  claim claim_;
};

/// A task on the stack of a thread that waits for it.
template <class F>
class visiting_task final : public listed_job {
 public:
  explicit visiting_task(F& f) noexcept : listed_job(&visiting_task::entry), f_(f) {}

  latch done;
  outcome<result_of<F>> result;

 private:
  static void entry(job& self) noexcept {
    const sanitizer_seen seen;
    self.taken();
    auto& task = static_cast<visiting_task&>(self);
    {
      const running_here here(task.caller_);
      task.result.run(task.f_);
    }
    end_task();
    latch::set(task.done);  // `task` may be gone
  }

  F& f_;
  running_here::origin caller_ = running_here::origin::here();
};

/// submit_unless_retired() for header code.
inline bool give_to_pool(registry& home, listed_job& task, priority level, reservation* admitted) {
  task.given();
  const sanitizer_hidden hidden;
  return submit_unless_retired(home, &task, level, admitted);
}

/// Submits `f`, with the admission that `reserved` holds for it, if any. The caller holds a share
/// of what this returns.
template <class F>
future_state<std::invoke_result_t<F&>>& submit_to(registry& home, F f, const options& o,
                                                  const char* who,
                                                  reservation* reserved = nullptr) {
  require_callable(f, who);
  auto* const task = new submitted_task<F, std::invoke_result_t<F&>>(
      std::move(f), early_end{o.stop, o.deadline}, wanted_region(o),
      wait_key_for(home, o.priority == priority::normal));
  try {
    if (!give_to_pool(home, *task, o.priority, reserved)) task->run_in_place(home);
  } catch (...) {
    task->let_go();  // the task's share
    task->let_go();  // the future's
    throw;
  }
  return *task;
}

template <class F>
void detach_to(registry& home, F f, const options& o, const char* who,
               reservation* reserved = nullptr) {
  require_callable(f, who);
  auto task = std::make_unique<detached_task<F>>(std::move(f), early_end{o.stop, o.deadline},
                                                 wanted_region(o));
  if (give_to_pool(home, *task, o.priority, reserved))
    (void)task.release();
  else
    task->run_in_place(home, wanted_region(o));
}

}  // namespace filch::detail
