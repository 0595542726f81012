// Scopes and submissions that any thread cancels at any moment, with every priority and a short
// queue: each task runs or is skipped, its future says which, and all of them are counted.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <memory>
#include <ostream>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "filch/filch.hpp"
#include "support/endurance.hpp"
#include "support/seed.hpp"
#include "support/team.hpp"
#include "support/tracked.hpp"
#include "support/watchdog.hpp"

using filch::test::tracked;

namespace {

constexpr auto patience = std::chrono::seconds(30);
constexpr std::uint64_t operations_per_test = 3'000;
constexpr std::size_t outside_threads = 3;

struct setting {
  std::string name;
  filch::pool_options pool;
  friend void PrintTo(const setting& s, std::ostream* out) { *out << s.name; }
};

class cancel_stress : public testing::TestWithParam<setting> {
 protected:
  using rng = filch::detail::rng;

  static filch::priority some_priority(rng& random) {
    return static_cast<filch::priority>(random.bounded(3));
  }
  /// The outcome of a future: 1 if its task ran.
  std::size_t outcome(filch::future<int> f) {
    try {
      EXPECT_EQ(f.get(), 7);
      return 1;
    } catch (const filch::cancelled& e) {
      EXPECT_NE(std::string(e.what()).find("skipped"), std::string::npos);
      ++skipped;
      return 0;
    }
  }

  /// A scope whose tasks spawn more. A task, another thread or a stop request cancels it meanwhile,
  /// or nothing does.
  void cancel_a_scope(filch::pool& pool, rng& random) {
    std::stop_source source;
    std::atomic<std::size_t> started = 0, ran = 0;
    std::vector<filch::future<int>> futures;
    const unsigned how = random.bounded(6);
    const unsigned tasks = 1 + random.bounded(60), when = random.bounded(tasks);
    {
      filch::scope s({.stop = source.get_token(), .priority = some_priority(random), .on = &pool});
      if (how == 0)
        s.cancel_at(std::chrono::steady_clock::now() +
                    std::chrono::microseconds(random.bounded(200)));
      std::thread other;
      if (how == 1) other = std::thread([&] { s.cancel(); });
      if (how == 2) other = std::thread([&] { source.request_stop(); });
      for (unsigned i = 0; i < tasks; ++i) {
        s.spawn([&, i, how, when, t = tracked(1)] {
          ++started;
          if (how == 3 && i == when) s.cancel();
          if (how == 4 && s.stop_token().stop_requested()) return;
          s.spawn([&, u = tracked(2)] { ran += u.number() == 2 ? 1 : 0; });
        });
        futures.push_back(s.async([&ran, t = tracked(3)] {
          ++ran;
          return t.number() + 4;
        }));
        if (how == 4 && i == when) s.cancel();
      }
      s.wait();
      if (other.joinable()) other.join();
    }
    std::size_t kept = 0;
    for (auto& f : futures) kept += outcome(std::move(f));
    EXPECT_LE(kept, ran.load());
    EXPECT_LE(ran.load(), kept + started.load()) << "a task ran whose parent did not";
    if (how == 5) {
      EXPECT_EQ(ran.load(), 2 * tasks) << "no thread cancelled, but something is missing";
    }
  }

  /// Submissions with a stop token, some of them by try_submit().
  void stop_submissions(filch::pool& pool, rng& random) {
    std::stop_source source;
    std::atomic<std::size_t> ran = 0;
    std::vector<filch::future<int>> futures;
    const unsigned tasks = 1 + random.bounded(40), when = random.bounded(2 * tasks);
    for (unsigned i = 0; i < tasks; ++i) {
      const filch::options o{.stop = source.get_token(), .priority = some_priority(random)};
      const auto work = [&ran, t = std::make_shared<tracked>(3)] {
        ++ran;
        return t->number() + 4;
      };
      if (random.bounded(3) == 0) {
        if (auto f = pool.try_submit(work, o)) futures.push_back(std::move(*f));
      } else {
        futures.push_back(pool.submit(work, o));
      }
      if (i == when) source.request_stop();
    }
    std::size_t kept = 0;
    for (auto& f : futures) kept += outcome(std::move(f));
    EXPECT_EQ(kept, ran.load());
    if (when >= tasks) {
      EXPECT_EQ(kept, futures.size());
    }
  }

  std::atomic<std::uint64_t> operations = 0, skipped = 0;
};

}  // namespace

TEST_P(cancel_stress, every_task_runs_or_its_future_says_why_not) {
  RecordProperty("seed", std::to_string(filch::test::seed()));
  {
    filch::pool pool(GetParam().pool);
    const filch::test::endurance enough(operations_per_test);
    const filch::test::watchdog dog(
        patience, [this] { return operations.load(); },
        [&pool](std::ostream& out) {
          out << "seed " << filch::test::seed() << '\n';
          pool.dump(out);
        });
    filch::test::team outside(outside_threads, [&](std::size_t n) {
      auto random = filch::test::seeded_rng(1 + n);
      while (!HasFailure() && !enough.over(operations.load())) {
        switch (random.bounded(3)) {
          case 0:
            cancel_a_scope(pool, random);
            break;
          case 1:
            stop_submissions(pool, random);
            break;
          default:  // as one of the pool's own tasks
            pool.install([&] { cancel_a_scope(pool, random); });
        }
        ++operations;
      }
    });
    outside.join();
    pool.wait_idle();
    EXPECT_EQ(tracked::live(), 0) << "a closure is left";
  }
  std::cout << operations.load() << " operations, " << skipped.load() << " skipped\n";
  EXPECT_GT(skipped.load(), 0u) << "nothing was skipped, so this shows little";
}

namespace {

std::vector<setting> settings() {
  std::vector<setting> all;
  for (const std::size_t n : {1U, 2U, 8U})
    all.push_back({std::to_string(n) + "_workers", {.threads = n}});
  all.push_back({"short_queue", {.threads = 2, .idle = filch::idle::power, .queue_limit = 3}});
  return all;
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(mix, cancel_stress, testing::ValuesIn(settings()));
