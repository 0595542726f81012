#include "filch/pool.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "filch/detail/base/sanitizer.hpp"
#include "filch/detail/sched/atfork.hpp"
#include "filch/detail/sched/guest_stay.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/spawn.hpp"
#include "filch/this_worker.hpp"

namespace filch {

void pool::begin(pool_options&& settings) {
  const detail::hidden_from_sanitizers hidden;
  core_ = std::make_shared<detail::registry>(std::move(settings));
  core_->set_owner(this);
  core_->start();
}

void pool::end() noexcept {
  if (core_->is_inherited()) {
    detail::leave_to_parent(*core_);
    return;
  }
  core_->stop();
  detail::tell_acquire(core_.get());  // what guests did
  core_->set_owner(nullptr);
}

void pool::close() noexcept { core_->close(); }

bool pool::sleep_until_idle(std::chrono::steady_clock::time_point deadline) {
  return core_->wait_idle_until(deadline);
}

void pool::require_own(const options& o, const char* who) const {
  detail::require_supported(o, who);
  if (o.on != nullptr && o.on != this)
    throw usage_error(std::string("filch::pool::") + who + "(): options::on is " +
                      detail::title(*o.on->core()) + ", but this is " + detail::title(*core_) +
                      ": leave it out, or call filch::" + who + "()");
}

// ---- the default pool ---------------------------------------------------------------------------

namespace {

/// The default pool, and its settings. Never destroyed: destructors of static objects may still use
/// it. A fork may come at any moment, also while the lock is held: so everything here is a single
/// word, which is right in the child as it is.
///
/// Edges
///   [make]       default_pool() makes it -> a thread that looks without the lock
///   [configure]  settings are complete when a thread sees them, also in the child of a fork
struct default_pool_state {
  std::mutex mutex;
  std::atomic<const pool_options*> settings{nullptr};  // null: the defaults
  pool* made = nullptr;
  std::atomic<pool*> current{nullptr};  // the same as `made`, for a look without the lock
  pool* of_parent = nullptr;            // for leak checkers
  bool at_exit = false;                 // the handler is registered
  bool over = false;                    // and has run
};

constinit default_pool_state the_default;
static_assert(std::is_trivially_destructible_v<default_pool_state>);

/// Drains the pool, which from then on lets its callers run what they submit.
void drain_at_exit() {
  pool* last = nullptr;
  {
    const std::scoped_lock lock(the_default.mutex);
    the_default.over = true;
    last = the_default.made;
  }
  if (last == nullptr) return;
  last->core()->accepts.retire();
  // If a task called exit(), its worker cannot wait for itself: tasks that have not run do not run.
  if (last->core()->is_current()) return;
  last->core()->stop();
  detail::tell_acquire(last->core().get());  // what guests did
}

}  // namespace

pool& default_pool() {
  pool* const current = the_default.current.load(std::memory_order_acquire);  // [make]
  if (current != nullptr) return *current;
  const std::scoped_lock lock(the_default.mutex);
  if (the_default.made == nullptr) {
    const pool_options* const chosen =
        the_default.settings.load(std::memory_order_acquire);  // [configure]
    auto made = std::make_unique<pool>(chosen != nullptr ? *chosen : pool_options{});
    if (the_default.over) {
      made->core()->accepts.retire();  // no exit handler drains it: its callers run their tasks
      made->core()->stop();
    }
    if (!the_default.at_exit) std::atexit(drain_at_exit);
    the_default.at_exit = true;
    the_default.made = made.release();
    the_default.current.store(the_default.made, std::memory_order_release);  // [make]
  }
  return *the_default.made;
}

void configure_default_pool(pool_options settings) {
  auto chosen = std::make_unique<const pool_options>(std::move(settings));
  std::unique_ptr<const pool_options> before;  // destroyed without the lock
  const std::scoped_lock lock(the_default.mutex);
  if (the_default.made != nullptr)
    throw usage_error(
        "filch::configure_default_pool(): the default pool exists already; call this "
        "before its first use, or after shutdown_default_pool()");
  before.reset(
      the_default.settings.exchange(chosen.release(), std::memory_order_acq_rel));  // [configure]
}

void shutdown_default_pool() {
  std::unique_ptr<pool> last;
  const std::scoped_lock lock(the_default.mutex);
  if (the_default.over) return;                                   // after main: nothing left to end
  the_default.current.store(nullptr, std::memory_order_release);  // [make]
  last.reset(std::exchange(the_default.made, nullptr));
}  // unlocked, then destroyed

void detail::forget_default_pool() noexcept {
  std::construct_at(&the_default.mutex);
  the_default.of_parent = std::exchange(the_default.made, nullptr);
  the_default.current.store(nullptr, std::memory_order_relaxed);  // no other thread
}

// ---- the calling thread -------------------------------------------------------------------------

namespace detail {

std::shared_ptr<registry> default_registry() { return default_pool().core(); }

std::shared_ptr<registry> current_registry() {
  if (worker* const w = worker::current()) return w->home().shared_from_this();
  if (registry* const alone = pool_of_lone_thread()) return alone->shared_from_this();
  return default_registry();
}

std::shared_ptr<registry> registry_for(filch::pool* chosen) {
  return chosen != nullptr ? chosen->core() : current_registry();
}

void let_go(std::shared_ptr<registry>& home) noexcept { home.reset(); }

registry& home_for(filch::pool* chosen) {
  if (chosen != nullptr) return *chosen->core();
  if (worker* const w = worker::current()) return w->home();
  if (registry* const alone = pool_of_lone_thread()) return *alone;
  return *default_pool().core();
}

const void* wait_for_idle_pool() {
  const std::shared_ptr<registry> home = current_registry();
  (void)home->wait_idle_until(std::chrono::steady_clock::time_point::max());
  return home.get();
}

std::size_t current_pool_size() { return std::max<std::size_t>(1, home_for(nullptr).size()); }

}  // namespace detail

namespace this_worker {

std::optional<std::size_t> index() noexcept {
  const detail::worker* const w = detail::worker::current();
  if (w == nullptr || w->is_guest()) return std::nullopt;
  return w->index();
}

filch::pool* pool() noexcept {
  const detail::worker* const w = detail::worker::current();
  return w == nullptr || w->is_guest() ? nullptr : w->home().owner();
}

bool takes_part() noexcept { return slot().has_value(); }

std::optional<std::size_t> slot() noexcept {
  const detail::worker* const w = detail::worker::current();
  return w != nullptr ? w->index() : detail::lone_call::slot();
}

}  // namespace this_worker
}  // namespace filch
