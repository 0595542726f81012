// What the deque's operations cost: alone, with thieves, and compared with a std::deque under a
// mutex.
//
// The column per_op is the time of one operation. The subjects:
//   filch_deque  filch::deque<std::uint64_t>
//   kept_deque   the same algorithm, but old rings are kept until the end, so that a steal need not
//                count itself in and out: the difference to filch is the price of freeing rings
//   mutex_deque  std::deque<std::uint64_t> under a std::mutex
//
// Threads beyond the number of cores take turns, which shows more of the system's scheduler than of
// a deque: compare such figures only with one another.
#include "filch/deque.hpp"

#include <benchmark/benchmark.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/queue/chase_lev.hpp"

namespace {

using item = std::uint64_t;

/// The simplest safe scheme: no ring is freed before the deque is.
class kept_rings {
 public:
  using ring_type = filch::detail::ring<item>;
  static constexpr unsigned max_level = 47;

  explicit kept_rings(ring_type* first) { replace(first); }
  kept_rings(const kept_rings&) = delete;
  kept_rings& operator=(const kept_rings&) = delete;
  ~kept_rings() {
    for (ring_type* r : rings_) ring_type::destroy(r);
  }
  ring_type* current() const noexcept { return rings_.back(); }
  bool may_shrink_to(unsigned) const noexcept { return false; }
  void replace(ring_type* next) {
    rings_.push_back(next);
    current_.store(next, std::memory_order_release);  // [grow]
  }

  class visit {
   public:
    explicit visit(kept_rings& rings) noexcept
        : at_(rings.current_.load(std::memory_order_acquire)) {}  // [grow]
    const ring_type* operator->() const noexcept { return at_; }

   private:
    const ring_type* at_;
  };

 private:
  std::vector<ring_type*> rings_;
  alignas(filch::detail::no_sharing_size) std::atomic<ring_type*> current_{nullptr};
};

// The subjects, with one interface. pop and steal return true if there was an item.

struct filch_deque {
  explicit filch_deque(std::size_t capacity) : d(capacity) {}
  void push(item i) { d.push(i); }
  bool pop(item& i) {
    const auto got = d.pop();
    if (got) i = *got;
    return got.has_value();
  }
  bool steal(item& i) {
    const auto got = d.steal();
    if (got) i = got.item;
    return static_cast<bool>(got);
  }
  std::size_t steal_half(filch_deque& mine) { return d.steal_into(mine.d).count; }
  std::size_t size() const { return d.size_hint(); }
  filch::deque<item> d;
};

struct kept_deque {
  explicit kept_deque(std::size_t capacity) : d(capacity) {}
  void push(item i) { d.push(i); }
  bool pop(item& i) { return d.pop(i); }
  bool steal(item& i) { return d.steal(i) == filch::steal_status::taken; }
  std::size_t size() const { return d.size_hint(); }
  filch::detail::chase_lev<item, kept_rings> d;
};

struct mutex_deque {
  explicit mutex_deque(std::size_t) {}
  void push(item i) {
    const std::lock_guard lock(mutex);
    d.push_back(i);
  }
  bool pop(item& i) {
    const std::lock_guard lock(mutex);
    if (d.empty()) return false;
    i = d.back();
    d.pop_back();
    return true;
  }
  bool steal(item& i) {
    const std::lock_guard lock(mutex);
    if (d.empty()) return false;
    i = d.front();
    d.pop_front();
    return true;
  }
  std::size_t steal_half(mutex_deque& mine) {
    const std::scoped_lock lock(mutex, mine.mutex);
    const std::size_t count = (d.size() + 1) / 2;
    for (std::size_t n = 0; n < count; ++n) {
      mine.d.push_back(d.front());
      d.pop_front();
    }
    return count;
  }
  std::size_t size() {
    const std::lock_guard lock(mutex);
    return d.size();
  }
  std::mutex mutex;
  std::deque<item> d;
};

constexpr item batch = 4096;  // operations per iteration: enough that the clock costs nothing
constexpr item million = 1'000'000;

/// Runs `prepare` and then `measured`, and times only the latter, which does `operations`
/// operations.
template <class Prepare, class Measured>
void measure(benchmark::State& state, item operations, Prepare prepare, Measured measured) {
  using clock = std::chrono::steady_clock;
  for (auto _ : state) {
    prepare();
    const auto start = clock::now();
    measured();
    const std::chrono::duration<double> took = clock::now() - start;
    state.SetIterationTime(took.count());
  }
  state.counters["per_op"] = benchmark::Counter(
      static_cast<double>(operations),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// Tells the C library that there are threads: without any, it skips parts of a mutex.
void have_threads() {
  std::thread([] {}).join();
}

template <class Deque>
void fill(Deque& d, item count) {
  for (item i = 0; i < count; ++i) d.push(i);
}

template <class Deque>
void drain(Deque& d) {
  for (item i = 0; d.pop(i);) benchmark::DoNotOptimize(i);
}

/// Pushes and pops; returns how many of the pops found an item.
template <class Deque>
item push_and_pop(Deque& d) {
  item popped = 0;
  for (item i = 0, got = 0; i < batch; ++i) {
    d.push(i);
    popped += d.pop(got) ? 1 : 0;
    benchmark::DoNotOptimize(got);
  }
  return popped;
}

// ---- alone

template <class Deque>
void push(benchmark::State& state) {
  have_threads();
  Deque d(batch);
  measure(
      state, batch, [&] { drain(d); }, [&] { fill(d, batch); });
}

template <class Deque>
void pop(benchmark::State& state) {
  have_threads();
  Deque d(batch);
  measure(
      state, batch, [&] { fill(d, batch); }, [&] { drain(d); });
}

/// A push and a pop, with other items below. Per pair.
template <class Deque>
void push_pop(benchmark::State& state) {
  have_threads();
  Deque d(batch);
  fill(d, 16);
  measure(
      state, batch, [] {}, [&] { push_and_pop(d); });
}

/// The same on an empty deque, so that the item is the last one: a fork that is not stolen. Per
/// pair.
template <class Deque>
void push_pop_last(benchmark::State& state) {
  have_threads();
  Deque d(batch);
  measure(
      state, batch, [] {}, [&] { push_and_pop(d); });
}

template <class Deque>
void steal(benchmark::State& state) {
  have_threads();
  Deque d(batch);
  measure(
      state, batch, [&] { fill(d, batch); },
      [&] {
        for (item i = 0; d.steal(i);) benchmark::DoNotOptimize(i);
      });
}

/// One batch of `batch` items, half of what there is. Per item.
template <class Deque>
void steal_half(benchmark::State& state) {
  have_threads();
  Deque d(2 * batch), mine(batch);
  measure(
      state, batch,
      [&] {
        drain(mine);
        drain(d);
        fill(d, 2 * batch);
      },
      [&] { benchmark::DoNotOptimize(d.steal_half(mine)); });
}

/// A million pushes, from room for one. Per push.
template <class Deque>
void grow(benchmark::State& state) {
  have_threads();
  std::unique_ptr<Deque> d;
  measure(
      state, million, [&] { d = std::make_unique<Deque>(1); }, [&] { fill(*d, million); });
}

/// A million pops, back to room for one. Per pop.
template <class Deque>
void shrink(benchmark::State& state) {
  have_threads();
  std::unique_ptr<Deque> d;
  measure(
      state, million,
      [&] {
        d = std::make_unique<Deque>(1);
        fill(*d, million);
      },
      [&] { drain(*d); });
}

// ---- with thieves, whose number is the argument

/// Threads that steal until told to stop.
template <class Deque>
class thieves {
 public:
  thieves(Deque& d, std::int64_t count) {
    for (std::int64_t n = 0; n < count; ++n) threads_.emplace_back([this, &d] { rob(d); });
  }
  thieves(const thieves&) = delete;
  thieves& operator=(const thieves&) = delete;
  ~thieves() { stop(); }

  /// Returns how many items they took, or a little less. Exact after stop().
  item taken() const { return taken_.load(std::memory_order_relaxed); }  // orders nothing: a number

  void stop() {
    done_.store(true, std::memory_order_relaxed);  // orders nothing: the join does
    for (std::thread& t : threads_) t.join();
    threads_.clear();
  }

 private:
  void rob(Deque& d) {
    item mine = 0, got = 0;
    const auto report = [&] {
      if (mine > 0)
        taken_.fetch_add(std::exchange(mine, 0), std::memory_order_relaxed);  // a number
    };
    while (!done_.load(std::memory_order_relaxed)) {  // orders nothing: the join does
      if (d.steal(got)) {
        benchmark::DoNotOptimize(got);
        if (++mine == 64) report();
      } else {
        report();
      }
    }
    report();
  }

  std::atomic<bool> done_ = false;
  alignas(filch::detail::no_sharing_size) std::atomic<item> taken_ = 0;
  std::vector<std::thread> threads_;
};

/// The owner pushes and waits until the thieves have taken nearly all items. Per item.
template <class Deque>
void steal_while_owner_pushes(benchmark::State& state) {
  Deque d(batch);
  thieves<Deque> band(d, state.range(0));
  item pushed = 0;
  measure(
      state, batch, [] {},
      [&] {
        fill(d, batch);
        pushed += batch;
        while (pushed - band.taken() > batch / 2) std::this_thread::yield();
      });
}

/// What the owner pays for a push and a pop while thieves attack a deque with at most one item.
template <class Deque>
void owner_under_theft_empty(benchmark::State& state) {
  Deque d(batch);
  thieves<Deque> band(d, state.range(0));
  item popped = 0;
  measure(
      state, batch, [] {}, [&] { popped += push_and_pop(d); });
  band.stop();
  const auto stolen = static_cast<double>(band.taken());
  state.counters["stolen_%"] = 100 * stolen / (stolen + static_cast<double>(popped));
}

/// The same on a deque with many items.
template <class Deque>
void owner_under_theft_full(benchmark::State& state) {
  constexpr item plenty = 1 << 16;
  Deque d(4 * plenty);
  thieves<Deque> band(d, state.range(0));
  item popped = 0;
  measure(
      state, batch,
      [&] {
        if (const item size = d.size(); size < plenty) fill(d, plenty - size);
      },
      [&] { popped += push_and_pop(d); });
  band.stop();
  const auto stolen = static_cast<double>(band.taken());
  state.counters["stolen_%"] = 100 * stolen / (stolen + static_cast<double>(popped));
}

void alone(benchmark::internal::Benchmark* b) { b->UseManualTime(); }
void with_thieves(benchmark::internal::Benchmark* b) { b->UseManualTime()->Arg(1)->Arg(2)->Arg(4); }

}  // namespace

#define FILCH_BENCH_ALL(name, how)                   \
  BENCHMARK_TEMPLATE(name, filch_deque)->Apply(how); \
  BENCHMARK_TEMPLATE(name, kept_deque)->Apply(how);  \
  BENCHMARK_TEMPLATE(name, mutex_deque)->Apply(how)

FILCH_BENCH_ALL(push, alone);
FILCH_BENCH_ALL(pop, alone);
FILCH_BENCH_ALL(push_pop, alone);
FILCH_BENCH_ALL(push_pop_last, alone);
FILCH_BENCH_ALL(steal, alone);
BENCHMARK_TEMPLATE(steal_half, filch_deque)->Apply(alone);
BENCHMARK_TEMPLATE(steal_half, mutex_deque)->Apply(alone);
FILCH_BENCH_ALL(grow, alone);
BENCHMARK_TEMPLATE(shrink, filch_deque)->Apply(alone);
BENCHMARK_TEMPLATE(shrink, mutex_deque)->Apply(alone);
FILCH_BENCH_ALL(steal_while_owner_pushes, with_thieves);
FILCH_BENCH_ALL(owner_under_theft_empty, with_thieves);
FILCH_BENCH_ALL(owner_under_theft_full, with_thieves);
