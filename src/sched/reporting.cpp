// What a pool says about itself: exceptions that nobody waits for, and its state.
#include <cstdio>
#include <exception>
#include <ostream>
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
    case activity::absent:
      break;
  }
  return "absent";
}

}  // namespace

void registry::report(std::exception_ptr error) noexcept {
  if (settings_.on_exception) {
    settings_.on_exception(std::move(error));  // one that throws ends in std::terminate
    return;
  }
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "filch: a task of pool '%s' that nobody waits for threw: %s\n",
                 settings_.name.c_str(), e.what());
  } catch (...) {
    std::fprintf(stderr,
                 "filch: a task of pool '%s' that nobody waits for threw something that is "
                 "not a std::exception\n",
                 settings_.name.c_str());
  }
  std::fprintf(stderr, "filch: set pool_options::on_exception to handle this, or use submit()\n");
  std::terminate();
}

std::vector<worker*> registry::participants() const {
  std::vector<worker*> all;
  const std::size_t n = roster_size();
  all.reserve(n);
  for (std::size_t i = 0; i < n; ++i) all.push_back(&participant(i));
  return all;
}

void registry::dump(std::ostream& out) const {
  std::uint64_t accepted = 0;
  const bool idle_now = settled(accepted);
  out << "pool '" << settings_.name << "': " << size_ << " workers, "
      << (has_outside_work() ? "injector not empty" : "injector empty") << ", ";
  if (settings_.queue_limit != 0)
    out << room_.size_hint() << " of " << settings_.queue_limit << " places taken, ";
  out << sleepers_.count_hint() << " sleeping, "
      << (stopped()                      ? "stopped"
          : (accepted & closed_bit) != 0 ? "closed"
                                         : "open")
      << (idle_now ? ", idle" : ", tasks unfinished") << '\n';
  for (const worker* w : participants()) {
    if (w->is_guest() && w->doing() == activity::absent) continue;
    out << "  " << (w->is_guest() ? "guest " : "worker ") << w->index() << ": "
        << words_for(w->doing()) << ", " << w->size_hint(true) << " jobs in its deque, "
        << w->tallies.jobs.read() << " run, " << w->tallies.steals_taken.read() << " stolen";
    if (w->last_victim() != SIZE_MAX) out << ", last from " << w->last_victim();
    out << '\n';
  }
}

}  // namespace filch::detail
