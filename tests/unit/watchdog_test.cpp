// FILCH_WATCHDOG, each test in its own process: this program starts itself again, with one of the
// tests called `watched_program`. These end only when the watchdog has printed what they wait for.
// (They have no hang guard: a child that exits would wait for its thread.)
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

#include "filch/filch.hpp"
#include "support/child.hpp"
#include "support/eventually.hpp"
#include "support/own_program.hpp"
#include "support/sanitizers.hpp"

using filch::pool;
using filch::test::ended;
using filch::test::until;

namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; ++at) ++n;
  return n;
}

bool contains(const std::string& text, const std::string& part) { return count(text, part) != 0; }

/// What this process prints to stderr while this lives.
class own_messages {
 public:
  own_messages() : before_(::dup(STDERR_FILENO)) {
    EXPECT_EQ(::pipe(ends_.data()), 0);
    ::dup2(ends_[1], STDERR_FILENO);
  }
  own_messages(const own_messages&) = delete;
  own_messages& operator=(const own_messages&) = delete;
  ~own_messages() {
    ::dup2(before_, STDERR_FILENO);
    std::fputs(said_.c_str(), stderr);  // for the test that started this program
    for (const int file : {before_, ends_[0], ends_[1]}) ::close(file);
  }

  /// Waits until `part` has been printed `times` times. Returns all that was printed so far.
  const std::string& wait_for(const std::string& part, std::size_t times = 1) {
    while (count(said_, part) < times) {
      std::array<char, 1024> more;
      const ssize_t length = ::read(ends_[0], more.data(), more.size());
      if (length > 0) said_.append(more.data(), static_cast<std::size_t>(length));
    }
    return said_;
  }

 private:
  int before_;
  std::array<int, 2> ends_{};
  std::string said_;
};

/// A pool whose worker can be made to wait until it is released.
class bank {
 public:
  explicit bank(const std::string& name) : pool_({.threads = 2, .name = name}) {}
  ~bank() { release(); }

  void get_stuck() {
    released_ = false;
    pool_.detach([this] {
      const filch::trace_span outer("day");
      const filch::trace_span span("transfer");
      std::unique_lock lock(mutex_);
      is_released_.wait(lock, [this] { return released_; });
    });
  }
  void release() {
    {
      const std::scoped_lock lock(mutex_);
      released_ = true;
    }
    is_released_.notify_all();
    pool_.wait_idle();
  }

 private:
  // Not std::atomic::wait(): libstdc++ wakes threads that wait for other atomics, too, and a thread
  // that wakes up uses processor time, which is progress.
  std::mutex mutex_;
  std::condition_variable is_released_;
  bool released_ = true;
  pool pool_;
};

/// A pool whose worker computes as long as this lives, with naps in between.
class busy {
 public:
  explicit busy(pool& p, std::chrono::milliseconds nap = {}) {
    p.detach([this, nap] {
      while (!leave_)
        if (nap.count() != 0) std::this_thread::sleep_for(nap);
      left_ = true;
    });
  }
  ~busy() {
    leave_ = true;
    until([this] { return left_.load(); });
  }

 private:
  std::atomic<bool> leave_{false}, left_{false};
};

ended run(const std::string& value, const std::string& name) {
  return filch::test::run_own("FILCH_WATCHDOG=" + value, "watched_program", name);
}

void ends_well(const std::string& name) {
  const ended e = run("100ms", name);
  EXPECT_EQ(e.code, 0) << e.said;
}

}  // namespace

TEST(watched_program, DISABLED_works) {
  pool p(2);
  for (int i = 0; i < 10; ++i) p.install([] {});
}

TEST(watched_program, DISABLED_gets_stuck_twice) {
  own_messages messages;
  pool idle({.threads = 1, .name = "idle"}), working({.threads = 1, .name = "working"});
  idle.install([] {});
  const busy computes(working);
  pool napping({.threads = 1, .name = "napping"});
  const busy polls(napping, std::chrono::milliseconds(10));
  bank first("first"), later("later");
  first.get_stuck();
  std::string said = messages.wait_for("in span 'transfer'");
  EXPECT_PRED2(contains, said, "filch: watchdog: pool 'first' has unfinished work");
  EXPECT_PRED2(contains, said, ": waiting, ");
  EXPECT_PRED2(contains, said, "its job waits in user code");
  EXPECT_PRED2(contains, said, "for a lock, a condition variable or another thread");
  later.get_stuck();  // when the watchdog tells of this, it has had time to repeat itself
  said = messages.wait_for("watchdog: pool 'later'");
  EXPECT_EQ(count(said, "watchdog: pool 'first'"), 1u);
  first.release();
  first.get_stuck();
  said = messages.wait_for("watchdog: pool 'first'", 2);
  EXPECT_EQ(count(said, "watchdog: pool 'later'"), 1u);
  EXPECT_EQ(count(said, "watchdog: pool 'idle'"), 0u);
  EXPECT_EQ(count(said, "watchdog: pool 'working'"), 0u);
  EXPECT_EQ(count(said, "watchdog: pool 'napping'"), 0u);
}

TEST(watched_program, DISABLED_has_a_pool_that_waits_for_one_that_computes) {
  own_messages messages;
  std::atomic<bool> leave = false;
  pool waits({.threads = 1, .name = "waits"}), working({.threads = 1, .name = "working"});
  waits.detach([&] {
    working.install([&] {
      while (!leave) {
      }
    });
  });
  bank other("other");
  other.get_stuck();
  EXPECT_EQ(count(messages.wait_for("watchdog: pool 'other'"), "watchdog: pool 'waits'"), 0u);
  leave = true;
}

TEST(watched_program, DISABLED_has_a_pool_that_waits_for_one_that_is_stuck) {
  own_messages messages;
  std::mutex mutex;
  pool waits({.threads = 1, .name = "waits"}), stuck({.threads = 1, .name = "stuck"});
  std::unique_lock held(mutex);
  waits.detach([&] { stuck.install([&] { const std::scoped_lock lock(mutex); }); });
  messages.wait_for("watchdog: pool 'stuck'");
  messages.wait_for("watchdog: pool 'waits'");
  messages.wait_for("its job waits for tasks, and there is none that it can run");
}

TEST(watched_program, DISABLED_has_a_guest_that_is_stuck) {
  own_messages messages;
  pool p({.threads = 1, .name = "visited"});
  std::mutex mutex;
  std::unique_lock held(mutex);
  std::atomic<bool> busy = false;
  p.detach([&] {
    busy = true;
    const std::scoped_lock lock(mutex);
  });
  until([&] { return busy.load(); });
  std::thread outside([&] {
    filch::scope s({.on = &p});
    s.spawn([&] { const std::scoped_lock lock(mutex); });  // the guest runs it: the worker is busy
    s.wait();
  });
  messages.wait_for("watchdog: pool 'visited'");
  messages.wait_for("guest 1: waiting, ");
  held.unlock();
  outside.join();
}

TEST(watched_program, DISABLED_has_a_child_that_gets_stuck) {
  pool p(1);
  p.install([] {});
  EXPECT_EQ(filch::test::in_child([] {
              own_messages messages;
              bank own("own");
              own.get_stuck();
              messages.wait_for("watchdog: pool 'own'");
            }),
            "");
  EXPECT_EQ(filch::test::in_child([] { std::exit(0); }), "") << "it has no watchdog to end";
}

TEST(watched_program, DISABLED_exits_while_a_worker_waits) {
  static auto* const never_ends = new bank("never ends");
  {
    own_messages messages;
    never_ends->get_stuck();
    messages.wait_for("watchdog: pool 'never ends'");
  }
  std::exit(0);
}

TEST(watchdog, reports_each_stall_once_and_names_what_the_worker_waits_for) {
  ends_well("gets_stuck_twice");
}

TEST(watchdog, does_not_report_a_pool_that_waits_for_one_that_computes) {
  ends_well("has_a_pool_that_waits_for_one_that_computes");
}

TEST(watchdog, reports_pools_that_wait_for_each_other) {
  ends_well("has_a_pool_that_waits_for_one_that_is_stuck");
}

TEST(watchdog, reports_a_guest_that_is_stuck) { ends_well("has_a_guest_that_is_stuck"); }

TEST(watchdog, a_child_of_fork_has_its_own) {
  if (FILCH_TSAN || FILCH_ASAN) GTEST_SKIP() << "sanitizers do not like children";
  ends_well("has_a_child_that_gets_stuck");
}

TEST(watchdog, does_not_keep_a_program_from_its_exit) { ends_well("exits_while_a_worker_waits"); }

TEST(watchdog, a_value_that_is_no_time_is_a_message_and_the_program_runs_without) {
  for (const char* bad : {"10", "soon", "1ms", "-5s"}) {
    const ended e = run(bad, "works");
    EXPECT_EQ(e.code, 0);
    EXPECT_PRED2(contains, e.said, "filch: FILCH_WATCHDOG=" + std::string(bad) + ": it must be ");
    EXPECT_PRED2(contains, e.said, "The program runs without a watchdog.");
  }
}

TEST(watchdog, says_nothing_of_a_program_that_works_or_if_it_is_off) {
  for (const char* value : {"10s", "0", ""}) {
    const ended e = run(value, "works");
    EXPECT_EQ(e.code, 0);
    EXPECT_EQ(e.said, "") << value;
  }
}
