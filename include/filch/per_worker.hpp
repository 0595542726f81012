// per_worker: one object for each thread of a pool, for sums and scratch space without sharing.
#pragma once

#include "filch/detail/base/config.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/sched/pool_access.hpp"
#include "filch/detail/sched/task.hpp"
#include "filch/detail/sched/worker_front.hpp"
#include "filch/options.hpp"

namespace filch {

/// An object of type `T` for each thread that asks for one, made on first use.
///
/// Threads   local(): any thread, which gets its own object. A worker finds its object by its
///           index. Every other thread finds it by a look-up under a lock: guests, and spares that
///           stand in for blocked workers (see blocking()). Each of these threads has an object of
///           its own. A thread whose id was used by a thread that has ended gets the object of that
///           thread. for_each, combine, clear: only while no thread uses local().
/// Careful   A task that waits may run another task on the same thread, which then gets the same
///           object: do not hold a reference across a wait.
/// Life      It may outlive its pool. A child of fork() may use it if no other thread was in
///           local() at that moment. There, workers of the child's pools look up their objects
///           under the lock.
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
  /// Makes one for the workers of `o.on`; if that is null, of the current pool, or else of the
  /// default pool. A thread that has no object calls `make` to get one. Several threads may call
  /// `make` at once. `make` must not use this per_worker.
  /// Throws  `usage_error` if `make` is empty, or an option other than `on` is set; what
  ///         default_pool() throws; `std::bad_alloc`.
  explicit per_worker(
      std::function<T()> make = [] { return T(); }, const options& o = {})
      : home_(detail::msan_returned(detail::registry_for(o.on))),
        make_(std::move(make)),
        workers_(detail::worker_count(*home_)) {
    detail::require_callable(make_, "per_worker");
    detail::require_only_on(o, "per_worker");
  }

  per_worker(const per_worker&) = delete;
  per_worker& operator=(const per_worker&) = delete;
  ~per_worker() { detail::let_go(home_); }

  /// Returns the object of the calling thread. Throws what `make` throws; the next call tries
  /// again.
  T& local() {
    const detail::worker_front* const w = detail::worker_front::current();
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

  /// Calls f(object) for every object that has been made.
  template <class F>
  void for_each(F f) {
    for (auto& w : workers_)
      if (*w) f(**w);
    for (auto& [id, object] : others_)
      if (object) f(*object);
  }

  /// Folds all objects into `init`, in no fixed order: `init = op(std::move(init), object)` for
  /// every object that has been made. Returns the result.
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
  std::unordered_map<std::thread::id, std::unique_ptr<T>> others_;
};

}  // namespace filch
