// What one participant has done, in counts and times.
#pragma once

#include "filch/detail/base/stopwatch.hpp"
#include "filch/detail/base/tally.hpp"

namespace filch::detail {

/// What each worker counts, always.
struct worker_tallies {
  tally jobs;            ///< taken from a queue and run
  tally steals_taken;    ///< jobs that it stole
  tally steal_hits;      ///< steals that brought them
  tally steals_lost;     ///< steals that another thread won
  tally steals_empty;    ///< looks at a deque that had nothing
  tally injector_takes;  ///< jobs taken from the injector
  tally rounds;          ///< looks at all participants, before a sleep
  tally sleeps;          ///< times it went to sleep
  tally wakes;           ///< times it woke another thread
  stopwatch busy;        ///< while it has something to do
  stopwatch asleep;      ///< while it sleeps
  tally cpu;             ///< nanoseconds of processor time of its thread, once that has ended
};

}  // namespace filch::detail
