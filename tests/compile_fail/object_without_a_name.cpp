// What lasts as long as its object ends at once if that has no name.
#include <chrono>

#include "filch/load_monitor.hpp"
#include "filch/pool.hpp"
#include "filch/trace.hpp"

[[maybe_unused]] static void misuse([[maybe_unused]] filch::pool& pool) {
#if FILCH_MISUSE == 1  // error: give the span a name
  filch::trace_span("parse");
#elif FILCH_MISUSE == 2  // error: give the trace a name
  filch::trace("work.json");
#elif FILCH_MISUSE == 3  // error: give the monitor a name
  filch::load_monitor(pool, std::chrono::milliseconds(1));
#endif
  const filch::trace_span span("parse");
}
