// What dump() prints.
#include <array>
#include <cstdio>
#include <ostream>
#include <string>

#include "filch/detail/sched/observe.hpp"
#include "filch/detail/sched/participant_state.hpp"
#include "filch/detail/sched/pool_report.hpp"
#include "filch/detail/sched/registry.hpp"

namespace filch::detail {

namespace {

const char* words_for(participant_kind k) {
  return k == participant_kind::guest ? "guest" : k == participant_kind::spare ? "spare" : "worker";
}

/// For example "12.3 s". A stream would print it in the format that the program has set.
std::string seconds(std::uint64_t ns) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.1f s", static_cast<double>(ns) * 1e-9);
  return text.data();
}

/// Why a participant does not use its processor, or nothing if it does.
std::string reason_of(const worker& w, const participant_look& seen) {
  const worker_status& now = seen.status;
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  switch (now.state) {
    case worker_state::waiting:
      add("its job waits in user code");
      break;
    case worker_state::blocked:
      add("its job waits in blocking(), or where it may not help");
      break;
    case worker_state::helping:
      add("it runs this job while another one waits for tasks");
      break;
    case worker_state::idle:
    case worker_state::sleeping:
      if (now.waits != 0) add("its job waits for tasks, and there is none that it can run");
      break;
    case worker_state::awaiting_seat:
      add("it could go on with its call, but other threads of this call have all the seats");
      break;
    case worker_state::running:
    case worker_state::absent:
      break;
  }
  if (!seen.system_tells) add("whether its job waits is not known on this system");
  if (text.empty()) return text;
  if (now.waits > 1) add(std::to_string(now.waits) + " waits inside of each other");
  if (now.state == worker_state::waiting || now.state == worker_state::blocked)
    if (const std::string what = reason_for_sleep(w.thread.mark()); !what.empty())
      add("for " + what);
  const bool takes_naps = now.state == worker_state::awaiting_seat;
  if (!takes_naps && now.state != worker_state::helping && now.still_ns >= 100'000'000)
    add("without processor time for " + seconds(now.still_ns));
  if (const std::string span = innermost_span(w.thread.mark()); !span.empty())
    add("in span '" + span + "'");
  add("thread " + std::to_string(number_of(w.thread.mark())));
  return text;
}

void dump(const worker& w, registry::clock::time_point now, std::ostream& out) {
  const participant_look seen = look_at(w, now);
  if (w.kind() != participant_kind::worker && seen.status.state == worker_state::absent) return;
  out << "  " << words_for(w.kind()) << ' ' << w.index() << ": " << name_of(seen.status.state)
      << ", " << w.size_hint(true) << " jobs queued, " << w.tallies.jobs.read() << " run, "
      << w.tallies.steals_taken.read() << " stolen";
  if (w.finder.theft().last_victim() != SIZE_MAX)
    out << ", last from " << w.finder.theft().last_victim();
  if (seen.status.state == worker_state::waiting && seen.cpu_ns)
    out << ", busy for " << seconds(w.tallies.busy.read(now)) << " with " << seconds(*seen.cpu_ns)
        << " of processor time";
  out << '\n';
  if (const std::string why = reason_of(w, seen); !why.empty()) out << "    " << why << '\n';
}

}  // namespace

void dump(const registry& home, std::ostream& out) {
  out << title(home) << ": " << home.size() << " workers, ";
  if (home.is_inherited()) {  // the branches of its workers lie in the stacks of lost threads
    out << "which do not exist in this child process: the pool was made before fork()\n";
    return;
  }
  const outside_queues& queues = home.queues;
  out << (queues.has_work() ? "injector not empty" : "injector empty") << ", ";
  if (queues.limit() != 0)
    out << queues.admitted_hint() << " of " << queues.limit() << " queued tasks admitted, ";
  const bool idle_now = !has_unfinished_work(home);
  const std::uint32_t sleeping = home.wakes.sleeping().count_hint();
  out << sleeping << " sleeping, "
      << (sleeping != 0 && home.wakes.sleeping().free_seats() <= 0 ? "no seat for them, " : "")
      << (home.stopped()                   ? "stopped"
          : home.accepts.accepted().closed ? "closed"
                                           : "open")
      << (idle_now ? ", idle" : ", tasks unfinished") << '\n';
  const auto now = registry::clock::now();
  for (const worker* w : home.participants.snapshot()) dump(*w, now, out);
}

}  // namespace filch::detail
