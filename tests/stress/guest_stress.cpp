// Outside threads that come and go, hold locks, wait and block, while the number of seats changes.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <ostream>
#include <string>
#include <thread>

#include "filch/filch.hpp"
#include "support/endurance.hpp"
#include "support/seed.hpp"
#include "support/team.hpp"
#include "support/watchdog.hpp"

namespace {

constexpr auto patience = std::chrono::seconds(30);

long long tree(int depth) {
  if (depth == 0) return 1;
  const auto [a, b] = filch::join([=] { return tree(depth - 1); }, [=] { return tree(depth - 1); });
  return a + b;
}

/// Marks bodies of one outside thread, and counts those that run on another outside thread.
class owned_call {
 public:
  void body() {
    if (!filch::this_worker::index() && std::this_thread::get_id() != owner_) ++elsewhere_;
    ++ran_;
  }
  void expect(int bodies) const {
    EXPECT_EQ(ran_, bodies);
    EXPECT_EQ(elsewhere_, 0) << "ran on another outside thread";
  }

 private:
  const std::thread::id owner_ = std::this_thread::get_id();
  std::atomic<int> ran_ = 0, elsewhere_ = 0;
};

class guest_stress : public testing::TestWithParam<std::size_t> {
 protected:
  guest_stress() {
    RecordProperty("seed", std::to_string(filch::test::seed()));
    filch::configure_default_pool({.threads = GetParam(), .max_guests = 6});
  }
  ~guest_stress() override {
    filch::shutdown_default_pool();
    filch::configure_default_pool({});
  }

  /// One call of an outside thread, of a random kind.
  void call_once(filch::detail::rng& random) {
    owned_call mine;
    const auto count = static_cast<int>(1 + random.bounded(64));
    const auto body = [&](int) { mine.body(); };
    switch (random.bounded(10)) {
      case 0:
        EXPECT_EQ(tree(8), 256);
        return;
      case 1:
        filch::parallel_for(0, count, body, {.grain = 1});
        break;
      case 2: {
        const std::scoped_lock held(lock_);  // every task below wants it, too
        filch::parallel_for(0, count, body, {.grain = 1, .isolate = true});
        break;
      }
      case 3: {
        filch::scope s;
        for (int i = 0; i < count; ++i) s.spawn([&] { mine.body(); });
        s.wait();
        break;
      }
      case 4: {
        const filch::participation here(filch::default_pool());
        filch::parallel_for(0, count, body, {.grain = 1});
        break;
      }
      case 5:
        filch::parallel_for(0, count,
                            [&](int i) {
                              mine.body();
                              if (i == 0) filch::blocking([] { std::this_thread::yield(); });
                              if (i == 1)
                                wrong_ += filch::submit([] { return 7; }).get() == 7 ? 0 : 1;
                            },
                            {.grain = 1});
        break;
      case 6:
        filch::parallel_for(0, count, body, {.grain = 1, .max_workers = 1 + random.bounded(3)});
        break;
      case 7:
        for (int i = 0; i < count; ++i)
          filch::detach([&] {
            const std::scoped_lock held(lock_);
            ++with_lock_;
          });
        locked_ += count;
        return;
      case 8: {  // a lock of this call
        std::mutex lock;
        filch::parallel_for(0, count,
                            [&](int) {
                              const std::scoped_lock held(lock);
                              filch::blocking([] { std::this_thread::yield(); });
                              mine.body();
                            },
                            {.grain = 1});
        break;
      }
      default:
        filch::default_pool().limit(random.bounded(static_cast<std::uint32_t>(GetParam()) + 1));
        return;
    }
    mine.expect(count);
  }

  std::atomic<std::uint64_t> steps = 0;
  std::mutex lock_;
  std::atomic<long long> with_lock_ = 0, locked_ = 0, wrong_ = 0;
};

}  // namespace

TEST_P(guest_stress, outside_threads_come_and_go) {
  const filch::test::endurance enough(std::chrono::seconds(3));
  const filch::test::watchdog dog(
      patience, [this] { return steps.load(); },
      [](std::ostream& out) {
        out << "seed " << filch::test::seed() << '\n';
        filch::default_pool().dump(out);
      });
  filch::test::team outside(8, [&](std::size_t n) {
    auto random = filch::test::seeded_rng(n);
    for (; !enough.over(0) && !HasFailure(); ++steps) call_once(random);
  });
  outside.join();
  filch::default_pool().limit(0);
  filch::default_pool().wait_idle();
  EXPECT_EQ(with_lock_, locked_);
  EXPECT_EQ(wrong_, 0);
}

INSTANTIATE_TEST_SUITE_P(workers, guest_stress, testing::Values(1, 2, 4),
                         testing::PrintToStringParamName());
