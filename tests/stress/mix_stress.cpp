// Everything at once: several pools of 1 to 16 workers, made again every few seconds with other
// settings, and random trees of work that use all features of filch (mixture.hpp), from inside and
// from several outside threads. Each closure and each sum is accounted for.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <ostream>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "filch/detail/sched/pool_report.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/filch.hpp"
#include "stress/mixture.hpp"
#include "support/endurance.hpp"
#include "support/seed.hpp"
#include "support/team.hpp"
#include "support/tickets.hpp"
#include "support/watchdog.hpp"

using filch::test::mixture;
using filch::test::ticket;
using filch::test::ticket_book;

namespace {

using rng = filch::detail::rng;
using spot = mixture::spot;

constexpr auto patience = std::chrono::seconds(30);
constexpr std::chrono::seconds duration(10);
constexpr unsigned operations_per_thread = 300;  // in each round

/// The settings of pool number `n` of a round. The first is the default pool.
filch::pool_options drawn_settings(rng& random, unsigned round, std::size_t n) {
  constexpr std::array<std::size_t, 5> sizes{1, 2, 3, 8, 16};
  constexpr std::array<std::size_t, 4> limits{0, 0, 2, 40}, depths{32, 32, 1, 3};
  constexpr std::array<std::size_t, 4> thresholds{1, 1, 1, 2}, spares{256, 256, 1, 0};
  filch::pool_options o;
  o.threads = n == 0 ? sizes[round % sizes.size()] : 1 + random.bounded(4);
  o.name = "mix" + std::to_string(n);
  o.idle = static_cast<filch::idle>(random.bounded(3));
  o.steal_threshold = thresholds[random.bounded(4)];
  o.max_spares = spares[random.bounded(4)];
  o.max_help_depth = depths[random.bounded(4)];
  o.queue_limit = limits[random.bounded(4)];
  return o;
}

/// The pools of one round, and the work on them.
class round_of_work {
 public:
  round_of_work(unsigned number, std::atomic<std::uint64_t>& operations)
      : number_(number), random_(filch::test::seeded_rng(1000 * number)), operations_(operations) {
    const std::size_t count = 1 + random_.bounded(3);
    for (std::size_t n = 0; n < count; ++n) settings_.push_back(make_settings(n));
    filch::configure_default_pool(settings_[0]);
    all_.add(filch::default_pool());
    for (std::size_t n = 1; n < count; ++n) {
      others_.push_back(std::make_unique<filch::pool>(settings_[n]));
      all_.add(*others_.back());
    }
    for (std::size_t n = 0; n < count; ++n) cores_.push_back(all_.ground_number(n).pool.core());
  }

  void run(const filch::test::endurance& enough) {
    const filch::test::watchdog dog(
        patience, [this] { return operations_ + all_.book.issued; },
        [this](std::ostream& out) { describe(out); });
    filch::test::team outside(1 + random_.bounded(4), [&](std::size_t n) {
      rng random = filch::test::seeded_rng(1000 * number_ + 1 + n);
      for (unsigned i = 0; i < operations_per_thread && !enough.over(operations_); ++i) {
        act(random);
        ++operations_;
      }
    });
    outside.join();
    finish();
  }

  const mixture& all() const { return all_; }

 private:
  filch::pool_options make_settings(std::size_t n) {
    filch::pool_options o = drawn_settings(random_, number_, n);
    o.on_exception = [this](const std::exception_ptr&) { ++reported_; };
    return o;
  }

  spot some_spot(rng& random) {
    return {&all_.some_ground(random()), random() | 1u, 1 + random.bounded(5)};
  }
  spot on_default_pool(rng& random) {
    spot s = some_spot(random);
    s.at = &all_.ground_number(0);
    return s;
  }

  /// One action of an outside thread.
  void act(rng& random) {
    const spot s = some_spot(random);
    filch::pool& pool = s.at->pool;
    switch (random.bounded(10)) {
      case 0:
      case 1: {  // as a guest
        const spot here = on_default_pool(random);
        EXPECT_EQ(all_.grow(here), mixture::serial(here)) << "a guest's tree";
        break;
      }
      case 2:
        EXPECT_EQ(pool.install(all_.task(s)), mixture::serial(s)) << "an installed tree";
        break;
      case 3: {
        auto f = pool.submit(all_.task(s), {.priority = some_priority(random)});
        while (!f.wait_for(std::chrono::microseconds(random.bounded(50)))) {
        }
        EXPECT_EQ(f.get(), mixture::serial(s)) << "a submitted tree";
        break;
      }
      case 4:
        (void)pool.submit(all_.task(s));  // no thread waits for it
        break;
      case 5:
        detach_and_wait(s, random);
        break;
      case 6:
        broadcast(pool);
        break;
      case 7:
        all_.cancel_some(s);
        break;
      case 8:
        stop_submissions(pool, random);
        break;
      default:
        EXPECT_EQ(all_.awaited(s, ticket(all_.book)).get(), mixture::serial(s)) << "a coroutine's";
    }
  }

  static filch::priority some_priority(rng& random) {
    return static_cast<filch::priority>(random.bounded(3));
  }

  /// Detached tasks of one pool that detach more. After wait_idle() all have run and are gone.
  void detach_and_wait(const spot& s, rng& random) {
    filch::pool& pool = s.at->pool;
    ticket_book mine;
    const std::size_t outer = 1 + random.bounded(10), inner = random.bounded(10);
    const auto counted = [&mine](auto f) {
      return [f = std::move(f), t = ticket(mine)]() mutable {
        t.use();
        f();
      };
    };
    const auto one = [&, inner] {
      for (std::size_t n = 0; n < inner; ++n) filch::detach(counted([] {}));
    };
    using task = decltype(counted(one));
    std::vector<task> batch;
    for (std::size_t n = 0; n < outer; ++n) {
      if (n % 3 == 0)
        pool.detach(counted(one), {.priority = some_priority(random)});
      else if (n % 3 == 1)
        batch.push_back(counted(one));
      else if (task t = counted(one); !pool.try_detach(std::move(t)))
        pool.install(t);  // there was no room, and the task is untouched
    }
    pool.submit_batch(std::move(batch));
    pool.wait_idle();
    EXPECT_TRUE(mine.all_gone()) << "not idle after wait_idle()";
    EXPECT_EQ(mine.used, outer * (inner + 1));
    EXPECT_EQ(mine.dropped, 0u);
  }

  void broadcast(filch::pool& pool) {
    std::vector<std::atomic<int>> calls(pool.size());
    pool.broadcast([&](std::size_t n) { ++calls[n]; });
    while (!pool.wait_idle_for(std::chrono::milliseconds(1))) {
    }
    for (const std::atomic<int>& c : calls) EXPECT_EQ(c.load(), 1) << "a broadcast";
  }

  /// Submissions with a stop token, some of them by try_submit(): those that do not run say so.
  void stop_submissions(filch::pool& pool, rng& random) {
    std::stop_source source;
    std::atomic<std::size_t> ran = 0;
    std::vector<filch::future<void>> futures;
    const unsigned tasks = 1 + random.bounded(20), when = random.bounded(2 * tasks);
    for (unsigned i = 0; i < tasks; ++i) {
      const filch::options o{.stop = source.get_token(), .priority = some_priority(random)};
      auto work = [&ran, t = ticket(all_.book)]() mutable {
        t.use();
        ++ran;
      };
      if (i % 2 == 0)
        futures.push_back(pool.submit(std::move(work), o));
      else if (auto f = pool.try_submit(std::move(work), o))
        futures.push_back(std::move(*f));
      if (i == when) source.request_stop();
    }
    std::size_t kept = 0;
    for (auto& f : futures) {
      try {
        f.get();
        ++kept;
      } catch (const filch::cancelled&) {
      }
    }
    EXPECT_EQ(kept, ran);
    if (when >= tasks) {
      EXPECT_EQ(kept, futures.size()) << "no thread asked to stop";
    }
  }

  /// Nothing may be left. A single pool is destroyed as it is. Several pools may still give work to
  /// each other, so their work is waited for first.
  void finish() {
    if (!others_.empty()) do
        for (std::size_t n = 0; n < all_.size(); ++n) all_.ground_number(n).pool.wait_idle();
      while (!all_.book.all_gone());
    others_.clear();
    filch::shutdown_default_pool();
    filch::configure_default_pool({});
    EXPECT_TRUE(all_.book.all_gone()) << "the pools have ended, but closures are left";
    EXPECT_EQ(all_.loose, all_.loose_expected) << "what no thread waited for";
    EXPECT_EQ(reported_, all_.thrown) << "what detached tasks threw";
    EXPECT_EQ(all_.counted_visits(), all_.visits) << "by thread, and together";
  }

  void describe(std::ostream& out) const {
    out << "seed " << filch::test::seed() << ", round " << number_ << ", tickets "
        << all_.book.issued << " issued, " << all_.book.used << " used, " << all_.book.dropped
        << " dropped\n";
    for (std::size_t n = 0; n < cores_.size(); ++n) {
      const filch::pool_options& o = cores_[n]->settings();
      out << "threads " << o.threads << ", steal_threshold " << o.steal_threshold << ", max_spares "
          << o.max_spares << ", max_help_depth " << o.max_help_depth << ", queue_limit "
          << o.queue_limit << '\n';
      filch::detail::dump(*cores_[n], out);
    }
  }

  unsigned number_;
  rng random_;
  std::atomic<std::uint64_t>& operations_;
  std::atomic<std::uint64_t> reported_ = 0;
  mixture all_;  // outlives the pools
  std::vector<filch::pool_options> settings_;
  std::vector<std::unique_ptr<filch::pool>> others_;
  std::vector<std::shared_ptr<filch::detail::registry>> cores_;
};

}  // namespace

TEST(mix_stress, every_task_and_every_sum_is_accounted_for) {
  RecordProperty("seed", std::to_string(filch::test::seed()));
  const filch::test::endurance enough(duration);
  std::atomic<std::uint64_t> operations = 0, tickets = 0, skipped = 0, blocked = 0;
  unsigned round = 0;
  for (; !HasFailure() && !enough.over(operations); ++round) {
    round_of_work work(round, operations);
    work.run(enough);
    tickets += work.all().book.issued;
    skipped += work.all().skipped;
    blocked += work.all().blocked;
    if (HasFailure()) std::cout << "in round " << round << '\n';
  }
  std::cout << round << " rounds, " << operations << " operations, " << tickets << " closures, "
            << skipped << " skipped, " << blocked << " blocked\n";
  EXPECT_GT(skipped, 0u) << "nothing was cancelled, so this shows little";
  EXPECT_GT(blocked, 0u) << "nothing blocked, so this shows little";
}
