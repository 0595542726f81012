#include "filch/detail/observe/environment.hpp"

#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

#include "filch/detail/base/environment_variable.hpp"
#include "filch/detail/base/process.hpp"
#include "filch/detail/observe/last_signal.hpp"
#include "filch/detail/observe/watchdog.hpp"
#include "filch/errors.hpp"
#include "filch/trace.hpp"

namespace filch::detail {

namespace {

constexpr const char* trace_variable = "FILCH_TRACE";
constexpr const char* events_variable = "FILCH_TRACE_EVENTS";
constexpr const char* signal_variable = "FILCH_TRACE_ON_SIGNAL";
constexpr const char* live_variable = "FILCH_LIVE";
constexpr const char* watchdog_variable = "FILCH_WATCHDOG";

/// Single words, which are consistent at any time a fork may happen.
struct state {
  std::atomic<bool> heeded{false};
  std::atomic<trace*> running{nullptr};
  std::atomic<trace*> of_parent{nullptr};  // the parent's file; here for leak checkers
  std::atomic<last_signal*> signals{nullptr};
  std::atomic<last_signal*> signals_of_parent{nullptr};  // its thread is not in this process
  std::atomic<bool> at_exit{false};
};

constinit state here;
static_assert(std::is_trivially_destructible_v<state>);

/// An empty variable counts as not set.
std::string_view variable(const char* name) noexcept {
  const char* const value = environment_variable(name);
  return value == nullptr ? std::string_view() : value;
}

/// Ends the trace. Returns false if there is none.
bool finish() {
  std::unique_ptr<trace> last(here.running.exchange(nullptr));
  if (last == nullptr) return false;
  last.reset();  // writes it
  stop_live();
  return true;
}

/// Runs after the ends of pools that were made later.
void at_exit() {
  (void)finish();
  stop_live();
  stop_watchdog();
  // Last, because a signal that arrived meanwhile has waited too.
  const std::unique_ptr<last_signal> signals(here.signals.exchange(nullptr));
}

bool names_the_process(std::string_view pattern) noexcept {
  for (std::size_t i = 0; i + 1 < pattern.size(); ++i) {
    if (pattern[i] != '%') continue;
    if (pattern[++i] == 'p') return true;
  }
  return false;
}

void heed_trace() {
  const std::string_view pattern = variable(trace_variable);
  // A file name without %p belongs to the parent.
  if (pattern.empty() || (here.of_parent.load() != nullptr && !names_the_process(pattern))) return;
  std::string path = expand_trace_path(pattern, process_id());
  here.running.store(new trace(std::move(path)));
}

void heed_signals() {
  const std::string_view value = variable(signal_variable);
  if (value.empty() || value == "0" || here.running.load() == nullptr) return;
  if (value != "1")
    throw usage_error("it must be 1 (write the trace when a signal ends the program) or 0");
  here.signals.store(new last_signal(finish));
}

void heed_live() {
  const std::string_view value = variable(live_variable);
  if (value.empty() || value == "0") return;
  if (value != "1") throw usage_error("it must be 1 (publish counters) or 0 (do not)");
  start_live();
}

void heed_watchdog() {
  const std::string_view value = variable(watchdog_variable);
  if (!value.empty() && value != "0") start_watchdog(watchdog_limit(value));
}

void try_to(void (*heed)(), const char* name, const char* consequence) noexcept {
  try {
    heed();
  } catch (const std::exception& e) {
    // Does not allocate: the error may be that there is no memory.
    const std::string_view value = variable(name);
    std::fprintf(stderr, "filch: %s=%.*s: %s. The program runs %s.\n", name,
                 static_cast<int>(value.size()), value.data(), e.what(), consequence);
  }
}

}  // namespace

std::string expand_trace_path(std::string_view pattern, std::uint64_t process) {
  std::string path;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      path += pattern[i];
      continue;
    }
    const char what = ++i < pattern.size() ? pattern[i] : '\0';
    if (what == 'p')
      path += std::to_string(process);
    else if (what == '%')
      path += '%';
    else
      throw usage_error("in the path '" + std::string(pattern) +
                        "' a percent sign is followed by neither p (the process id) nor another "
                        "percent sign");
  }
  return path;
}

std::size_t trace_events(std::size_t asked) {
  const auto checked = [](std::string_view who, std::string_view value, std::size_t n, bool valid) {
    if (valid && n >= fewest_trace_events && n <= most_trace_events) return n;
    throw usage_error(std::string(who) + " is '" + std::string(value) +
                      "'; it must be a number from " + std::to_string(fewest_trace_events) +
                      " to " + std::to_string(most_trace_events));
  };
  if (asked != 0)
    return checked("filch::trace: trace_options::events", std::to_string(asked), asked, true);
  const std::string_view value = variable(events_variable);
  if (value.empty()) return usual_trace_events;
  std::size_t n = 0;
  const auto end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, n);
  return checked(events_variable, value, n, error == std::errc() && stop == end);
}

void heed_environment() noexcept {
  if (here.heeded.exchange(true)) return;
  if (variable(trace_variable).empty() && variable(live_variable).empty() &&
      variable(watchdog_variable).empty())
    return;
  // Registered first, so that it runs after the exit handlers that the pools register.
  if (!here.at_exit.exchange(true)) (void)std::atexit(at_exit);
  try_to(heed_trace, trace_variable, "without a trace");
  try_to(heed_signals, signal_variable, "and has no trace if a signal ends it");
  try_to(heed_live, live_variable, "without publishing its counters");
  try_to(heed_watchdog, watchdog_variable, "without a watchdog");
}

void forget_environment() noexcept {
  here.heeded.store(false);
  if (trace* const theirs = here.running.exchange(nullptr)) here.of_parent.store(theirs);
  if (last_signal* const theirs = here.signals.exchange(nullptr))
    here.signals_of_parent.store(theirs);
}

}  // namespace filch::detail
