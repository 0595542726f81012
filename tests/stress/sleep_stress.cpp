// Workers sleep and wake more than a million times in all. No wake-up is lost, for any kind of
// sleeper.
//
// The workers look for work once and then sleep (idle::power). A lost wake-up is a hang, which the
// watchdog reports. CMakeLists.txt runs all of it a second time without membarrier.
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
#include <thread>
#include <vector>

#include "filch/filch.hpp"
#include "stress/one_cpu.hpp"
#include "support/endurance.hpp"
#include "support/seed.hpp"
#include "support/watchdog.hpp"

using filch::pool;
using filch::test::endurance;

namespace {

constexpr auto patience = std::chrono::seconds(30);

enum class cpus { all, one };

void PrintTo(cpus c, std::ostream* out) { *out << (c == cpus::all ? "all_cpus" : "one_cpu"); }

/// A number of repetitions. The second run (without membarrier) has a quarter of it, a single CPU a
/// tenth.
std::uint64_t share_of(std::uint64_t count, cpus where) {
  if (std::getenv("FILCH_NO_MEMBARRIER") != nullptr) count /= 4;
  return where == cpus::one ? count / 10 : count;
}

class sleep_stress : public testing::TestWithParam<cpus> {
 protected:
  sleep_stress() {
    RecordProperty("seed", std::to_string(filch::test::seed()));
    if (GetParam() == cpus::one) confined.emplace();
    a.emplace(settings("a"));
    b.emplace(settings("b"));
    dog.emplace(
        patience, [this] { return steps.load() + sleeps(); },
        [this](std::ostream& out) {
          out << "seed " << filch::test::seed() << '\n';
          a->dump(out);
          b->dump(out);
        });
  }
  static filch::pool_options settings(const char* name) {
    return {.threads = 2, .name = name, .idle = filch::idle::power};
  }

  std::uint64_t sleeps() const { return a->metrics().total().sleeps + b->metrics().total().sleeps; }

  /// Repeats `body` `times` times, or as long as the settings say.
  template <class Body>
  void repeat(std::uint64_t times, Body body) {
    const endurance enough(share_of(times, GetParam()));
    while (!enough.over(steps) && !HasFailure()) {
      body();
      ++steps;
    }
    std::cout << steps << " times, " << sleeps() << " sleeps\n";
  }

  std::optional<filch::test::one_cpu> confined;
  std::optional<pool> a, b;
  std::atomic<std::uint64_t> steps = 0;
  std::optional<filch::test::watchdog> dog;  // last: it looks at the others
};

}  // namespace

// Each hit is a task that sends the ball back: one worker falls asleep while another is woken.
TEST_P(sleep_stress, balls_between_two_pools) {
  constexpr unsigned balls = 1;  // with two, workers on idle cores hardly ever run dry
  const endurance enough(share_of(400'000, GetParam()));
  std::atomic<bool> over = false;
  std::atomic<unsigned> in_play = balls;
  const std::function<void(pool&, pool&)> hit = [&](pool& here, pool& there) {
    ++steps;
    if (over)
      --in_play;
    else
      there.detach([&] { hit(there, here); });
  };
  for (unsigned n = 0; n < balls; ++n) a->detach([&] { hit(*a, *b); });
  while (!enough.over(sleeps())) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  over = true;
  while (in_play > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  a->wait_idle();
  b->wait_idle();
  std::cout << steps << " hits, " << sleeps() << " sleeps\n";
}

// A worker waits for a future of the other pool, and the caller waits for both: each sleeps.
TEST_P(sleep_stress, waiting_for_futures) {
  repeat(60'000, [this] {
    auto f = a->submit([this] { return 1 + b->submit([] { return 1; }).get(); });
    EXPECT_EQ(f.get(), 2);
  });
}

// The first branch goes on only when another thread runs the second. So a push to the own deque
// must wake a thief.
TEST_P(sleep_stress, own_jobs_wake_thieves) {
  repeat(60'000, [this] {
    a->install([] {
      std::atomic<bool> stolen = false;
      (void)filch::join(
          [&] {
            while (!stolen) std::this_thread::yield();
          },
          [&] { stolen = true; });
    });
  });
}

// A worker that waits for a latch is woken for a job, and finds that the latch is set as well.
// Another worker has to run the job, so that worker has to be woken too.
TEST_P(sleep_stress, a_wake_up_that_comes_with_the_latch_is_passed_on) {
  auto random = filch::test::seeded_rng(1);
  repeat(60'000, [&] {
    std::atomic<bool> ran = false;
    auto waiting = a->submit([&] {
      b->submit([] {}).get();
      while (!ran) std::this_thread::yield();  // as if it called something that needs the job
    });
    for (unsigned spins = random.bounded(4000); spins > 0; --spins)
      std::atomic_signal_fence(std::memory_order_seq_cst);
    a->detach([&] { ran = true; });
    waiting.get();
  });
}

TEST_P(sleep_stress, broadcasts_wake_all_workers) {
  repeat(30'000, [this] {
    std::atomic<unsigned> ran = 0;
    a->broadcast([&] { ++ran; });
    a->wait_idle();
    EXPECT_EQ(ran.load(), 2u);
  });
}

TEST_P(sleep_stress, batches_wake_as_many_as_can_help) {
  std::vector<std::function<void()>> both(2);
  repeat(40'000, [&] {
    std::atomic<unsigned> there = 0;  // each task waits for the other
    both[0] = both[1] = [&] {
      ++there;
      while (there < 2) std::this_thread::yield();
    };
    a->submit_batch(both);
    a->wait_idle();
  });
}

INSTANTIATE_TEST_SUITE_P(on, sleep_stress, testing::Values(cpus::all, cpus::one));
