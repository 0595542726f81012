#include "filch/detail/sched/pool_report.hpp"

#include <cstdio>
#include <exception>
#include <utility>

#include "filch/detail/base/sanitizer.hpp"
#include "filch/detail/sched/participant_state.hpp"
#include "filch/detail/sched/pool_access.hpp"
#include "filch/detail/sched/registry.hpp"

namespace filch::detail {

namespace {

[[noreturn]] void end_program(const registry& home, const char* what, const char* advice,
                              const std::exception_ptr& error) noexcept {
  const char* const name = home.settings().name.c_str();
  const auto number = number_if_namesakes(home);  // not title(): there may be no memory
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "filch: pool '%s'%s: %s: %s\n", name, number.data(), what, e.what());
  } catch (...) {
    std::fprintf(stderr, "filch: pool '%s'%s: %s something that is not a std::exception\n", name,
                 number.data(), what);
  }
  std::fprintf(stderr, "filch: %s\n", advice);
  std::terminate();
}

/// A guess: it neither waits nor has anything that others could take. It may be in the last body of
/// a call.
bool is_between_calls(const worker& w) noexcept {
  return w.is_guest() && w.state.stays() && w.loop.waits() == 0 && w.size_hint(true) == 0;
}

}  // namespace

std::array<char, 24> number_if_namesakes(const registry& home) noexcept {
  std::array<char, 24> text{};
  if (home.links.has_namesake.load(std::memory_order_relaxed))  // orders nothing: for words
    std::snprintf(text.data(), text.size(), " (number %u)", static_cast<unsigned>(home.id()));
  return text;
}

std::string title(const registry& home) {
  return "pool '" + home.settings().name + "'" + number_if_namesakes(home).data();
}

void report_exception(const registry& home, std::exception_ptr error) noexcept {
  const auto& handler = home.settings().on_exception;
  if (!handler)
    end_program(home, "a task or hook that no thread waits for threw",
                "set pool_options::on_exception to handle this, or use submit()", error);
  const shown_to_sanitizers shown;
  try {
    handler(std::move(error));
  } catch (...) {
    end_program(home, "on_exception itself threw",
                "an exception of on_exception ends the program; catch it inside of on_exception",
                std::current_exception());
  }
}

bool has_unfinished_work(const registry& home) {
  if (!home.idle.is_settled()) return true;
  for (const worker* w : home.participants.snapshot()) {
    const activity doing = w->state.doing();
    if (doing == activity::absent || is_between_calls(*w)) continue;
    if (w->is_guest() || (doing != activity::sleeping && doing != activity::searching)) return true;
  }
  return false;
}

worker_metrics measure(const worker& w, registry::clock::time_point now) noexcept {
  const worker_tallies& t = w.tallies;
  return {.jobs = t.jobs.read(),
          .spawned = w.spawned.read(),
          .steals_taken = t.steals_taken.read(),
          .steal_hits = t.steal_hits.read(),
          .steals_lost = t.steals_lost.read(),
          .steals_empty = t.steals_empty.read(),
          .injector_takes = t.injector_takes.read(),
          .sleeps = t.sleeps.read(),
          .wakes = t.wakes.read(),
          .busy_ns = t.busy.read(now),
          .sleep_ns = t.asleep.read(now),
          .cpu_ns = t.cpu.read()};
}

measured_pool measure(const registry& home) {
  const hidden_from_sanitizers hidden;
  measured_pool all;
  const auto now = registry::clock::now();
  all.elapsed_ns = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now - home.made()).count());
  const bool has_threads = !home.is_inherited();
  for (const worker* w : home.participants.snapshot()) {
    worker_metrics counts = measure(*w, now);
    const participant_look seen = has_threads ? look_at(*w, now) : participant_look{};
    // A thread that has ended, or is about to, has left its processor time in its tallies.
    if (counts.cpu_ns == 0 && !w->is_guest()) counts.cpu_ns = seen.cpu_ns.value_or(0);
    if (w->kind() == participant_kind::worker) {
      all.workers.push_back(counts);
      all.now.push_back(seen.status);
    } else {
      (w->is_guest() ? all.guests : all.spares) += counts;
    }
  }
  return all;
}

}  // namespace filch::detail
