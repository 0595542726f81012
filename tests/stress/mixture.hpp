// Random trees of work over several pools that use all features of filch at random. A seed
// determines a tree and its sum.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "filch/detail/sched/registry.hpp"
#include "filch/filch.hpp"
#include "support/coroutine.hpp"
#include "support/eventually.hpp"
#include "support/tickets.hpp"

namespace filch::test {

/// The trees, and the accounts of them. Any thread. It must outlive everything that it started. It
/// has a function for each feature that a tree may use.
class mixture {
 public:
  using number = std::uint64_t;

  /// One of the pools, and what it can do.
  struct ground {
    explicit ground(filch::pool& p) : pool(p), visits([] { return number{0}; }, {.on = &p}) {
      may_block = p.core()->settings().max_spares >= 64;
    }
    filch::pool& pool;
    per_worker<number> visits;  // of nodes, by the threads that ran them
    bool may_block;             // may a task block until another one has run?
  };

  /// Where a tree, or a part of it, grows.
  struct spot {
    ground* at;
    number node;
    unsigned depth;         // at most this many levels
    bool isolated = false;  // the caller waits in a region: no work may leave the pool

    spot child(std::size_t n) const { return {at, mixed(node + 1 + n), depth - 1, isolated}; }
  };

  struct withered : std::runtime_error {
    using std::runtime_error::runtime_error;
  };

  /// Adds a pool. Add all of them before anything grows.
  void add(filch::pool& p) { grounds_.push_back(std::make_unique<ground>(p)); }
  ground& some_ground(number n) const { return *grounds_[n % grounds_.size()]; }
  ground& ground_number(std::size_t n) const { return *grounds_[n]; }
  std::size_t size() const { return grounds_.size(); }
  /// `visits` as each thread has counted them. Call it when all have stopped.
  number counted_visits() const {
    number sum = 0;
    for (const auto& g : grounds_) sum = g->visits.combine(sum, std::plus{});
    return sum;
  }

  /// The sum of a tree, by plain recursion.
  static number serial(spot s) {
    number sum = value(s.node);
    const std::size_t all = branches(s);
    const std::size_t count = kind_of(s) == kind::any ? std::min<std::size_t>(all, 1) : all;
    for (std::size_t n = 0; n < count; ++n) sum += serial(s.child(n));
    return sum;
  }

  /// The same by filch, on a thread of that pool, or on an outside thread if it is the default
  /// pool.
  number grow(spot s) {
    ++visits;
    ++s.at->visits.local();
    return value(s.node) + sum_of_branches(s);
  }

  /// A counted closure that grows a tree.
  auto task(spot s) {
    return [this, s, t = ticket(book)]() mutable {
      t.use();
      return grow(s);
    };
  }

  /// A closure that no thread waits for. Its sum is counted separately.
  auto loose_task(spot s) {
    loose_expected += serial(s);
    return [this, f = task(s)]() mutable { loose += f(); };
  }

  /// A coroutine that moves to the pool, and waits there for a tree.
  eager<number> awaited(spot s, ticket t) {
    co_await s.at->pool.schedule();
    t.use();
    co_return co_await s.at->pool.submit(task(s));
  }

  /// Tasks that are cancelled at any moment, or not. Each runs or is skipped.
  void cancel_some(spot s) {
    ticket_book mine;
    std::stop_source source;
    std::atomic<std::size_t> ran = 0;
    const number how = (s.node >> 24) % 6, tasks = 1 + (s.node >> 32) % 8;
    std::size_t kept = 0;
    {
      std::vector<future<number>> futures;
      scope all({.stop = source.get_token(), .on = &s.at->pool});
      if (how == 0)
        all.cancel_at(std::chrono::steady_clock::now() +
                      std::chrono::microseconds((s.node >> 40) % 64));
      const auto work = [&](number i) {
        return [&, i, t = ticket(mine)]() mutable {
          t.use();
          if (how == 1 && i == tasks / 2) all.cancel();
          if (how == 2 && i == tasks / 2) source.request_stop();
          ++ran;
          return i;
        };
      };
      for (number i = 0; i < tasks; ++i) {
        all.spawn([&, f = work(i)]() mutable {
          (void)f();
          all.spawn(work(tasks));
        });
        futures.push_back(all.async(work(i)));
        if (how == 3 && i == tasks / 2) all.cancel();
      }
      for (number i = 0; i < tasks / 2; ++i) kept += outcome(std::move(futures[i]), i);
      all.wait();
      for (number i = tasks / 2; i < tasks; ++i) kept += outcome(std::move(futures[i]), i);
    }
    EXPECT_TRUE(mine.all_gone()) << "a scope has ended, but closures are left";
    EXPECT_EQ(mine.used, ran);
    EXPECT_LE(kept, ran);
    if (how < 4) return;
    EXPECT_EQ(ran, 3 * tasks) << "no thread cancelled, but something is missing";
    EXPECT_EQ(mine.dropped, 0u);
  }

  ticket_book book;
  std::atomic<number> visits = 0;                     // of nodes
  std::atomic<number> loose = 0, loose_expected = 0;  // sums of trees that no thread waits for
  std::atomic<number> thrown = 0;  // by detached tasks: on_exception gets as many
  std::atomic<number> skipped = 0, blocked = 0;

 private:
  enum class kind : unsigned char {
    join,
    spawn,
    async,
    isolate,
    block,
    submit,
    elsewhere,
    install,
    then,
    two,
    all,
    any,
    coroutine,
    cancel,
    fail,
    detach,
    count
  };
  static constexpr std::size_t most_branches = 4;

  static number mixed(number x) {
    x ^= x >> 31;
    x *= 0x9E3779B97F4A7C15u;
    x ^= x >> 29;
    x *= 0xBF58476D1CE4E5B9u;
    return x ^ (x >> 32);
  }
  static kind kind_of(const spot& s) {
    return static_cast<kind>((s.node >> 8) % static_cast<number>(kind::count));
  }
  static std::size_t branches(const spot& s) {
    return s.depth == 0 ? 0 : (s.node >> 16) % (most_branches + 1);
  }
  /// Does a little work first, for a few nodes a lot.
  static number value(number node) {
    number x = node;
    for (number i = 0; i < (node % 512 == 0 ? 20'000 : node % 64); ++i) x = mixed(x);
    return x;
  }
  /// In a region, work may go where the wait does not find it only if a spare can be started.
  static options some_options(const spot& s) {
    return {.priority = s.isolated && !s.at->may_block
                            ? priority::normal
                            : static_cast<filch::priority>((s.node >> 20) % 3)};
  }

  number sum_of_branches(spot s) {
    const std::size_t count = branches(s);
    if (count == 0) return 0;
    switch (kind_of(s)) {
      case kind::join:
        return joined(s, count);
      case kind::async:
        return promised(s, count);
      case kind::isolate:
        s.isolated = true;
        return isolate([&] { return s.node % 2 == 0 ? joined(s, count) : spawned(s, count); });
      case kind::block:
        return while_blocked(s, count);
      case kind::submit:
        return submitted(s, s.at->pool, count);
      case kind::elsewhere:
        if (s.isolated) break;
        return on_another(s, [&](spot t) { return submitted(t, t.at->pool, count); });
      case kind::install:
        if (s.isolated) break;
        return on_another(
            s, [&](spot t) { return t.at->pool.install([&] { return spawned(t, count); }); });
      case kind::then:
        return followed(s, count);
      case kind::two:
        if (count != 2) break;
        return when_all(submit(task(s.child(0))), submit(task(s.child(1))))
            .then([](std::tuple<number, number> x) { return std::get<0>(x) + std::get<1>(x); })
            .get();
      case kind::all: {
        const std::vector<number> sums =
            when_all(several(count, [&](std::size_t n) { return submit(task(s.child(n))); })).get();
        return sum_of(sums);
      }
      case kind::any:  // all are equal; the losers go on
        return when_any(several(count, [&](std::size_t) { return submit(task(s.child(0))); }))
            .get()
            .second;
      case kind::coroutine:
        if (!s.at->may_block) break;
        return resumed(s, count);
      case kind::cancel:
        cancel_some(s);
        break;
      case kind::fail:
        return failed(s, count);
      case kind::detach:
        detach(loose_task(s.child(0)));
        if (s.node % 8 == 0) {
          ++thrown;
          detach([t = ticket(book)]() mutable {
            t.use();
            throw withered("a detached task");
          });
        }
        break;
      default:
        break;
    }
    return spawned(s, count);
  }

  number joined(spot s, std::size_t count) {
    if (count == 1) return std::get<0>(join(task(s.child(0)), [] {}));
    if (count == 2) {
      const auto [a, b] = join(task(s.child(0)), task(s.child(1)));
      return a + b;
    }
    const auto [a, b, c] = join(task(s.child(0)), task(s.child(1)), task(s.child(2)));
    return a + b + c + (count == 4 ? grow(s.child(3)) : 0);
  }

  number spawned(spot s, std::size_t count) {
    std::array<number, most_branches> sums{};
    scope all;
    for (std::size_t n = 0; n < count; ++n)
      all.spawn([&sums, n, f = task(s.child(n))]() mutable { sums[n] = f(); });
    all.wait();
    return sum_of(sums);
  }

  /// Takes half of the futures before the scope has ended, half afterwards.
  number promised(spot s, std::size_t count) {
    std::vector<future<number>> parts;
    number sum = 0;
    scoped([&](scope& all) {
      for (std::size_t n = 0; n < count; ++n) parts.push_back(all.async(task(s.child(n))));
      for (std::size_t n = 0; n < count; n += 2) sum += parts[n].get();
    });
    for (std::size_t n = 1; n < count; n += 2) sum += parts[n].get();
    return sum;
  }

  /// Some only take time. Some block until another task has run, for which a spare may be needed.
  /// Some work and wait meanwhile.
  number while_blocked(spot s, std::size_t count) {
    ++blocked;
    if (s.node % 4 == 0) return blocking([&] { return spawned(s, count); });
    if (s.node % 4 == 1 || !s.at->may_block) {
      blocking([&] { std::this_thread::sleep_for(std::chrono::microseconds(s.node % 100)); });
      return spawned(s, count);
    }
    gate done;
    auto signal = submit([&done, t = ticket(book)]() mutable {
      t.use();
      done.open();
    });
    blocking([&] { done.pass(); });
    signal.get();
    return joined(s, count);
  }

  number submitted(spot s, filch::pool& on, std::size_t count) {
    auto parts =
        several(count, [&](std::size_t n) { return on.submit(task(s.child(n)), some_options(s)); });
    number sum = 0;
    for (std::size_t n = 0; n < count; ++n) {
      if (s.node % 2 == 0 &&
          !s.isolated)  // one that polls in a region never sleeps: no spare comes
        while (!parts[n].wait_for(std::chrono::microseconds(n))) {
        }
      sum += parts[n].get();
    }
    return sum;
  }

  template <class F>
  number on_another(spot s, F f) {
    s.at = &some_ground(s.node >> 48);
    return f(s);
  }

  /// A chain in which each link adds a branch; without room in the queue there is no chain.
  number followed(spot s, std::size_t count) {
    auto first = s.at->pool.try_submit(task(s.child(0)), some_options(s));
    future<number> last = first ? std::move(*first) : s.at->pool.submit(task(s.child(0)));
    for (std::size_t n = 1; n < count; ++n)
      last = std::move(last).then([f = task(s.child(n))](number sum) mutable { return sum + f(); });
    return last.get();
  }

  number resumed(spot s, std::size_t count) {
    std::vector<eager<number>> parts;
    for (std::size_t n = 0; n < count; ++n) parts.push_back(awaited(s.child(n), ticket(book)));
    return blocking([&] {
      number sum = 0;
      for (auto& p : parts) sum += p.get();
      return sum;
    });
  }

  /// Every task throws when it is done.
  number failed(spot s, std::size_t count) {
    std::array<number, most_branches> sums{};
    std::size_t caught = 0;
    const auto fruitless = [&](std::size_t n) {
      return [&sums, n, f = task(s.child(n))]() mutable {
        sums[n] = f();
        throw withered("a branch");
      };
    };
    try {
      scope all;
      for (std::size_t n = 2; n < count; ++n) all.spawn(fruitless(n));
      all.wait();
    } catch (const withered&) {
      caught += 1 + suppressed().size();
    }
    try {
      if (count == 1)
        submit(fruitless(0)).then([] { ADD_FAILURE() << "a link was not skipped"; }).get();
      else
        (void)join(fruitless(0), fruitless(1));
    } catch (const withered&) {
      caught += 1 + suppressed().size();
    }
    EXPECT_EQ(caught, count) << "an exception was lost";
    return sum_of(sums);
  }

  /// 1 if its task ran.
  std::size_t outcome(future<number> f, number expected) {
    try {
      EXPECT_EQ(f.get(), expected);
      return 1;
    } catch (const cancelled&) {
      ++skipped;
      return 0;
    }
  }

  template <class F>
  static std::vector<future<number>> several(std::size_t count, F make) {
    std::vector<future<number>> all;
    for (std::size_t n = 0; n < count; ++n) all.push_back(make(n));
    return all;
  }
  template <class Numbers>
  static number sum_of(const Numbers& all) {
    number sum = 0;
    for (const number n : all) sum += n;
    return sum;
  }

  std::vector<std::unique_ptr<ground>> grounds_;
};

}  // namespace filch::test
