// Random programs (program.hpp) on random pools, one after the other until the time is over. Each
// answer is compared with that of a sequential evaluation, and every node, closure, exception and
// thread is counted. If a program makes no progress for a while, it is printed with its pools, and
// the process ends.
//
//   stress_random_programs                    random programs for 12 seconds
//   stress_random_programs --seconds 300      for longer
//   stress_random_programs --seed 17          program 17: prints it, and runs it once
//   stress_random_programs --seed 17 --times 1000 --depth 3
//                                             the same with its trees cut below depth 3, many times
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <ostream>
#include <string_view>
#include <vector>

#include "filch/filch.hpp"
#include "stress/random_programs/generator.hpp"
#include "stress/random_programs/last_words.hpp"
#include "stress/random_programs/parallel.hpp"
#include "stress/random_programs/program.hpp"
#include "stress/random_programs/sequential.hpp"
#include "support/endurance.hpp"
#include "support/seed.hpp"
#include "support/team.hpp"
#include "support/watchdog.hpp"

namespace {

using filch::test::parallel;
using filch::test::program;

constexpr std::chrono::seconds patience(20);

struct command {
  std::optional<std::uint64_t> seed;
  std::uint64_t times = 1;  // how often that seed runs
  unsigned depth = 8;
  std::chrono::seconds time{12};
};
command given;

/// Makes the pools and threads of one program, runs it, and ends them.
void run(const program& p, parallel& all, std::vector<filch::test::outcome>& answers) {
  filch::configure_default_pool(all.settings(0));
  all.add_outer(filch::default_pool());
  std::vector<std::unique_ptr<filch::pool>> others;
  for (std::size_t n = 1; n < p.outer_pools; ++n) {
    others.push_back(std::make_unique<filch::pool>(all.settings(n)));
    all.add_outer(*others.back());
  }
  filch::test::team outside(p.roots.size() - 1,
                            [&](std::size_t n) { answers[n + 1] = all.run_root(n + 1); });
  outside.start();
  answers[0] = all.run_root(0);
  outside.join();
  // A single pool ends as it is. With several, tasks of one may still submit to another.
  while (p.pools.size() > 1 && !all.all_gone()) {
    filch::default_pool().wait_idle();
    for (const auto& pool : others) pool->wait_idle();
  }
  others.clear();
  filch::shutdown_default_pool();
  filch::configure_default_pool({});
}

/// Returns how many nodes have run.
std::uint64_t run_and_check(const program& p) {
  filch::test::running_seed = p.seed;
  filch::test::counts counted;
  std::vector<filch::test::outcome> expected;
  for (const filch::test::node& root : p.roots)
    expected.push_back(filch::test::expected(p, root, counted));
  std::vector<filch::test::outcome> answers(p.roots.size());

  parallel all(p);
  {
    const filch::test::watchdog dog(
        patience, [&] { return all.progress(); },
        [&](std::ostream& out) {
          print(out, p);
          all.dump(out);
          out << "repeat with --seed " << p.seed << '\n';
        });
    run(p, all, answers);
  }
  for (std::size_t n = 0; n < answers.size(); ++n)
    EXPECT_EQ(answers[n], expected[n]) << "the answer of root " << n;
  all.check(counted);
  return all.progress();
}

}  // namespace

TEST(random_programs, come_to_what_a_sequential_evaluation_says) {
  filch::test::say_running_seed_at_death();
  if (given.seed) {
    const program p = filch::test::generated(*given.seed, given.depth);
    print(std::cout, p);
    std::cout << std::flush;
    for (std::uint64_t i = 0; i < given.times && !HasFailure(); ++i) run_and_check(p);
    return;
  }
  const filch::test::endurance enough(given.time);
  std::uint64_t programs = 0, nodes = 0, state = filch::test::seed();
  while (!HasFailure() && !enough.over(programs)) {
    const program p = filch::test::generated(filch::detail::splitmix64(state), given.depth);
    nodes += run_and_check(p);
    ++programs;
    if (HasFailure()) {
      print(std::cout, p);
      std::cout << "repeat with --seed " << p.seed << '\n';
    }
  }
  std::cout << programs << " programs, " << nodes << " nodes\n";
  EXPECT_GT(programs, 0u);
}

namespace {

/// The number after an option. Ends the program with a message if there is none.
std::uint64_t number_after(std::string_view option, const char* text) {
  char* end = nullptr;
  const std::uint64_t value = text == nullptr ? 0 : std::strtoull(text, &end, 10);
  if (text == nullptr || end == text || *end != '\0') {
    std::cerr << "stress_random_programs: " << option << " needs a whole number after it, not '"
              << (text == nullptr ? "" : text) << "'\n";
    std::exit(2);
  }
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; i += 2) {
    const std::string_view option = argv[i];
    const auto value = [&] { return number_after(option, argv[i + 1]); };
    if (option == "--seed") {
      given.seed = value();
    } else if (option == "--times") {
      given.times = value();
    } else if (option == "--depth") {
      given.depth = static_cast<unsigned>(value());
    } else if (option == "--seconds") {
      given.time = std::chrono::seconds(value());
      unsetenv("FILCH_STRESS_SECONDS");
      unsetenv("FILCH_SOAK_MINUTES");
    } else {
      std::cerr << "stress_random_programs: unknown option '" << option
                << "'; there are --seed, --times, --depth and --seconds, each with a number\n";
      return 2;
    }
  }
  return RUN_ALL_TESTS();
}
