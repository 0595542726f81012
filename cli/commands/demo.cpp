// filch demo: runs uneven loads in several ways, and shows the result.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arguments.hpp"
#include "base/errors.hpp"
#include "base/interrupt.hpp"
#include "base/numbers.hpp"
#include "base/output.hpp"
#include "base/printable.hpp"
#include "commands/command.hpp"
#include "commands/make_report.hpp"
#include "demo/comparison.hpp"
#include "demo/load.hpp"
#include "demo/other_load.hpp"
#include "demo/traced.hpp"
#include "demo/variant.hpp"
#include "filch/detail/base/cpu_count.hpp"
#include "filch/pool.hpp"
#include "filch/trace.hpp"
#include "terminal/progress.hpp"
#include "terminal/style.hpp"

namespace filch::cli {
namespace {

namespace fs = std::filesystem;

struct named_load {
  std::string_view name;
  std::unique_ptr<load> (*make)(double scale);
};
constexpr std::array<named_load, 4> known_loads{{{"imbalance", make_imbalance},
                                                 {"sort", make_sort},
                                                 {"mandelbrot", make_mandelbrot},
                                                 {"tree", make_tree}}};

struct demo_options {
  std::string load = "all";
  std::size_t workers = 0;
  std::size_t rounds = 0;  // 0: as many as the time allows
  double scale = 1;
  std::string output = "filch-demo.html";
  bool json = false;
};

std::vector<named_load> chosen_loads(const std::string& name) {
  std::vector<named_load> chosen;
  for (const named_load& l : known_loads)
    if (name == "all" || name == l.name) chosen.push_back(l);
  return chosen;
}

std::vector<std::string> names_of_loads() {
  std::vector<std::string> names;
  names.reserve(std::size(known_loads) + 1);
  for (const named_load& l : known_loads) names.emplace_back(l.name);
  names.emplace_back("all");
  return names;
}

void print_head(std::size_t workers) {
  const std::size_t cpus = detail::affinity_cpu_count();
  print("filch demo: {} {}, {} {} to use. Every time is that of the fastest round.\n", workers,
        workers == 1 ? "worker" : "workers", cpus, cpus == 1 ? "CPU" : "CPUs");
  if (workers > cpus)
    print(
        "note: there are more workers than CPUs. No variant can reach the ideal time, which is the "
        "serial time divided by the number of workers.\n");
  for (const std::string& line : missing_variants()) print("note: {}\n", line);
}

/// How far a variant was from the ideal, over all loads: "+1.2 % to +3.4 %".
std::string distance_of(const std::vector<row>& rows, std::string_view name, std::size_t workers) {
  double least = 0, most = 0;
  bool any = false;
  for (const row& r : rows) {
    if (r.variant != name) continue;
    const double over =
        figures_of(r.seconds, serial_seconds(rows, r.load), workers).over_ideal * 100;
    least = any ? std::min(least, over) : over;
    most = any ? std::max(most, over) : over;
    any = true;
  }
  return any ? fmt::format("{:+.1f} % to {:+.1f} %", least, most) : "-";
}

/// The steps of the demo, in their order.
class demo {
 public:
  explicit demo(const demo_options& o)
      : o_(o),
        chosen_(chosen_loads(o.load)),
        html_(o.output),
        trace_(fs::path(o.output).replace_extension(".json")),
        workers_(number_of_workers(o.workers)) {
    require_place_beside(html_, trace_);
    require_writable(html_);
    require_writable(trace_);
    std::error_code ignored;
    if (html_ == trace_ || fs::equivalent(html_, trace_, ignored))
      throw bad_argument(
          fmt::format("demo: -o '{}' would be both the report and the trace; choose a name that "
                      "does not end in .json",
                      html_.string()));
  }

  int run() {
    const interrupt_guard guard;
    const std::unique_ptr<filch::pool> made = make_pool({.threads = workers_, .name = "demo"});
    filch::pool& pool = *made;
    const auto variants = all_variants(workers_, pool);
    if (!o_.json) print_head(workers_);
    if (o_.rounds == 0) wait_until_quiet();
    const std::optional<cpu_times> before = cpu_times_now();
    measure(variants, pool);
    if (const std::optional<cpu_times> after = cpu_times_now(); before && after)
      others_ = share_of_others(*before, *after);
    if (filch::trace::is_on())  // a trace of the whole program contains the demo
      complain("note: the demo writes no report of its own, because FILCH_TRACE traces it already");
    else if (!finished_.empty())
      report(*variants.back());
    print_end();
    if (was_interrupted()) return interrupted;
    if (!reported_ && !filch::trace::is_on()) return failed;
    const bool right =
        std::all_of(rows_.begin(), rows_.end(), [](const row& r) { return r.right; });
    if (!right) complain("demo: a variant gave a wrong answer; see the table");
    return right ? done : failed;
  }

 private:
  void wait_until_quiet() const {
    progress bar(!o_.json);
    wait_for_quiet(std::chrono::seconds(2), [&] {
      bar.show(0, "waiting until other programs leave the CPUs alone");
      return !was_interrupted();
    });
    bar.clear();
  }

  /// A failure here does not affect the measurements.
  void report(variant& by) {
    try {
      trace_loads(finished_, by, trace_);
      add_comparison(trace_, comparison_json(rows_, workers_));
      (void)make_report(trace_, html_);
      reported_ = true;
    } catch (const failure& error) {
      complain(fmt::format("{}; there is no report", error.what()));
    }
  }

  void measure(const std::vector<std::unique_ptr<variant>>& variants, filch::pool& pool) {
    rounds how_long;
    if (o_.rounds != 0) how_long = {o_.rounds, o_.rounds, 0, 0};
    std::vector<std::unique_ptr<load>> loads;
    for (const named_load& chosen : chosen_) loads.push_back(chosen.make(o_.scale));
    progress bar(!o_.json);
    const auto found = compare(
        loads, variants, pool, how_long,
        [&](const load& of, std::size_t round, double part, const variant& next) {
          bar.show(part, fmt::format("{}, round {}: {}", of.name(), round + 1, next.name()));
          return !was_interrupted();
        });
    bar.clear();
    for (std::size_t n = 0; n < loads.size(); ++n) {
      if (found[n].empty()) continue;
      if (!o_.json) print_load(*loads[n], found[n]);
      rows_.insert(rows_.end(), found[n].begin(), found[n].end());
      finished_.push_back(std::move(loads[n]));
    }
    (void)std::fflush(stdout);
  }

  void print_load(const load& l, const std::vector<row>& rows) const {
    const bool colours = colours_wanted();
    print("\n{}: {}\n{}", styled(l.name(), style::bold, colours), l.about(workers_),
          table_of(rows, workers_, colours));
    // The serial variant needs only one CPU and waits for no other thread.
    if (const double noise = noise_of(rows.front()); noise > 0.05)
      print(
          "note: half of the serial rounds took more than {} longer than the fastest: the machine "
          "is not quiet.\n",
          percent_text(noise));
  }

  void print_end() const {
    if (o_.json) {
      nlohmann::json all = comparison_json(rows_, workers_);
      all["interrupted"] = was_interrupted();
      all["other_load"] = others_;
      all["missing"] = missing_variants();
      all["report"] = reported_ ? nlohmann::json(html_.string()) : nlohmann::json(nullptr);
      all["trace"] = reported_ ? nlohmann::json(trace_.string()) : nlohmann::json(nullptr);
      print_json(all);
      return;
    }
    if (was_interrupted())
      print("\nInterrupted{}\n", finished_.empty() ? " before anything was measured."
                                                   : ": this is what was measured so far.");
    if (finished_.empty()) return;
    if (others_ > 0.1)
      print(
          "\nnote: other programs used {} of this machine's CPU time meanwhile, so the times are "
          "too long.\n",
          percent_text(others_));
    print("\nLonger than the ideal: static {}, filch {}.\n", distance_of(rows_, "static", workers_),
          distance_of(rows_, "filch", workers_));
    if (reported_)
      print("Report: {}\n", printable(fs::absolute(html_).lexically_normal().string()));
  }

  const demo_options& o_;
  std::vector<named_load> chosen_;
  fs::path html_;
  fs::path trace_;
  std::size_t workers_;
  std::vector<row> rows_;
  std::vector<std::unique_ptr<load>> finished_;
  bool reported_ = false;
  double others_ = 0;  // the share of the CPUs that other programs used
};

}  // namespace

command add_demo(CLI::App& program) {
  CLI::App& app = add_command(program, "demo",
                              "Run uneven loads with filch and with other ways to share out work",
                              "  filch demo\n"
                              "  filch demo tree -j 4\n"
                              "  filch demo imbalance --json -o picture.html\n");
  auto o = std::make_shared<demo_options>();
  add_choice(app, "load", o->load, names_of_loads(), "What to run (default: all)");
  add_workers(app, o->workers);
  add_count(app, "--rounds", o->rounds, 1, 1000,
            "Rounds of each load (default: as many as fit into 5 to 7 s)");
  add_factor(app, "--scale", o->scale,
             "Amount of work, as a multiple of the usual amount (default: 1)");
  add_output(app, o->output,
             "File for the report; the trace goes beside it, as .json (default: filch-demo.html)");
  add_json(app, o->json, "Print the figures as JSON");
  return {&app, [o] { return demo(*o).run(); }};
}

}  // namespace filch::cli
