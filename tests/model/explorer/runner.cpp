#include "explorer/runner.hpp"

#include <signal.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace model {

namespace {

constexpr std::string_view usage =
    R"(usage: <model> [--run SCENARIO] [--random COUNT] [--seed N] [--replay SCHEDULE]
               [--limit COUNT] [--weaken FILE:LINE[:failure]:ORDER] [--sites] [--list]

Without --random every schedule within the scenario's bound is explored.
  --run SCENARIO     only this one
  --random COUNT     this many random schedules each, without a bound on preemptions
  --seed N           of the first random schedule (default 1)
  --replay SCHEDULE  one schedule, as printed by a failure, with a trace
  --limit COUNT      give up (exit code 3) if a scenario is not exhausted after so many schedules
  --weaken ...       run a mutant: the atomic operation in that line gets that order instead; may
                     be given more than once
  --sites            print the atomic operations that the scenarios execute, as FILE:LINE
  --list             print the names of the scenarios
)";

struct request {
  std::string only;
  std::string replay;
  std::optional<std::uint64_t> random;
  std::uint64_t seed = 1;
  std::uint64_t limit = 50'000'000;
  bool sites = false;
  bool list = false;
};

[[noreturn]] void refuse(const std::string& why) {
  std::fprintf(stderr, "%s\n%s", why.c_str(), std::string(usage).c_str());
  std::exit(2);
}

std::uint64_t number(std::string_view text) {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || end != text.data() + text.size())
    refuse("not a number: '" + std::string(text) + "'");
  return n;
}

std::memory_order order_named(std::string_view name) {
  if (name == "relaxed") return std::memory_order_relaxed;
  if (name == "acquire") return std::memory_order_acquire;
  if (name == "release") return std::memory_order_release;
  if (name == "acq_rel") return std::memory_order_acq_rel;
  refuse("not an order weaker than seq_cst: '" + std::string(name) + "'");
}

weakening parse_weakening(const std::string& text) {
  weakening w;
  const auto first = text.find(':');
  const auto last = text.rfind(':');
  if (first == std::string::npos || first == last) refuse("not FILE:LINE:ORDER: '" + text + "'");
  std::string line = text.substr(first + 1, last - first - 1);
  if (const auto mark = line.find(":failure"); mark != std::string::npos) {
    w.on_failure = true;
    line.resize(mark);
  }
  w.file = text.substr(0, first);
  w.line = static_cast<int>(number(line));
  w.to = order_named(text.substr(last + 1));
  return w;
}

request parse(int argc, char** argv) {
  request r;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    const auto value = [&]() -> std::string {
      if (++i == argc) refuse(std::string(option) + " wants a value");
      return argv[i];
    };
    if (option == "--run")
      r.only = value();
    else if (option == "--replay")
      r.replay = value();
    else if (option == "--random")
      r.random = number(value());
    else if (option == "--seed")
      r.seed = number(value());
    else if (option == "--limit")
      r.limit = number(value());
    else if (option == "--weaken")
      engine::weaken(parse_weakening(value()));
    else if (option == "--sites")
      r.sites = true;
    else if (option == "--list")
      r.list = true;
    else
      refuse("unknown argument '" + std::string(option) + "'");
  }
  return r;
}

/// Reports a wild pointer as a failure, and where it happened. (The functions called here are not
/// allowed in signal handlers, but there is one thread, and it was not inside the explorer.)
void report_crash(int) {
  const std::string text =
      "FAILS: the program followed a null or freed pointer\n" + engine::running().so_far();
  (void)!write(STDOUT_FILENO, text.data(), text.size());
  _exit(1);
}

/// Returns 0, 1 or 3, as run() does.
int run_one(const scenario& s, const request& r) {
  engine e(s);
  const outcome o = !r.replay.empty() ? e.replay(r.replay)
                    : r.random        ? e.explore_random(*r.random, r.seed)
                                      : e.explore(r.limit);
  const auto schedules = static_cast<unsigned long long>(o.schedules);
  if (o.failed || !r.replay.empty()) {
    std::printf("%s\n", o.message.c_str());
    return o.failed ? 1 : 0;
  }
  if (r.random) {
    std::printf("%s: %llu random schedules from seed %llu\n", s.name.c_str(), schedules,
                static_cast<unsigned long long>(r.seed));
    return 0;
  }
  std::printf("%s: %d threads, %d preemptions, %llu schedules, %s\n", s.name.c_str(), s.threads,
              s.preemptions, schedules, o.exhausted ? "exhausted" : "NOT EXHAUSTED");
  return o.exhausted ? 0 : 3;
}

}  // namespace

int run(int argc, char** argv, const std::vector<scenario>& scenarios) {
  const request r = parse(argc, argv);
  signal(SIGSEGV, report_crash);
  if (r.sites) engine::record_sites();
  bool found = false;
  int result = 0;
  for (const scenario& s : scenarios) {
    if (!r.only.empty() && r.only != s.name) continue;
    found = true;
    if (r.list) {
      std::printf("%s\n", s.name.c_str());
    } else {
      result = run_one(s, r);
      std::fflush(stdout);
    }
    if (result != 0) break;
  }
  if (!found) refuse("no scenario is called '" + r.only + "'");
  if (r.sites) std::printf("%s", engine::sites().c_str());
  return result;
}

}  // namespace model
