// The nodes that make tasks and wait for them.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <stop_token>
#include <tuple>
#include <utility>
#include <vector>

#include "stress/random_programs/parallel.hpp"
#include "support/eventually.hpp"

namespace filch::test {

namespace {

constexpr std::size_t most_children = 4;

/// A future that has its value.
future<number> ready(number value) {
  promise<number> p;
  p.set_value(value);
  return p.get_future();
}

number sum_of(const auto& numbers) {
  number sum = 0;
  for (const number n : numbers) sum += n;
  return sum;
}

}  // namespace

template <class F>
std::vector<future<number>> parallel::futures_of(const node& n, F make) {
  std::vector<future<number>> all;
  for (std::size_t i = 0; i < n.children.size(); ++i) all.push_back(make(i));
  return all;
}

future<number> parallel::submit_child(const node& n, std::size_t child, place p) {
  const place there = at_target(n, p);
  filch::pool& pool = *there.at->pool;
  auto f = task(n.children[child], there);
  if (n.variant / 4 == 0) return filch::submit(std::move(f), options_on(n, there));
  if (auto result = pool.try_submit(std::move(f), options_of(n))) return std::move(*result);
  return pool.submit(std::move(f), options_of(n));  // a refused function is untouched
}

number parallel::joined(const node& n, place p) {
  const auto forked = [&](auto branch) {
    const auto& c = n.children;
    if (c.size() == 2) {
      const auto [a, b] = join(branch(c[0]), branch(c[1]));
      return a + b;
    }
    if (c.size() == 3) {
      const auto [a, b, d] = join(branch(c[0]), branch(c[1]), branch(c[2]));
      return a + b + d;
    }
    const auto [a, b, d, e] = join(branch(c[0]), branch(c[1]), branch(c[2]), branch(c[3]));
    return a + b + d + e;
  };
  if (n.variant % 2 == 0) return forked([&](const node& child) { return task(child, p); });
  return forked([this, p](const node& child) {  // small enough to be copied as bytes
    return [this, p, &child] { return run(child, p); };
  });
}

number parallel::scoped_tasks(const node& n, place p) {
  std::array<number, most_children> sums{};
  const bool elsewhere = n.isolated || n.rank != priority::normal || n.target != p.at->index;
  const place there = elsewhere ? at_target(n, p) : p;
  options o = options_on(n, there);
  if (!elsewhere) o.on = nullptr;
  scope all(o);
  const auto spawn = [&](std::size_t i) {
    all.spawn([&sums, i, f = task(n.children[i], there)]() mutable { sums[i] = f(); });
  };
  if (n.variant % 2 == 0) {
    for (std::size_t i = 0; i < n.children.size(); ++i) spawn(i);
  } else {  // the first one spawns the others
    all.spawn([&, f = task(n.children[0], there)]() mutable {
      for (std::size_t i = 1; i < n.children.size(); ++i) spawn(i);
      sums[0] = f();
    });
  }
  const outcome ended = outcome_of([&] {
    all.wait();
    return number{0};
  });
  return sum_of(sums) + ended.thrown;
}

number parallel::async_tasks(const node& n, place p) {
  const place there = at_target(n, p);
  std::vector<future<number>> parts;
  number sum = 0;
  const auto take = [&](std::size_t first) {
    for (std::size_t i = first; i < parts.size(); i += 2)
      sum += caught(outcome_of([&] { return parts[i].get(); }));
  };
  scoped(
      [&](scope& s) {
        parts = futures_of(n, [&](std::size_t i) { return s.async(task(n.children[i], there)); });
        take(0);
      },
      options_on(n, there));
  take(1);
  return sum;
}

number parallel::submitted(const node& n, place p) {
  auto parts = futures_of(n, [&](std::size_t i) { return submit_child(n, i, p); });
  number sum = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    future<number>& f = parts[n.variant % 2 == 0 ? i : parts.size() - 1 - i];
    if (n.variant % 4 == 3)
      while (!f.wait_for(std::chrono::microseconds(20 * i))) {
      }
    sum += caught(outcome_of([&] { return f.get(); }));
  }
  return sum;
}

number parallel::chained(const node& n, place p) {
  future<number> last = submit_child(n, 0, p);
  for (std::size_t i = 1; i < n.children.size(); ++i) {
    auto step = [f = task(n.children[i], p)](number before) mutable { return before + f(); };
    if (n.variant % 4 == 1)
      last = last.then(
          [step = std::move(step)](number before) mutable { return ready(step(before)); });
    else if (n.variant % 4 == 2)
      last = std::move(last).share().then(std::move(step));
    else
      last = last.then(std::move(step));
  }
  if (n.variant % 8 == 3)
    last =
        last.recover([](std::exception_ptr e) -> number { std::rethrow_exception(std::move(e)); });
  return last.get();
}

number parallel::all_of(const node& n, place p) {
  if (n.children.size() == 2 && n.variant % 2 == 0) {
    auto both = when_all(submit_child(n, 0, p), submit_child(n, 1, p));
    const auto [a, b] = both.get();
    return a + b;
  }
  return sum_of(
      when_all(futures_of(n, [&](std::size_t i) { return submit_child(n, i, p); })).get());
}

void parallel::any_of(const node& n, place p) {
  auto first = when_any(futures_of(n, [&](std::size_t i) { return submit_child(n, i, p); }));
  std::optional<std::size_t> winner;
  const outcome o = outcome_of([&] {
    const auto [index, value] = first.get();
    winner = index;
    return value;
  });
  if (winner) return expect_outcome(o, n.children[*winner]);
  bool known = false;  // an exception does not say which child threw it
  for (const node& child : n.children) {
    counts ignored;
    known = known || expected(program_, child, ignored) == o;
  }
  EXPECT_TRUE(known) << "node " << n.id << " got " << o.value
                     << ", which none of its children throws";
}

/// A wait in a region for a task that was spawned before it.
number parallel::waited_for_in_a_region(const node& n, place p) {
  number sum = 0;
  const auto inside = [&] { return caught(outcome_of([&] { return run(n.children[1], p); })); };
  if (n.variant % 4 == 0) {
    const place there = at_target(n, p);
    scope all(options_on({.rank = n.rank}, there));
    all.spawn([&, f = task(n.children[0], there)]() mutable { sum = caught(outcome_of(f)); });
    const number other = isolate([&] {
      all.wait();
      return inside();
    });
    return sum + other;
  }
  future<number> before = submit_child(n, 0, p);
  return isolate([&] {
    if (n.variant % 4 == 1) sum += inside();
    if (n.variant % 4 == 2)
      while (!before.wait_for(std::chrono::microseconds(20))) {
      }
    sum += caught(outcome_of([&] { return before.get(); }));
    return n.variant % 4 == 1 ? sum : sum + inside();
  });
}

number parallel::waits_for_a_gate(const node& n, place p) {
  const place there = at_target(n, p);
  const auto open_by = [&](auto open) {
    return there.at->pool->submit(
        [open, t = ticket(p.count->closures)]() mutable {
          t.use();
          open();
        },
        options_of(n));
  };
  if (n.variant % 2 == 0) {
    gate opened;
    auto opening = open_by([&opened] { opened.open(); });
    blocking([&] { opened.pass(); });
    opening.get();
  } else {
    countdown left(1);
    auto opening = open_by([&left] { left.count_down(); });
    left.wait();
    opening.get();
  }
  return run(n.children[0], p);
}

void parallel::cancelled_tasks(const node& n, place p) {
  enum { by_caller, by_task, by_token, by_time, by_exception, never };
  const unsigned how = n.variant % 6;
  const place there = uncertain(at_target(n, p));
  const std::size_t tasks = n.children.size();
  const std::size_t when = n.count % tasks;
  ticket_book mine;
  std::vector<future<number>> parts;
  std::stop_source source;
  options o = options_on(n, there);
  o.stop = source.get_token();
  try {
    scope all(o);
    if (how == by_time)
      all.cancel_at(std::chrono::steady_clock::now() + std::chrono::microseconds(20 * n.count));
    for (std::size_t i = 0; i < tasks; ++i) {
      all.spawn([&, i, t = ticket(mine)]() mutable {
        t.use();
        if (how == by_task && i == when) all.cancel();
        all.spawn([t2 = ticket(mine)]() mutable { t2.use(); });
      });
      parts.push_back(all.async([f = task(n.children[i], there), t = ticket(mine)]() mutable {
        t.use();
        return f();
      }));
      if (how == by_caller && i == when) all.cancel();
      if (how == by_token && i == when) source.request_stop();
      if (how == by_exception && i == when) throw failure{n.id};
    }
    all.wait();
  } catch (const failure& f) {
    EXPECT_TRUE(how == by_exception && f.id == n.id) << "node " << n.id << " got " << f.id;
  }
  EXPECT_TRUE(mine.all_gone()) << "a scope of node " << n.id << " has ended, but closures are left";
  std::size_t kept = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) try {
      expect_outcome(outcome_of([&] { return parts[i].get(); }), n.children[i]);
      ++kept;
    } catch (const cancelled&) {
    }
  EXPECT_LE(kept, mine.used) << "of node " << n.id;
  if (how == never) {
    EXPECT_EQ(mine.dropped, 0u) << "node " << n.id << " was not cancelled, but skipped tasks";
    EXPECT_EQ(kept, tasks) << "of node " << n.id;
  }
}

void parallel::stopped_tasks(const node& n, place p) {
  const place there = uncertain(at_target(n, p));
  std::atomic<std::size_t> ran = 0;
  std::stop_source source;
  options o = options_of(n);
  o.stop = source.get_token();
  std::vector<future<number>> parts;
  for (std::size_t i = 0; i < n.children.size(); ++i) {
    parts.push_back(there.at->pool->submit(
        [&ran, f = task(n.children[i], there)]() mutable {
          ++ran;
          return f();
        },
        o));
    if (i == n.count) source.request_stop();
  }
  if (n.variant % 2 == 0 && n.count >= n.children.size()) source.request_stop();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) try {
      expect_outcome(outcome_of([&] { return parts[i].get(); }), n.children[i]);
      ++kept;
    } catch (const cancelled&) {
    }
  EXPECT_EQ(kept, ran) << "of node " << n.id;
  if (!source.stop_requested()) {
    EXPECT_EQ(kept, parts.size()) << "node " << n.id << " was not stopped, but skipped tasks";
  }
}

}  // namespace filch::test
