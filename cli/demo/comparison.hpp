// Runs loads under every variant: how long each took, and whether all answers were right.
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

/// The result of one variant for one load.
struct row {
  std::string load;
  std::string variant;
  double seconds = 0;         ///< The fastest round.
  double median_seconds = 0;  ///< The median round: its distance from the fastest is noise.
  std::size_t rounds = 0;
  bool right = true;  ///< Was every answer that of the serial run?
  bool steals_known = false;
  std::uint64_t steals = 0;  ///< In the fastest round.
};

/// Figures derived from the times of a load.
struct figures {
  double ideal_seconds = 0;  ///< The serial time, divided by the workers.
  double utilisation = 0;    ///< Work done, of what the workers could have done in that time.
  double speedup = 0;        ///< Compared with the serial run.
  double over_ideal = 0;     ///< 0.03: it took 3 % longer than the ideal.
};

/// All are 0 if one of the times is unknown. The serial variant has one worker.
figures figures_of(double seconds, double serial, std::size_t workers);

/// The time of the serial variant for a load; 0 if it has not run.
double serial_seconds(const std::vector<row>& rows, std::string_view load);

/// How long to go on with a load. The end depends on whether times repeat, never on how good they
/// are.
struct rounds {
  std::size_t least = 4;
  std::size_t most = 40;
  double seconds = 5;  ///< After that: no new round once there were `least` and times have settled.
  double patience = 7;  ///< After that: no new round once there were `least`.
};

/// Has the fastest time of one variant been seen twice, within a hundredth? A time that was seen
/// once may be beaten by the next round.
bool settled(std::vector<double> times);

/// How much longer the median round of a variant took than its fastest: 0.03 is 3 %.
double noise_of(const row& r);

/// Called before each run, with the next variant and the finished share of everything, from 0 to 1.
/// Returns false to stop here.
using before_run =
    std::function<bool(const load& of, std::size_t round, double done, const variant& next)>;

/// Runs all loads under all variants, in turn and in several rounds. So if the machine is slow for
/// some seconds, all variants are affected, and only in one round. After an interruption, the
/// result has the complete rounds.
/// Returns  For each load a row for each variant that has run, the serial one first.
std::vector<std::vector<row>> compare(const std::vector<std::unique_ptr<load>>& loads,
                                      const std::vector<std::unique_ptr<variant>>& variants,
                                      filch::pool& pool, const rounds& how_long,
                                      const before_run& before);

/// The rows of one load as a readable table.
std::string table_of(const std::vector<row>& rows, std::size_t workers, bool colours);

/// The rows as in a trace's otherData.filch.comparison.
nlohmann::json comparison_json(const std::vector<row>& rows, std::size_t workers);

}  // namespace filch::cli
