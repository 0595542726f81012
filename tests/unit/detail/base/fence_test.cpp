#include "filch/detail/base/fence.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/base/cpu_relax.hpp"
#include "support/sanitizers.hpp"

using filch::detail::asymmetric_fences_available;
using filch::detail::current_fence_mode;
using filch::detail::fence_mode;
using filch::detail::force_full_fences;
using filch::detail::full_fence;
using filch::detail::heavy_fence;
using filch::detail::light_fence;

namespace {

constexpr int many_rounds = filch::test::size_for_build(100'000, 20'000);

/// One side of a store buffering test.
struct side {
  filch::detail::padded<std::atomic<int>> arrived{0};
  filch::detail::padded<std::atomic<int>> written{0};
  std::vector<int> seen;  // by round

  /// Both sides arrive. Each writes the round's number, fences, and reads what the other wrote.
  template <class Fence>
  void play(side& other, int first, int last, Fence fence) {
    for (int round = first; round < last; ++round) {
      arrived->store(round, std::memory_order_release);
      for (int spins = 0; other.arrived->load(std::memory_order_acquire) < round; ++spins) {
        spins < 200 ? filch::detail::cpu_relax() : filch::detail::yield();
      }
      written->store(round, std::memory_order_relaxed);
      fence();
      seen.push_back(other.written->load(std::memory_order_relaxed));
    }
  }
};

/// Runs rounds, and returns in how many of them both sides missed the other's write. On a busy
/// machine, where the two seldom run at once, it runs for about a second and settles for fewer
/// rounds.
template <class LeftFence, class RightFence>
int rounds_that_both_missed(int rounds, LeftFence left_fence, RightFence right_fence) {
  constexpr int block = 2000;
  const auto enough = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  side left, right;
  for (int first = 1; first <= rounds && std::chrono::steady_clock::now() < enough;
       first += block) {
    std::thread partner([&] { right.play(left, first, first + block, right_fence); });
    left.play(right, first, first + block, left_fence);
    partner.join();
  }
  int both_missed = 0;
  for (std::size_t i = 0; i < left.seen.size(); ++i) {
    const int round = static_cast<int>(i) + 1;
    if (left.seen[i] < round && right.seen[i] < round) ++both_missed;
  }
  return both_missed;
}

/// Full fences in place of the pair, during a test.
struct without_membarrier {
  without_membarrier() { force_full_fences(true); }
  ~without_membarrier() { force_full_fences(false); }
};

}  // namespace

TEST(full_fence, lets_no_two_threads_miss_each_others_store) {
  EXPECT_EQ(rounds_that_both_missed(100'000, full_fence, full_fence), 0);
}

TEST(asymmetric_fences, light_and_heavy_miss_no_store_together) {
  EXPECT_EQ(rounds_that_both_missed(many_rounds / 2, light_fence, heavy_fence), 0);
}

TEST(asymmetric_fences, heavy_pairs_with_a_full_fence_and_with_itself) {
  EXPECT_EQ(rounds_that_both_missed(many_rounds / 10, full_fence, heavy_fence), 0);
  EXPECT_EQ(rounds_that_both_missed(many_rounds / 10, heavy_fence, heavy_fence), 0);
}

TEST(asymmetric_fences, work_without_membarrier) {
  const without_membarrier forced;
  EXPECT_FALSE(asymmetric_fences_available());
  EXPECT_EQ(rounds_that_both_missed(many_rounds, light_fence, heavy_fence), 0);
}

// Without membarrier a light fence is a full one, so two of them pair. Otherwise they do not.
TEST(asymmetric_fences, light_is_a_full_fence_without_membarrier) {
  const without_membarrier forced;
  EXPECT_EQ(rounds_that_both_missed(many_rounds, light_fence, light_fence), 0);
}

TEST(asymmetric_fences, forcing_full_fences_can_be_undone) {
  const bool before = asymmetric_fences_available();
  force_full_fences(true);
  force_full_fences(false);
  EXPECT_EQ(asymmetric_fences_available(), before);
}

TEST(asymmetric_fences, heavy_leaves_errno_alone) {
  errno = 4711;
  heavy_fence();
  EXPECT_EQ(errno, 4711);
}

TEST(asymmetric_fences, a_thread_sanitizer_build_uses_full_fences) {
  EXPECT_FALSE(FILCH_TSAN == 1 && asymmetric_fences_available());
}

#if defined(__linux__)

TEST(asymmetric_fences, still_work_in_a_child_of_fork) {
  const bool before = asymmetric_fences_available();
  const pid_t child = fork();
  ASSERT_NE(child, -1);
  if (child == 0) {
    heavy_fence();
    _exit(asymmetric_fences_available() == before ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "wait status " << status;
}

// The decision is made once per process, so each of these tests needs its own process: a death test
// that starts the program anew. Its exit code is the decision.
class fence_environment : public testing::Test {
 protected:
  fence_environment() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

  /// In the new process: decides with that value in the environment, and exits.
  [[noreturn]] static void decide_with(const char* value) {
    if (current_fence_mode->load() != fence_mode::undecided) std::_Exit(100);
    light_fence();  // before the decision too
    value != nullptr ? setenv("FILCH_NO_MEMBARRIER", value, 1) : unsetenv("FILCH_NO_MEMBARRIER");
    heavy_fence();  // decides
    heavy_fence();  // and says nothing again
    light_fence();
    std::_Exit(static_cast<int>(current_fence_mode->load()));
  }

  static bool decided_for_full_fences(int status) {
    return testing::ExitedWithCode(static_cast<int>(fence_mode::full))(status);
  }

  /// The decision of this process, without interference.
  static bool decided_as_here(int status) {
    const auto here = asymmetric_fences_available() ? fence_mode::asymmetric : fence_mode::full;
    return testing::ExitedWithCode(static_cast<int>(here))(status);
  }
};

TEST_F(fence_environment, unset_empty_or_0_leaves_the_choice_to_the_machine) {
  const char* const here = std::getenv("FILCH_NO_MEMBARRIER");
  if (here != nullptr && *here != '\0') GTEST_SKIP() << "FILCH_NO_MEMBARRIER is set";
  EXPECT_EXIT(decide_with(nullptr), decided_as_here, "^$");
  EXPECT_EXIT(decide_with(""), decided_as_here, "^$");
  EXPECT_EXIT(decide_with("0"), decided_as_here, "^$");
}

TEST_F(fence_environment, a_1_chooses_full_fences_silently) {
  EXPECT_EXIT(decide_with("1"), decided_for_full_fences, "^$");
}

TEST_F(fence_environment, nonsense_chooses_full_fences_and_says_so_once) {
  EXPECT_EXIT(decide_with("yes"), decided_for_full_fences,
              "^filch: FILCH_NO_MEMBARRIER is \"yes\", but should be 0 or 1[^\n]*\n$");
}

// Sandboxes forbid system calls, and old kernels lack them. Both look like this.
class fence_sandbox : public fence_environment {
 protected:
  static constexpr int cannot_try = 77;

  /// Makes membarrier fail in this process.
  static void forbid_membarrier() {
    sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    sock_fprog program{std::size(rules), rules};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
      std::_Exit(cannot_try);
  }

  static bool full_fences_or_cannot_try(int status) {
    return decided_for_full_fences(status) || testing::ExitedWithCode(cannot_try)(status);
  }

  static bool aborted_or_cannot_try(int status) {
    return testing::KilledBySignal(SIGABRT)(status) || testing::ExitedWithCode(cannot_try)(status);
  }
};

TEST_F(fence_sandbox, without_the_system_call_both_sides_are_full_fences) {
  EXPECT_EXIT((forbid_membarrier(), decide_with(nullptr)), full_fences_or_cannot_try, "^$");
}

// Light fences are compiler barriers by then. Going on would be a race, and silence would hide it.
TEST_F(fence_sandbox, losing_the_system_call_later_aborts_with_advice) {
  const auto lose_it = [] {
    if (!asymmetric_fences_available()) std::_Exit(cannot_try);
    forbid_membarrier();
    heavy_fence();
  };
  EXPECT_EXIT(lose_it(), aborted_or_cannot_try,
              "^$|^filch: the membarrier system call .* FILCH_NO_MEMBARRIER=1 ");
}

#endif
