// The ways to run a load on several workers that the demo compares.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "demo/load.hpp"

namespace filch {
class pool;
}

namespace filch::cli {

class variant {
 public:
  virtual ~variant() = default;
  virtual std::string_view name() const = 0;
  /// Runs every item of `l` once, and returns when all have run.
  virtual void run(load& l) = 0;
  /// Do its threads look for work for a while afterwards, and so disturb the next variant?
  virtual bool lingers() const { return false; }
};

std::unique_ptr<variant> make_serial();
std::unique_ptr<variant> make_static_threads(std::size_t workers);
std::unique_ptr<variant> make_mutex_queue(std::size_t workers);
std::unique_ptr<variant> make_openmp_static(std::size_t workers);
std::unique_ptr<variant> make_openmp_dynamic(std::size_t workers);
std::unique_ptr<variant> make_onetbb(std::size_t workers);
/// Runs on `pool`, which outlives it.
std::unique_ptr<variant> make_filch(filch::pool& pool);

/// All variants that this program was built with, the serial one first and filch last.
std::vector<std::unique_ptr<variant>> all_variants(std::size_t workers, filch::pool& pool);

/// The variants that it was built without, and how to get them: one line each.
std::vector<std::string> missing_variants();

}  // namespace filch::cli
