#include "filch/detail/sched/pool_report.hpp"

#include <cstdio>
#include <exception>
#include <ostream>
#include <utility>

#include "filch/detail/base/sanitizer.hpp"
#include "filch/detail/sched/pool_access.hpp"
#include "filch/detail/sched/registry.hpp"

namespace filch::detail {

namespace {

const char* words_for(activity a) {
  switch (a) {
    case activity::running:
      return "running";
    case activity::searching:
      return "searching";
    case activity::sleeping:
      return "sleeping";
    case activity::blocked:
      return "blocked";
    case activity::absent:
      break;
  }
  return "absent";
}

const char* words_for(participant_kind k) {
  return k == participant_kind::guest ? "guest" : k == participant_kind::spare ? "spare" : "worker";
}

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
          .sleep_ns = t.asleep.read(now)};
}

measured_pool measure(const registry& home) {
  const hidden_from_sanitizers hidden;
  measured_pool all;
  const auto now = registry::clock::now();
  all.elapsed_ns = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now - home.made()).count());
  for (const worker* w : home.participants.snapshot()) {
    if (w->kind() == participant_kind::worker)
      all.workers.push_back(measure(*w, now));
    else
      (w->is_guest() ? all.guests : all.spares) += measure(*w, now);
  }
  return all;
}

void dump(const registry& home, std::ostream& out) {
  const hidden_from_sanitizers hidden;
  out << title(home) << ": " << home.size() << " workers, ";
  if (home.is_inherited()) {  // the branches of its workers lie in the stacks of lost threads
    out << "which do not exist in this child process: the pool was made before fork()\n";
    return;
  }
  const outside_queues& queues = home.queues;
  out << (queues.has_work() ? "injector not empty" : "injector empty") << ", ";
  if (queues.limit() != 0)
    out << queues.admitted_hint() << " of " << queues.limit() << " queued tasks admitted, ";
  const bool idle_now = home.idle.is_settled();
  out << home.wakes.sleeping().count_hint() << " sleeping, "
      << (home.stopped()                   ? "stopped"
          : home.accepts.accepted().closed ? "closed"
                                           : "open")
      << (idle_now ? ", idle" : ", tasks unfinished") << '\n';
  for (const worker* w : home.participants.snapshot()) {
    if (w->kind() != participant_kind::worker && w->state.doing() == activity::absent) continue;
    out << "  " << words_for(w->kind()) << ' ' << w->index() << ": " << words_for(w->state.doing())
        << ", " << w->size_hint(true) << " jobs waiting, " << w->tallies.jobs.read() << " run, "
        << w->tallies.steals_taken.read() << " stolen";
    if (w->finder.theft().last_victim() != SIZE_MAX)
      out << ", last from " << w->finder.theft().last_victim();
    out << '\n';
  }
}

}  // namespace filch::detail
