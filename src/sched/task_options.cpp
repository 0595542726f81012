// Options that mean nothing for a task are refused, not ignored.
#include <string>

#include "filch/detail/base/early_end.hpp"
#include "filch/detail/sched/task.hpp"
#include "filch/errors.hpp"

namespace filch::detail {

namespace {

[[noreturn]] void refuse_option(const char* who, const std::string& option, const char* advice) {
  throw usage_error(std::string("filch::") + who + "(): options::" + option + advice);
}

}  // namespace

void refuse_for_tasks(const options& o, const char* who) {
  if (o.priority > priority::low)
    throw usage_error(std::string("filch::") + who + "(): there is no priority number " +
                      std::to_string(static_cast<unsigned>(o.priority)) +
                      ", only high, normal and low");
  refuse_option(who,
                o.grain != 0      ? "grain (" + std::to_string(o.grain) + ")"
                : o.deterministic ? "deterministic"
                : o.progress      ? "progress"
                                  : "max_workers",
                " is for loops; a task cannot use it: leave it out, or give it to the "
                "algorithm that the task calls");
}

void require_only_on(const options& o, const char* who) {
  const char* const other = o.grain != 0                     ? "grain"
                            : o.stop.stop_possible()         ? "stop"
                            : o.priority != priority::normal ? "priority"
                            : o.isolate                      ? "isolate"
                            : o.deterministic                ? "deterministic"
                            : o.progress                     ? "progress"
                            : o.max_workers != 0             ? "max_workers"
                            : has_deadline(o)                ? "deadline"
                                                             : nullptr;
  if (other != nullptr)
    refuse_option(who, other,
                  " has no meaning here: leave it out; this function uses options::on only");
}

}  // namespace filch::detail
