// The events of a trace as a text that a page can carry: few bytes for each, fast to decode.
//
// All numbers are varints (7 bits per byte, the lowest first, the top bit set if more follow). The
// bytes are written in base64. decode() in template/data.js reads it.
//
//     number of threads; for each: number of intervals; for each:
//       begin minus the begin of the one before, duration, code (0 job, 1 sleep, 2 part, 3 guest,
//       4 + name of a span)
//     number of instants; for each:
//       time minus the time of the one before, kind (0 steal, 1 inject, 2 wake), thread,
//       other thread + 1 (0: none), count
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "report/trace_data.hpp"

namespace filch::report {

struct event_code {
  std::string base64;
  std::uint64_t left_out = 0;  ///< Intervals beyond the limit: the shortest.
};

/// Encodes at most `most_intervals` intervals and as many instants, because a browser has to hold
/// them all.
event_code encode_events(const trace_data& trace, std::size_t most_intervals);

}  // namespace filch::report
