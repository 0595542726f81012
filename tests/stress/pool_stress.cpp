// Pools of 1 to 64 workers under all kinds of calls, from inside and from several outside threads
// at once. Every answer is checked. CMakeLists.txt runs all of it a second time, for a quarter of
// the time, without membarrier.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "filch/filch.hpp"
#include "stress/one_cpu.hpp"
#include "stress/random_tree.hpp"
#include "support/endurance.hpp"
#include "support/seed.hpp"
#include "support/team.hpp"
#include "support/watchdog.hpp"

using filch::test::random_tree;

namespace {

constexpr auto patience = std::chrono::seconds(30);
constexpr std::uint64_t operations_per_test = 2'500;
constexpr std::size_t outside_threads = 3;
constexpr unsigned most_rounds = 50;  // until something was stolen

/// A quarter in the second run, without membarrier.
std::uint64_t enough_operations() {
  const bool again = std::getenv("FILCH_NO_MEMBARRIER") != nullptr;
  return again ? operations_per_test / 4 : operations_per_test;
}

struct setting {
  std::string name;
  filch::pool_options pool;
  bool one_cpu = false;

  friend void PrintTo(const setting& s, std::ostream* out) { *out << s.name; }
};

/// The default pool is the one under stress, so outside threads are its guests.
class pool_stress : public testing::TestWithParam<setting> {
 protected:
  void SetUp() override { filch::configure_default_pool(GetParam().pool); }
  void TearDown() override {
    filch::shutdown_default_pool();
    filch::configure_default_pool({});
  }

  /// One action of an outside thread. All kinds of calls are equally frequent.
  void act(filch::pool& pool, filch::detail::rng& random) {
    const auto tree = [&](unsigned depth) { return random_tree(random(), depth); };
    switch (random.bounded(10)) {
      case 0: {  // as a guest: the root may be a join, a scope, a submission
        const random_tree t = tree(7);
        check(t.parallel_sum(pool), t, "a guest's tree");
        break;
      }
      case 1: {
        const random_tree t = tree(7);
        check(pool.install([&] { return t.parallel_sum(pool); }), t, "an installed tree");
        break;
      }
      case 2: {
        const random_tree a = tree(6), b = tree(6);
        auto f = pool.submit([&] { return a.parallel_sum(pool); });
        auto g = pool.submit([&] { return b.parallel_sum(pool); });
        while (!f.wait_for(std::chrono::microseconds(random.bounded(50)))) {
        }
        check(f.get(), a, "a submitted tree");
        check(g.get(), b, "a submitted tree");
        break;
      }
      case 3:
        detach_many(pool, random);
        break;
      case 4:
        submit_a_batch(pool, random);
        break;
      case 5:
        broadcast(pool);
        break;
      case 6:
        scope_from_outside(pool, random);
        break;
      case 7: {  // no thread waits for these
        for (unsigned n = random.bounded(4); n > 0; --n)
          (void)pool.submit([t = tree(4), &pool] { return t.parallel_sum(pool); });
        break;
      }
      case 8:
        while (!pool.wait_idle_for(std::chrono::microseconds(random.bounded(200)))) {
        }
        break;
      default: {  // each of them throws
        auto f =
            pool.submit([t = tree(6), &pool]() -> std::uint64_t { throw t.parallel_sum(pool); });
        try {
          (void)f.get();
          ADD_FAILURE() << "a submitted task's exception was lost";
        } catch (const std::uint64_t&) {
        }
      }
    }
    ++operations;
  }

  void check(std::uint64_t sum, const random_tree& t, const char* what) {
    EXPECT_EQ(sum, t.serial_sum()) << what;
  }

  /// Detached tasks that detach more. After wait_idle() all have run.
  void detach_many(filch::pool& pool, filch::detail::rng& random) {
    std::atomic<unsigned> ran = 0;
    const unsigned outer = 1 + random.bounded(30), inner = random.bounded(30);
    for (unsigned n = 0; n < outer; ++n)
      pool.detach([&] {
        for (unsigned m = 0; m < inner; ++m) filch::detach([&] { ++ran; });
        ++ran;
      });
    pool.wait_idle();
    EXPECT_EQ(ran.load(), outer * (inner + 1)) << "detached tasks";
  }

  void submit_a_batch(filch::pool& pool, filch::detail::rng& random) {
    std::atomic<unsigned> ran = 0;
    const std::size_t count = random.bounded(100);
    pool.submit_batch(std::vector<std::function<void()>>(count, [&] { ++ran; }));
    pool.wait_idle();
    EXPECT_EQ(ran.load(), count) << "a batch";
  }

  void broadcast(filch::pool& pool) {
    std::vector<std::atomic<int>> calls(pool.size());
    pool.broadcast([&](std::size_t n) { ++calls[n]; });
    pool.wait_idle();
    for (const std::atomic<int>& c : calls) EXPECT_EQ(c.load(), 1) << "a broadcast";
  }

  void scope_from_outside(filch::pool& pool, filch::detail::rng& random) {
    const random_tree a(random(), 6), b(random(), 6);
    std::uint64_t sum = 0;
    filch::scope s({.on = &pool});
    s.spawn([&] { sum = a.parallel_sum(pool); });
    auto other = s.async([&] { return b.parallel_sum(pool); });
    s.wait();
    check(sum, a, "a scope's task");
    check(other.get(), b, "a scope's future");
  }

  std::atomic<std::uint64_t> operations = 0;
};

}  // namespace

TEST_P(pool_stress, every_answer_is_right) {
  RecordProperty("seed", std::to_string(filch::test::seed()));
  const setting& s = GetParam();
  std::optional<filch::test::one_cpu> confined;
  if (s.one_cpu) confined.emplace();
  filch::pool& pool = filch::default_pool();
  ASSERT_EQ(pool.size(), s.pool.threads);
  const filch::test::endurance enough(enough_operations());
  const filch::test::watchdog dog(
      patience, [this] { return operations.load(); },
      [&pool](std::ostream& out) {
        out << "seed " << filch::test::seed() << '\n';
        pool.dump(out);
      });
  unsigned round = 0;
  const auto stolen = [&] { return pool.metrics().total().steals_taken; };
  do {
    filch::test::team outside(outside_threads, [&](std::size_t n) {
      auto random = filch::test::seeded_rng(1 + round * outside_threads + n);
      for (unsigned i = 0; i < 100 && !enough.over(operations.load()); ++i) act(pool, random);
    });
    outside.join();
    ++round;
  } while (!HasFailure() &&
           (!enough.over(operations.load()) || (stolen() == 0 && round < most_rounds)));
  pool.wait_idle();
  const filch::worker_metrics all = pool.metrics().total();
  std::cout << operations.load() << " operations, " << all.jobs << " jobs, " << all.steals_taken
            << " stolen, " << all.injector_takes << " from outside, " << all.sleeps << " sleeps\n";
  EXPECT_GT(all.steals_taken, 0u) << "nothing was stolen, so this shows little";
}

namespace {

std::vector<setting> settings() {
  std::vector<setting> all;
  for (const std::size_t n : {1U, 2U, 3U, 4U, 8U, 16U, 64U})
    all.push_back({std::to_string(n) + "_workers", {.threads = n}, false});
  for (const std::size_t n : {1U, 2U, 8U})
    all.push_back({std::to_string(n) + "_workers_on_one_cpu", {.threads = n}, true});
  all.push_back({"latency", {.threads = 3, .idle = filch::idle::latency}, false});
  all.push_back({"power", {.threads = 3, .idle = filch::idle::power}, false});
  all.push_back({"steal_threshold_2", {.threads = 4, .steal_threshold = 2}, false});
  return all;
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(mix, pool_stress, testing::ValuesIn(settings()));
