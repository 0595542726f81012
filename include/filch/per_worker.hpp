// One object per thread of a pool: sums and scratch space without sharing.
#pragma once

#include "filch/detail/base/config.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/sched/pool_access.hpp"
#include "filch/detail/sched/task.hpp"
#include "filch/detail/sched/worker.hpp"
#include "filch/options.hpp"

namespace filch {

/// A `T` for each thread that asks for one, made on first use.
///
/// Threads   local(): any thread; it gets its own object. A worker finds it by its index; other
///           threads by a look-up under a lock: guests, and the spares that stand in for blocked
///           workers (see blocking()), each of which has an object of its own. A thread that was
///           given the id of one that has ended gets that one's object. for_each, combine, clear:
///           when nobody uses local().
/// Careful   A task that waits may run another task on the same thread, which then gets the same
///           object: do not hold a reference across a wait.
/// Life      It may outlive its pool. A child of fork() may use it if no other thread was in
///           local() at that moment; workers of the child's pools are other threads to it.
/// Cost      One allocation per object. On a worker local() takes no lock and shares no cache line.
///
///     filch::per_worker<long> sums;
///     filch::scoped([&](filch::scope& s) {
///       for (auto& p : parts) s.spawn([&] { sums.local() += f(p); });
///     });
///     long total = sums.combine(0L, std::plus{});
template <class T>
class per_worker {
 public:
  /// For the workers of `o.on`; without one those of the current pool, else of the default one.
  /// `make` makes an object for a thread that has none: on that thread, several threads at once,
  /// and without using this per_worker.
  /// Throws  `usage_error` if `make` is empty, or an option but `on` is set; what default_pool()
  /// throws; `std::bad_alloc`.
  explicit per_worker(
      std::function<T()> make = [] { return T(); }, const options& o = {})
      : home_(detail::registry_for(o.on)),
        make_(std::move(make)),
        workers_(detail::worker_count(*home_)) {
    detail::require_callable(make_, "per_worker");
    detail::require_only_on(o, "per_worker");
  }

  /// The calling thread's object. Throws what `make` throws; the next call tries again.
  T& local() {
    const detail::worker* const w = detail::worker::current();
    if (w != nullptr && &w->home() == home_.get() && w->index() < workers_.size()) {
      std::unique_ptr<T>& mine = *workers_[w->index()];
      if (!mine) mine = std::make_unique<T>(make_());
      return *mine;
    }
    const std::scoped_lock lock(mutex_);
    std::unique_ptr<T>& mine = others_[std::this_thread::get_id()];
    if (!mine) mine = std::make_unique<T>(make_());
    return *mine;
  }

  /// Calls f(object) for every object there is.
  template <class F>
  void for_each(F f) {
    for (auto& w : workers_)
      if (*w) f(**w);
    for (auto& [id, object] : others_)
      if (object) f(*object);
  }

  /// init, then `init = op(std::move(init), object)` for every object there is, in no fixed order.
  template <class R, class Op>
  [[nodiscard]] R combine(R init, Op op) {
    for_each([&](T& object) { init = op(std::move(init), object); });
    return init;
  }

  /// Destroys all objects.
  void clear() {
    for (auto& w : workers_) w->reset();
    others_.clear();
  }

 private:
  std::shared_ptr<detail::registry> home_;
  std::function<T()> make_;
  std::vector<detail::padded<std::unique_ptr<T>>> workers_;
  std::mutex mutex_;  // others_
  std::map<std::thread::id, std::unique_ptr<T>> others_;
};

}  // namespace filch
