// FILCH_LIVE=1: the counters of all pools, in memory that other processes of the user may map.
#include "filch/detail/observe/live.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "filch/detail/base/files.hpp"
#include "filch/detail/base/one_per_process.hpp"
#include "filch/detail/base/process.hpp"
#include "filch/detail/observe/environment.hpp"
#include "filch/detail/observe/sampler.hpp"
#include "filch/detail/sched/pool_report.hpp"
#include "filch/detail/sched/registry.hpp"

namespace filch::detail {

namespace {

constexpr std::chrono::milliseconds interval{100};

std::uint64_t unix_ns() noexcept {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::system_clock::now().time_since_epoch())
                                        .count());
}

template <std::size_t N>
void copy_name(std::string_view from, std::array<char, N>& to) noexcept {
  std::size_t length = std::min(from.size(), N - 1);
  // Does not cut inside a UTF-8 character.
  while (length != 0 && length < from.size() && (from[length] & 0xC0) == 0x80) --length;
  std::copy_n(from.data(), length, to.data());
  to[length] = '\0';
}

/// The entry of a pool in the page.
struct pool_entry {
  live_pool pool{};
  std::vector<live_worker> workers;
  bool asleep = true;
};

live_worker entry_of(std::uint32_t pool, std::uint32_t index, std::uint32_t kind,
                     const worker_load& l, const worker_metrics& m,
                     const worker_status& now) noexcept {
  return {.pool = pool,
          .index = index,
          .kind = kind,
          .state = static_cast<std::uint32_t>(now.state),
          .deque = l.deque,
          .branches = l.branches,
          .jobs = m.jobs,
          .spawned = m.spawned,
          .steals_taken = m.steals_taken,
          .steal_hits = m.steal_hits,
          .steals_lost = m.steals_lost,
          .steals_empty = m.steals_empty,
          .injector_takes = m.injector_takes,
          .sleeps = m.sleeps,
          .wakes = m.wakes,
          .busy_ns = m.busy_ns,
          .sleep_ns = m.sleep_ns,
          .cpu_ns = m.cpu_ns,
          .waits = now.waits,
          .still_ns = now.still_ns};
}

pool_entry entry_of(const registry& home) {
  const seen_load load = sample_of(home);
  const measured_pool counts = measure(home);
  pool_entry e;
  e.asleep = load.asleep();
  e.pool.id = home.id();
  e.pool.workers = static_cast<std::uint32_t>(home.size());
  copy_name(home.settings().name, e.pool.name);
  e.pool.elapsed_ns = counts.elapsed_ns;
  e.pool.injected = load.injected;
  e.pool.backlog = load.backlog;
  e.pool.unfinished = has_unfinished_work(home) ? 1 : 0;
  for (std::size_t i = 0; i < counts.workers.size(); ++i)
    e.workers.push_back(entry_of(e.pool.id, static_cast<std::uint32_t>(i), 0, load.workers[i],
                                 counts.workers[i], counts.now[i]));
  const worker_status others = {.state = load.helpers != 0 ? worker_state::running
                                                           : worker_state::absent};
  e.workers.push_back(entry_of(e.pool.id, live_no_index, 1, {}, counts.spares, others));
  e.workers.push_back(
      entry_of(e.pool.id, live_no_index, 2, {.deque = load.elsewhere}, counts.guests, others));
  return e;
}

class publisher {
 public:
  publisher() : shared_(live_name, first_page().get(), sizeof(live_page)) {
    sampler_ = std::make_unique<sampler>("filch-live", interval,
                                         sampler::work{[this] { publish(); }, live_pools});
  }
  publisher(const publisher&) = delete;
  publisher& operator=(const publisher&) = delete;
  ~publisher() {
    sampler_.reset();
    publish();  // the last page, for processes that have mapped it
  }
  void tell() noexcept { sampler_->tell(); }
  /// In the child of a fork whose parent publishes: the child does not.
  void forget() noexcept { shared_.hide(); }

  /// The threads of `home` have ended. Publishes its last counters before this returns, and keeps
  /// them as long as they fit, because a pool may start and end between two looks of a reader.
  void keep(const registry& home) noexcept {
    try {
      const std::scoped_lock lock(mutex_);
      ended_.insert(ended_.begin(), entry_of(home));
      ended_.front().pool.ended = 1;
      if (ended_.size() > live_most_pools) ended_.pop_back();
    } catch (const std::bad_alloc&) {
      // Then the pool is missing in the page.
    }
    publish();
  }

 private:
  static std::unique_ptr<live_page> first_page() {
    auto page = std::make_unique<live_page>();
    page->magic = live_magic;
    page->version = live_version;
    page->size = sizeof(live_page);
    page->pid = process_id();
    page->process_mark = process_mark(process_id());
    page->start_unix_ns = unix_ns();
    page->interval_ns = static_cast<std::uint64_t>(std::chrono::nanoseconds(interval).count());
    copy_name(program_name(), page->program);
    return page;
  }

  void publish() noexcept {
    try {
      const std::scoped_lock lock(mutex_);
      next_ = {};
      next_.updated_unix_ns = unix_ns();
      next_.all_asleep = 1;
      for (const auto& home : live_pools()) {
        const pool_entry e = entry_of(*home);
        if (!e.asleep) next_.all_asleep = 0;
        if (!put(e)) ++next_.pools_left_out;
      }
      for (const pool_entry& e : ended_)  // those that do not fit are dropped, oldest first
        if (!put(e) && e.workers.size() > live_most_workers) ++next_.pools_left_out;
      publish_live_page(next_, *static_cast<live_page*>(shared_.memory()));
    } catch (const std::bad_alloc&) {
      // The page stays as it was.
    }
  }

  /// Returns false if it does not fit.
  bool put(const pool_entry& e) noexcept {
    if (next_.pools == live_most_pools ||
        next_.worker_entries + e.workers.size() > live_most_workers)
      return false;
    live_pool& p = next_.pool[next_.pools++];
    p = e.pool;
    p.first_worker = next_.worker_entries;
    p.entries = static_cast<std::uint32_t>(e.workers.size());
    std::copy(e.workers.begin(), e.workers.end(), next_.worker.begin() + next_.worker_entries);
    next_.worker_entries += p.entries;
    return true;
  }

  shared_memory shared_;
  std::mutex mutex_;  // guards what follows, and writing the page
  live_page next_{};
  std::vector<pool_entry> ended_;  // newest first
  std::unique_ptr<sampler> sampler_;
};

constinit one_per_process<publisher> live;

}  // namespace

void start_live() {
  auto made = std::make_unique<publisher>();
  const std::scoped_lock lock(live.mutex);
  live.it = made.release();
}

void stop_live() noexcept {
  std::unique_ptr<publisher> last;
  {
    const std::scoped_lock lock(live.mutex);
    last.reset(std::exchange(live.it, nullptr));
  }
}

void tell_live() noexcept {
  const std::scoped_lock lock(live.mutex);
  if (live.it != nullptr) live.it->tell();
}

void live_pool_ends(const registry& home) noexcept {
  const std::scoped_lock lock(live.mutex);
  if (live.it != nullptr) live.it->keep(home);
}

void forget_live() noexcept {
  if (publisher* const of_parent = live.forget()) of_parent->forget();
}

}  // namespace filch::detail
