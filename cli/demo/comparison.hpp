// Loads under every variant: who took how long, and was everybody right?
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "demo/load.hpp"
#include "demo/variant.hpp"

namespace filch::cli {

/// What one variant made of one load.
struct row {
  std::string load;
  std::string variant;
  double seconds = 0;         ///< The fastest round.
  double median_seconds = 0;  ///< The one in the middle: how far it is from that is noise.
  std::size_t rounds = 0;
  bool right = true;  ///< Was every answer that of the serial run?
  bool steals_known = false;
  std::uint64_t steals = 0;  ///< In the fastest round.
};

/// What follows from the times of a load.
struct figures {
  double ideal_seconds = 0;  ///< The serial time, divided by the workers.
  double utilisation = 0;    ///< Work done, of what the workers could have done in that time.
  double speedup = 0;        ///< Against the serial run.
  double over_ideal = 0;     ///< 0.03: it took 3 % longer than the ideal.
};

/// All 0 if either time is not known. The serial variant has one worker.
figures figures_of(double seconds, double serial, std::size_t workers);

/// How long the serial variant took with a load; 0 if it has not run.
double serial_seconds(const std::vector<row>& rows, std::string_view load);

/// How long to go on with a load. The end depends on whether times repeat, never on how good they
/// are.
struct rounds {
  std::size_t least = 4;
  std::size_t most = 40;
  double seconds = 5;  ///< After that, no new round once there were `least` and times have settled.
  double patience = 7;  ///< After that, no new round once there were `least`.
};

/// Has the fastest of `times`, those of one variant, been seen twice, with a difference of a
/// hundredth at most? One that was seen once may be beaten by the next.
bool settled(std::vector<double> times);

/// How much longer than its fastest round a variant took in the middle of all: 0.03 is 3 %.
double noise_of(const row& r);

/// Called before each run, with what is next and how much of everything is done, from 0 to 1.
/// False: stop here.
using before_run =
    std::function<bool(const load& of, std::size_t round, double done, const variant& next)>;

/// Runs all loads under all variants, in turn and in several rounds: a machine that is slow for
/// some seconds is slow for all of them, and for one round only. Whoever was interrupted has run as
/// often as rounds were complete.
/// Returns  For each load a row for each variant that has run, the serial one first.
std::vector<std::vector<row>> compare(const std::vector<std::unique_ptr<load>>& loads,
                                      const std::vector<std::unique_ptr<variant>>& variants,
                                      filch::pool& pool, const rounds& how_long,
                                      const before_run& before);

/// The table as people read it, of rows of one load.
std::string table_of(const std::vector<row>& rows, std::size_t workers, bool colours);

/// The rows as in a trace's otherData.filch.comparison.
nlohmann::json comparison_json(const std::vector<row>& rows, std::size_t workers);

}  // namespace filch::cli
