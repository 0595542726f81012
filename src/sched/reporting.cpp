// What a pool says about itself: exceptions that nobody waits for, and its state.
#include <array>
#include <cstdio>
#include <exception>
#include <ostream>
#include <string>
#include <utility>

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

const char* words_for(place_kind k) {
  return k == place_kind::guest ? "guest" : k == place_kind::spare ? "spare" : "worker";
}

}  // namespace

std::array<char, 24> registry::number_if_namesakes() const noexcept {
  std::array<char, 24> text{};
  if (has_namesake_.load(std::memory_order_relaxed))  // orders nothing: for words
    std::snprintf(text.data(), text.size(), " (number %u)", static_cast<unsigned>(id_));
  return text;
}

std::string registry::title() const {
  return "pool '" + settings_.name + "'" + number_if_namesakes().data();
}

void registry::report(std::exception_ptr error) noexcept {
  if (!settings_.on_exception)
    end_program("a task or hook that nobody waits for threw",
                "set pool_options::on_exception to handle this, or use submit()", error);
  try {
    settings_.on_exception(std::move(error));
  } catch (...) {
    end_program("on_exception itself threw",
                "nobody is left to handle that: catch it in on_exception",
                std::current_exception());
  }
}

void registry::end_program(const char* what, const char* advice,
                           const std::exception_ptr& error) const noexcept {
  const auto number = number_if_namesakes();  // not title(): there may be no memory
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "filch: pool '%s'%s: %s: %s\n", settings_.name.c_str(), number.data(),
                 what, e.what());
  } catch (...) {
    std::fprintf(stderr, "filch: pool '%s'%s: %s something that is not a std::exception\n",
                 settings_.name.c_str(), number.data(), what);
  }
  std::fprintf(stderr, "filch: %s\n", advice);
  std::terminate();
}

plain_vector<worker*> registry::participants() const {
  plain_vector<worker*> all;
  const std::size_t n = roster_size();
  all.reserve(n);
  for (std::size_t i = 0; i < n; ++i) all.push_back(&participant(i));
  return all;
}

worker_metrics worker::measure(clock::time_point now) const noexcept {
  const worker_tallies& t = tallies;
  return {.jobs = t.jobs.read(),
          .spawned = t.spawned.read(),
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

measured_pool registry::measure() const {
  measured_pool all;
  const clock::time_point now = clock::now();
  all.elapsed_ns = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now - made_).count());
  for (const worker* w : participants()) {
    if (w->kind() == place_kind::worker)
      all.workers.push_back(w->measure(now));
    else
      (w->is_guest() ? all.guests : all.spares) += w->measure(now);
  }
  return all;
}

void registry::dump(std::ostream& out) const {
  if (is_inherited()) {  // the branches of its workers lie in the stacks of threads that are gone
    out << title() << ": " << size_
        << " workers, which do not exist in this process: it was forked\n";
    return;
  }
  std::uint64_t accepted = 0;
  const bool idle_now = settled(accepted);
  out << title() << ": " << size_ << " workers, "
      << (has_outside_work() ? "injector not empty" : "injector empty") << ", ";
  if (settings_.queue_limit != 0)
    out << room_.size_hint() << " of " << settings_.queue_limit << " places taken, ";
  out << sleepers_.count_hint() << " sleeping, "
      << (stopped()                      ? "stopped"
          : (accepted & closed_bit) != 0 ? "closed"
                                         : "open")
      << (idle_now ? ", idle" : ", tasks unfinished") << '\n';
  for (const worker* w : participants()) {
    if (w->kind() != place_kind::worker && w->doing() == activity::absent) continue;
    out << "  " << words_for(w->kind()) << ' ' << w->index() << ": " << words_for(w->doing())
        << ", " << w->size_hint(true) << " jobs in its deque, " << w->tallies.jobs.read()
        << " run, " << w->tallies.steals_taken.read() << " stolen";
    if (w->last_victim() != SIZE_MAX) out << ", last from " << w->last_victim();
    out << '\n';
  }
}

}  // namespace filch::detail
