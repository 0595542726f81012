// One load under every variant: who took how long, and was everybody right?
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
  double seconds = 0;  ///< The fastest round.
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

/// How long to go on.
struct rounds {
  std::size_t least = 3;
  std::size_t most = 15;
  double seconds = 5;  ///< After that, no new round once there were `least`.
};

/// Called before each run, with how much is done, from 0 to 1, and what is next. False: stop here.
using before_run = std::function<bool(std::size_t round, double done, const variant& next)>;

/// Runs `l` under all variants, in turn and in several rounds: a machine that is slow for a second
/// is slow for all of them. Whoever was interrupted has run as often as rounds were complete.
/// Returns  A row for each variant that has run, the serial one first.
std::vector<row> compare(load& l, const std::vector<std::unique_ptr<variant>>& variants,
                         filch::pool& pool, const rounds& how_long, const before_run& before);

/// The table as people read it, of rows of one load.
std::string table_of(const std::vector<row>& rows, std::size_t workers, bool colours);

/// The rows as in a trace's otherData.filch.comparison.
nlohmann::json comparison_json(const std::vector<row>& rows, std::size_t workers);

}  // namespace filch::cli
