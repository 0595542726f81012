// filch stress: a random mix of all features, with answers that can be checked, for any length of
// time.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "base/arguments.hpp"
#include "base/errors.hpp"
#include "base/interrupt.hpp"
#include "base/output.hpp"
#include "commands/command.hpp"
#include "filch/detail/base/rng.hpp"
#include "filch/filch.hpp"
#include "stress/random_tree.hpp"
#include "terminal/progress.hpp"

namespace filch::cli {
namespace {

using clock = std::chrono::steady_clock;
using rng = detail::rng;

struct stress_options {
  double seconds = 10;
  std::uint64_t seed = 0;
  bool seed_given = false;
  std::size_t workers = 0;
  bool json = false;
};

/// A part of the mix: makes a random problem, solves it with filch, and returns whether the answer
/// is right.
struct part {
  const char* name;
  bool (*run)(filch::pool& pool, rng& random);
};

std::uint64_t drawn_seed(rng& random) {
  return static_cast<std::uint64_t>(random()) << 32 ^ random();
}

std::vector<std::uint64_t> drawn_numbers(rng& random, std::uint32_t most, std::uint64_t below) {
  std::vector<std::uint64_t> numbers(random.bounded(most));
  for (std::uint64_t& n : numbers) n = drawn_seed(random) % below;
  return numbers;
}

/// Joins, scopes, futures, submissions and exceptions, nested at random.
bool forks(filch::pool& pool, rng& random) {
  const filch::test::random_tree tree(drawn_seed(random), 4 + random.bounded(6));
  return pool.install([&] { return tree.parallel_sum(pool); }) == tree.serial_sum();
}

/// The same from an outside thread, as several tasks at once.
bool submissions(filch::pool& pool, rng& random) {
  std::vector<filch::test::random_tree> trees;
  std::vector<filch::future<std::uint64_t>> sums;
  for (std::uint32_t i = 1 + random.bounded(16); i > 0; --i)
    trees.emplace_back(drawn_seed(random), 2 + random.bounded(5));
  sums.reserve(trees.size());
  for (const auto& tree : trees)
    sums.push_back(pool.submit([&pool, &tree] { return tree.parallel_sum(pool); }));
  bool right = true;
  for (std::size_t i = 0; i < trees.size(); ++i)
    right = (sums[i].get() == trees[i].serial_sum()) && right;
  return right;
}

/// Visits each item exactly once, at any grain.
bool loops(filch::pool& pool, rng& random) {
  const std::vector<std::uint64_t> in = drawn_numbers(random, 100'000, 1'000);
  std::vector<std::uint64_t> out(in.size());
  std::vector<unsigned char> visits(in.size());
  const filch::options how{.grain = random.bounded(3) == 0 ? 1 + random.bounded(1000) : 0,
                           .on = &pool};
  filch::parallel_for(
      std::size_t{0}, in.size(),
      [&](std::size_t i) {
        ++visits[i];
        out[i] = 3 * in[i] + 1;
      },
      how);
  bool right = std::all_of(visits.begin(), visits.end(), [](unsigned char n) { return n == 1; });
  for (std::size_t i = 0; i < in.size(); ++i) right = right && out[i] == 3 * in[i] + 1;
  return right;
}

bool reductions(filch::pool& pool, rng& random) {
  const std::vector<std::uint64_t> in = drawn_numbers(random, 100'000, 1'000);
  const std::uint64_t sum = filch::reduce(in, std::uint64_t{7}, std::plus<>(), {.on = &pool});
  const auto hit = filch::find(in, std::uint64_t{999}, {.on = &pool});
  return sum == std::accumulate(in.begin(), in.end(), std::uint64_t{7}) &&
         hit == std::find(in.begin(), in.end(), std::uint64_t{999});
}

/// Sorts many or few equal keys, sorted beforehand or not.
bool sorts(filch::pool& pool, rng& random) {
  std::vector<std::uint64_t> v =
      drawn_numbers(random, 100'000, random.bounded(2) == 0 ? 16 : UINT64_MAX);
  if (random.bounded(4) == 0) std::sort(v.begin(), v.end());
  std::vector<std::uint64_t> expected = v;
  std::sort(expected.begin(), expected.end());
  if (random.bounded(2) == 0)
    filch::sort(v, {}, {}, {.on = &pool});
  else
    filch::stable_sort(v, {}, {}, {.on = &pool});
  return v == expected;
}

/// Continuations of several futures.
bool futures(filch::pool& pool, rng& random) {
  std::vector<filch::future<std::uint64_t>> parts;
  std::uint64_t expected = 0;
  for (std::uint32_t i = 1 + random.bounded(32); i > 0; --i) {
    const std::uint64_t n = random() % 1000;
    expected += 2 * n + 1;
    parts.push_back(pool.submit([n] { return n; }).then([](std::uint64_t x) { return 2 * x + 1; }));
  }
  const std::vector<std::uint64_t> all = filch::when_all(std::move(parts)).get();
  return std::accumulate(all.begin(), all.end(), std::uint64_t{0}) == expected;
}

constexpr std::array<part, 6> parts{{{"forks", forks},
                                     {"submissions", submissions},
                                     {"loops", loops},
                                     {"reductions", reductions},
                                     {"sorts", sorts},
                                     {"futures", futures}}};

/// How often each part has run, and how often it was wrong.
struct tally {
  std::array<std::uint64_t, parts.size()> runs{};
  std::array<std::uint64_t, parts.size()> wrong{};
  std::uint64_t total() const {
    return std::accumulate(runs.begin(), runs.end(), std::uint64_t{0});
  }
  std::uint64_t total_wrong() const {
    return std::accumulate(wrong.begin(), wrong.end(), std::uint64_t{0});
  }
};

/// The lifetime of one pool: a few dozen problems. At least one runs, however long making the pool
/// took: a run that checks nothing would report that nothing is wrong.
void run_round(rng& random, std::size_t workers, clock::time_point end, tally& so_far) {
  const std::unique_ptr<filch::pool> made =
      make_pool({.threads = workers == 0 ? 1 + random.bounded(8) : workers,
                 .name = "stress",
                 .idle = static_cast<filch::idle>(random.bounded(3))});
  filch::pool& pool = *made;
  for (int i = 0; i < 60 && (i == 0 || clock::now() < end) && !was_interrupted(); ++i) {
    const std::size_t chosen = random.bounded(parts.size());
    ++so_far.runs[chosen];
    bool right = false;
    try {
      right = parts[chosen].run(pool, random);
    } catch (const std::exception& error) {
      complain(fmt::format("{} threw: {}", parts[chosen].name, error.what()));
    }
    if (right) continue;
    ++so_far.wrong[chosen];
    complain(fmt::format("wrong answer of {} with {} workers", parts[chosen].name, pool.size()));
  }
}

void print_tally(const stress_options& o, const tally& t, double seconds) {
  if (o.json) {
    nlohmann::json list;
    for (std::size_t i = 0; i < parts.size(); ++i)
      list[parts[i].name] = {{"runs", t.runs[i]}, {"wrong", t.wrong[i]}};
    print_json({{"seed", o.seed},
                {"seconds", seconds},
                {"checks", t.total()},
                {"wrong", t.total_wrong()},
                {"parts", list},
                {"interrupted", was_interrupted()}});
    return;
  }
  for (std::size_t i = 0; i < parts.size(); ++i)
    print("  {:<12} {:>8} checked, {} wrong\n", parts[i].name, t.runs[i], t.wrong[i]);
  print("{} answers checked in {:.1f} s, {} wrong{}\n", t.total(), seconds, t.total_wrong(),
        was_interrupted() ? " (interrupted)" : "");
}

int run_stress(stress_options o) {
  (void)number_of_workers(o.workers);  // reports a bad FILCH_NUM_THREADS before anything runs
  if (!o.seed_given) {
    std::random_device entropy;
    o.seed = entropy();
  }
  if (!o.json) {
    print("seed {} (--seed {} draws the same problems again)\n", o.seed, o.seed);
    std::fflush(stdout);
  }
  const interrupt_guard guard;
  rng random(o.seed);
  tally so_far;
  const clock::time_point start = clock::now();
  const clock::time_point end =
      start + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(o.seconds));
  const auto passed = [&] { return std::chrono::duration<double>(clock::now() - start).count(); };
  {
    progress bar(!o.json);
    do {
      bar.show(std::min(1.0, passed() / o.seconds), fmt::format("{} checked", so_far.total()));
      run_round(random, o.workers, end, so_far);
    } while (clock::now() < end && !was_interrupted());
  }
  print_tally(o, so_far, passed());
  if (so_far.total_wrong() != 0) {
    complain(fmt::format("stress: {} of {} answers were wrong; repeat with --seed {}",
                         so_far.total_wrong(), so_far.total(), o.seed));
    return failed;
  }
  return was_interrupted() ? interrupted : done;
}

}  // namespace

command add_stress(CLI::App& program) {
  CLI::App& app = add_command(
      program, "stress",
      "Solve random problems and check the answers, to see whether filch works on this machine",
      "  filch stress --seconds 60\n"
      "  filch stress --seed 12345 --workers 4     the same problems again\n");
  auto o = std::make_shared<stress_options>();
  add_seconds(app, "--seconds", o->seconds, "How long to go on (default: 10)");
  add_count(app, "--seed", o->seed, 0, UINT64_MAX,
            "Seed of the random problems (default: another one each time)");
  add_workers(app, o->workers, "1 to 8, drawn anew every few dozen problems");
  add_json(app, o->json, "Print the numbers of problems and errors as JSON");
  return {&app, [o, &app] {
            o->seed_given = app.count("--seed") != 0;
            return run_stress(*o);
          }};
}

}  // namespace filch::cli
