// The accounts of a run, and the nodes that need only a few lines.
#include "stress/random_programs/parallel.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <exception>
#include <ostream>
#include <thread>
#include <utility>

#include "filch/detail/sched/pool_report.hpp"
#include "filch/detail/sched/registry.hpp"

namespace filch::test {

pool_options parallel::settings(std::size_t n) {
  pool_options o = program_.pools[n];
  o.name = "pool" + std::to_string(n);
  o.on_start = [this](std::size_t) {
    const auto both = join([] { return 1u; }, [] { return 2u; });
    started_ += both.second - both.first;
  };
  o.on_stop = [this](std::size_t) { ++stopped_; };
  o.on_exception = [this](const std::exception_ptr& e) {
    try {
      std::rethrow_exception(e);
    } catch (const failure&) {
      ++reported_;
    } catch (const std::exception& other) {
      ADD_FAILURE() << "on_exception got: " << other.what();
    }
  };
  return o;
}

void parallel::add_outer(filch::pool& p) {
  outer_.push_back({outer_.size(), &p});
  const std::scoped_lock lock(mutex_);
  cores_.push_back(p.core());
}

outcome parallel::run_root(std::size_t n) {
  const place here{&outer_.front(), &certain_};
  return outcome_of([&] { return run(program_.roots[n], here); });
}

void parallel::check(const counts& expected) const {
  EXPECT_TRUE(all_gone()) << "the pools have ended, but closures are left";
  EXPECT_EQ(certain_.visits, expected.visits) << "nodes that ran";
  EXPECT_EQ(certain_.closures.used, expected.used) << "closures that ran";
  EXPECT_EQ(certain_.closures.dropped, expected.dropped) << "closures that were skipped";
  EXPECT_EQ(certain_.loose, expected.loose) << "the sum of what was detached";
  EXPECT_EQ(reported_, expected.reported) << "exceptions that on_exception got";
  EXPECT_EQ(ended_, certain_.visits + uncertain_.visits) << "nodes that ended";
  EXPECT_EQ(started_, stopped_) << "threads that ran on_start, and on_stop";
  for (const announcement& a : announcements_)
    for (const std::atomic<int>& calls : a.calls) EXPECT_EQ(calls, 1) << "calls by a broadcast";
}

void parallel::dump(std::ostream& out) const {
  out << certain_.visits + uncertain_.visits << " nodes begun, " << ended_ << " ended\n";
  const std::scoped_lock lock(mutex_);
  for (const auto& core : cores_) {
    const std::shared_ptr<detail::registry> alive = core.lock();
    if (!alive) continue;
    out << alive->settings().name << ": ";
    print(out, alive->settings());
    detail::dump(*alive, out);
  }
}

parallel::place parallel::at_target(const node& n, place p) const {
  for (const world& w : outer_)
    if (w.index == n.target) return {&w, p.count};
  return p;  // only its own tasks use a nested pool
}

void parallel::expect_outcome(const outcome& o, const node& n) const {
  counts ignored;
  EXPECT_EQ(o, expected(program_, n, ignored)) << "of node " << n.id;
}

number parallel::run(const node& n, place p) {
  ++p.count->visits;
  struct end {
    std::atomic<number>& count;
    ~end() { ++count; }
  } const at_end{ended_};
  return n.value + children_of(n, p);
}

number parallel::children_of(const node& n, place p) {
  switch (n.what) {
    case kind::leaf:
      if (n.variant == 7) std::this_thread::yield();
      return work_of(n);
    case kind::fail:
      throw failure{n.id};
    case kind::guard:
      return caught(outcome_of([&] { return run(n.children[0], p); }));
    case kind::join:
      return joined(n, p);
    case kind::scope:
      return scoped_tasks(n, p);
    case kind::async:
      return async_tasks(n, p);
    case kind::submit:
      return submitted(n, p);
    case kind::chain:
      return chained(n, p);
    case kind::all:
      return all_of(n, p);
    case kind::any:
      return any_of(n, p), 0;
    case kind::isolate:
      return isolate([&] { return run(n.children[0], p); });
    case kind::outside:
      return waited_for_in_a_region(n, p);
    case kind::locked:
      return with_a_lock(n, p);
    case kind::block:
      return blocked(n, p);
    case kind::gate:
      return waits_for_a_gate(n, p);
    case kind::cancel:
      return cancelled_tasks(n, p), 0;
    case kind::stop:
      return stopped_tasks(n, p), 0;
    case kind::install: {
      const place there = at_target(n, p);
      if (n.variant % 2 == 0) there.at->pool->limit(n.count);
      return there.at->pool->install([&] { return run(n.children[0], there); });
    }
    case kind::broadcast:
      return announced(n, p), 0;
    case kind::detach:
      return detached(n, p), 0;
    case kind::loop:
      return looped(n, p);
    case kind::nested:
      return on_a_nested_pool(n, p);
  }
  return 0;
}

number parallel::with_a_lock(const node& n, place p) {
  std::mutex& m = locks_[n.count];
  const auto locked = [&](auto f) {
    blocking([&] { m.lock(); });
    const std::scoped_lock lock(std::adopt_lock, m);
    return f();
  };
  const auto child = [&] { return run(n.children[0], p); };
  if (n.variant % 2 == 0) return isolate([&] { return locked(child); });
  return locked([&] { return isolate(child); });
}

number parallel::blocked(const node& n, place p) {
  const auto child = [&] { return run(n.children[0], p); };
  if (n.variant % 2 == 0) return blocking(child);
  blocking([&] { std::this_thread::sleep_for(std::chrono::microseconds(20 * n.variant)); });
  return child();
}

void parallel::announced(const node& n, place p) {
  const place there = at_target(n, p);
  announcement* made = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    made = &announcements_.emplace_back(there.at->pool->size());
  }
  there.at->pool->broadcast([this, &n, there, made](std::size_t worker) {
    ++made->calls[worker];
    const outcome o = outcome_of([&] { return run(n.children[0], there); });
    if (o.failed && n.certain) throw failure{static_cast<std::uint32_t>(o.value)};
  });
}

void parallel::detached(const node& n, place p) {
  const place there = at_target(n, p);
  filch::pool& pool = *there.at->pool;
  const auto closure = [&](const node& child) { return loose_task(child, there, n.certain); };
  if (n.variant % 4 == 0) {
    std::vector<decltype(closure(n))> batch;
    for (const node& child : n.children) batch.push_back(closure(child));
    return pool.submit_batch(std::move(batch));
  }
  for (const node& child : n.children) {
    auto f = closure(child);
    if (n.variant % 4 == 1) {
      filch::detach(std::move(f), options_on(n, there));
    } else if (n.variant % 4 == 2 || !pool.try_detach(std::move(f), options_of(n))) {
      pool.detach(std::move(f), options_of(n));  // a refused function is untouched
    }
  }
}

number parallel::looped(const node& n, place p) {
  std::atomic<number> sum = 0;
  const place there = at_target(n, p);
  options o = options_of(n);
  if (there.at != p.at) o.on = there.at->pool;  // otherwise a guest would have to wait for a worker
  o.grain = n.variant % 4;
  parallel_for(
      std::size_t{0}, n.count,
      [&](std::size_t i) {
        sum += n.children.empty() ? item(n, i)
                                  : caught(outcome_of([&] { return run(n.children[0], there); }));
      },
      o);
  return sum;
}

number parallel::on_a_nested_pool(const node& n, place p) {
  world inner{n.target, nullptr};  // outlives the pool, whose tasks use it
  filch::pool pool(settings(n.target));
  inner.pool = &pool;
  {
    const std::scoped_lock lock(mutex_);
    std::erase_if(cores_, [](const auto& core) { return core.expired(); });
    cores_.push_back(pool.core());
  }
  const place there{&inner, p.count};
  auto child = task(n.children[0], there);
  // Catches exceptions here: the end of the pool is a wait, which forgets suppressed exceptions.
  return caught(outcome_of([&] {
    if (n.variant % 2 == 0) return pool.install(child);
    return pool.submit(std::move(child), options_of(n)).get();
  }));
}

}  // namespace filch::test
