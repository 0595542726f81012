#include "live/view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/numbers.hpp"
#include "terminal/progress.hpp"
#include "terminal/style.hpp"

namespace filch::cli {
namespace {

using detail::live_page;
using detail::live_pool;
using detail::live_worker;

/// What the worker of an entry does. The page may come from anywhere.
worker_status status_in(const live_worker& w) {
  return {.state = static_cast<worker_state>(std::min<std::uint32_t>(w.state, 255)),
          .waits = w.waits,
          .still_ns = w.still_ns};
}

worker_metrics metrics_in(const live_worker& w) {
  return {.jobs = w.jobs,
          .spawned = w.spawned,
          .steals_taken = w.steals_taken,
          .steal_hits = w.steal_hits,
          .steals_lost = w.steals_lost,
          .steals_empty = w.steals_empty,
          .injector_takes = w.injector_takes,
          .sleeps = w.sleeps,
          .wakes = w.wakes,
          .busy_ns = w.busy_ns,
          .sleep_ns = w.sleep_ns,
          .cpu_ns = w.cpu_ns};
}

double per_second(std::uint64_t count, std::uint64_t elapsed_ns) {
  return elapsed_ns == 0 ? 0 : static_cast<double>(count) * 1e9 / static_cast<double>(elapsed_ns);
}

/// Does it sleep, or search, although a job of its own is not finished?
bool waits_for_tasks(const worker_status& w) {
  return w.waits != 0 && (w.state == worker_state::sleeping || w.state == worker_state::idle);
}

bool waits(const worker_status& w) {
  return w.state == worker_state::waiting || w.state == worker_state::blocked || waits_for_tasks(w);
}

/// For the screen: what it does and, if it waits, for how long that is known.
std::string status_text(const worker_status& w) {
  const std::string what = waits_for_tasks(w) ? "in a wait" : detail::name_of(w.state);
  return waits(w) && w.still_ns >= 1'000'000'000
             ? fmt::format("{} {}", what, duration_text(static_cast<double>(w.still_ns) * 1e-9))
             : what;
}

bool is_running(const worker_status& w) {
  return w.state == worker_state::running || w.state == worker_state::helping;
}

/// Is there unfinished work, while every worker waits or sleeps?
bool stands_still(const pool_view& p) {
  return p.unfinished && !p.ended &&
         std::all_of(p.counters.now.begin(), p.counters.now.end(), [](const worker_status& w) {
           return waits(w) || w.state == worker_state::sleeping ||
                  w.state == worker_state::awaiting_seat;
         });
}

style style_of(const worker_status& w) {
  return waits(w) ? style::bad : is_running(w) ? style::good : style::dim;
}

/// Every counter by name, for formats that list them all.
struct counter {
  const char* name;
  const char* help;
  std::uint64_t worker_metrics::*member;
};
constexpr std::array<counter, 9> counters{{
    {"jobs", "Jobs taken from a queue and run", &worker_metrics::jobs},
    {"spawned", "Jobs that participants put into their own deques", &worker_metrics::spawned},
    {"steals_taken", "Jobs that were stolen", &worker_metrics::steals_taken},
    {"steal_hits", "Steals that brought one or more jobs", &worker_metrics::steal_hits},
    {"steals_lost", "Steals lost because another thread took the job first",
     &worker_metrics::steals_lost},
    {"steals_empty", "Steals that found nothing to take", &worker_metrics::steals_empty},
    {"injector_takes", "Jobs taken from the injector", &worker_metrics::injector_takes},
    {"sleeps", "Times that a participant went to sleep", &worker_metrics::sleeps},
    {"wakes", "Times that a participant woke another one", &worker_metrics::wakes},
}};

nlohmann::json json_of(const worker_metrics& m) {
  nlohmann::json all;
  for (const counter& c : counters) all[c.name] = m.*c.member;
  all["busy_ns"] = m.busy_ns;
  all["sleep_ns"] = m.sleep_ns;
  all["cpu_ns"] = m.cpu_ns;
  return all;
}

/// The busy time of all participants, guests included, as a share of what the workers can do. A
/// guest works at once, even if every worker has a job, so it may be more than 1.
double busy_share(const filch::metrics& m) {
  const double whole = static_cast<double>(m.elapsed_ns) * static_cast<double>(m.workers.size());
  return whole > 0 ? static_cast<double>(m.total().busy_ns) / whole : 0;
}

bool did_anything(const worker_metrics& m) { return m != worker_metrics{}; }

/// Escapes a Prometheus label.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\' || c == '"') result += '\\';
    result += c;
  }
  return result;
}

std::string left_out_text(std::uint32_t pools) {
  return fmt::format("{} {} not shown: a program publishes at most {} pools, with up to {} workers",
                     pools == 1 ? "one more pool" : fmt::format("{} more pools", pools),
                     pools == 1 ? "is" : "are", detail::live_most_pools,
                     detail::live_most_workers - 2);  // spares and guests have an entry too
}

}  // namespace

std::vector<pool_view> pools_of(const live_page& page, std::uint64_t unix_ns) {
  std::vector<pool_view> pools;
  const bool waits = page.all_asleep != 0 && unix_ns > page.updated_unix_ns;
  const std::uint64_t since = waits ? unix_ns - page.updated_unix_ns : 0;
  const std::size_t count = std::min<std::size_t>(page.pools, detail::live_most_pools);
  const std::size_t entries = std::min<std::size_t>(page.worker_entries, detail::live_most_workers);
  for (std::size_t i = 0; i < count; ++i) {
    const live_pool& p = page.pool[i];
    pool_view view;
    view.name = text_in(p.name);
    view.id = p.id;
    view.ended = p.ended != 0;
    view.injected = p.injected;
    view.backlog = p.backlog;
    view.unfinished = p.unfinished != 0;
    view.counters.elapsed_ns = p.elapsed_ns + (view.ended ? 0 : since);
    const std::size_t first = std::min<std::size_t>(p.first_worker, entries);
    const std::size_t last = first + std::min<std::size_t>(p.entries, entries - first);
    for (std::size_t w = first; w < last; ++w) {
      const live_worker& entry = page.worker[w];
      if (entry.kind == 0) {
        view.counters.workers.push_back(metrics_in(entry));
        if (entry.state == static_cast<std::uint32_t>(worker_state::sleeping))
          view.counters.workers.back().sleep_ns += since;
        view.counters.now.push_back(status_in(entry));
        view.counters.now.back().still_ns += since;
        view.queues.push_back(entry.deque + entry.branches);
      } else {
        (entry.kind == 1 ? view.counters.spares : view.counters.guests) += metrics_in(entry);
      }
    }
    pools.push_back(std::move(view));
  }
  return pools;
}

std::vector<pool_view> between(const std::vector<pool_view>& earlier,
                               const std::vector<pool_view>& later) {
  std::vector<pool_view> result = later;
  for (pool_view& p : result) {
    const auto before = std::find_if(earlier.begin(), earlier.end(),
                                     [&](const pool_view& e) { return e.id == p.id; });
    if (before != earlier.end()) p.counters -= before->counters;
  }
  return result;
}

std::vector<std::string> screen_of(std::string_view title, const std::vector<pool_view>& all,
                                   const std::vector<pool_view>& recent, std::uint32_t left_out,
                                   bool colours) {
  std::vector<std::string> lines;
  lines.push_back(styled(title, style::bold, colours));
  for (std::size_t i = 0; i < recent.size(); ++i) {
    const pool_view& p = recent[i];
    const worker_metrics now = p.counters.total();
    const worker_metrics ever = all[i].counters.total();
    lines.emplace_back();
    lines.push_back(fmt::format(
        "{}  {} busy  {:.0f} jobs/s  {:.0f} steals/s  {} waiting ({} in the injector){}",
        styled(fmt::format("pool {} \"{}\"", p.id, p.name), style::accent, colours),
        percent_text(busy_share(p.counters)), per_second(now.jobs, p.counters.elapsed_ns),
        per_second(now.steals_taken, p.counters.elapsed_ns), p.backlog, p.injected,
        stands_still(p) ? styled("  work unfinished, but no worker runs", style::bad, colours)
                        : ""));
    lines.push_back(
        styled(fmt::format("{:>6} {:<26} {:>7} {:>7} {:<16} {:>6} {:>12} {:>12}", "worker", "",
                           "busy", "cpu", "state", "queue", "jobs", "steals"),
               style::dim, colours));
    for (std::size_t w = 0; w < p.counters.workers.size(); ++w) {
      const double busy = p.counters.utilisation(w);
      const worker_metrics& total = all[i].counters.workers[w];
      const worker_status& status = p.counters.now[w];
      const double cpu = per_second(p.counters.workers[w].cpu_ns, p.counters.elapsed_ns) * 1e-9;
      lines.push_back(
          fmt::format("{:>6} {} {:>7} {:>7} {} {:>6} {:>12} {:>12}", w, progress_bar(busy, 24),
                      percent_text(busy), percent_text(cpu),
                      styled(fmt::format("{:<16}", status_text(status)), style_of(status), colours),
                      p.queues[w], count_text(total.jobs), count_text(total.steals_taken)));
    }
    const auto add_others = [&](const char* who, const worker_metrics& recently,
                                const worker_metrics& ever_since) {
      if (!did_anything(ever_since)) return;
      const double busy = per_second(recently.busy_ns, p.counters.elapsed_ns) * 1e-9;
      lines.push_back(fmt::format("{:>6} {} {:>7} {:>7} {:<16} {:>6} {:>12} {:>12}", who,
                                  progress_bar(busy, 24), percent_text(busy), "", "", "",
                                  count_text(ever_since.jobs),
                                  count_text(ever_since.steals_taken)));
    };
    add_others("guests", p.counters.guests, all[i].counters.guests);
    add_others("spares", p.counters.spares, all[i].counters.spares);
    lines.push_back(
        fmt::format("since its start: {}, {} busy, {} jobs, {} stolen ({} of {} steals succeeded)",
                    duration_text(static_cast<double>(all[i].counters.elapsed_ns) * 1e-9),
                    percent_text(busy_share(all[i].counters)), count_text(ever.jobs),
                    count_text(ever.steals_taken), percent_text(ever.steal_success()),
                    count_text(ever.steals())));
  }
  if (left_out != 0) lines.push_back(left_out_text(left_out));
  if (recent.empty() && left_out == 0) lines.emplace_back("no pool so far");
  return lines;
}

std::vector<std::string> fitted(std::vector<std::string> lines, std::size_t rows,
                                std::size_t always) {
  if (lines.size() <= rows) return lines;
  const std::size_t last = std::min(always, rows);
  const std::size_t first = rows - last - (rows > last ? 1 : 0);
  const std::size_t missing = lines.size() - first - last;
  std::vector<std::string> shown(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(first));
  if (rows > last)
    shown.push_back(
        fmt::format("and {} more lines; the window has too few rows for them", missing));
  shown.insert(shown.end(), lines.end() - static_cast<std::ptrdiff_t>(last), lines.end());
  return shown;
}

std::string lines_of(const std::vector<pool_view>& recent, std::uint32_t left_out) {
  std::string all;
  for (const pool_view& p : recent) {
    const worker_metrics now = p.counters.total();
    const auto running = std::count_if(p.counters.now.begin(), p.counters.now.end(), is_running);
    const auto waiting = std::count_if(p.counters.now.begin(), p.counters.now.end(), waits);
    const double guests_busy = per_second(p.counters.guests.busy_ns, p.counters.elapsed_ns) * 1e-9;
    const std::string guests =
        guests_busy > 0 ? fmt::format(", guests {} busy", percent_text(guests_busy)) : "";
    all += fmt::format(
        "pool {} \"{}\": {} of {} workers running{}, {} busy, {:.0f} jobs/s, {:.0f} steals/s, {} "
        "waiting{}\n",
        p.id, p.name, running, p.counters.now.size(),
        waiting != 0 ? fmt::format(" and {} in a wait", waiting) : "",
        percent_text(busy_share(p.counters)), per_second(now.jobs, p.counters.elapsed_ns),
        per_second(now.steals_taken, p.counters.elapsed_ns), p.backlog, guests);
  }
  if (left_out != 0) all += left_out_text(left_out) + "\n";
  return all;
}

nlohmann::json json_of(const std::vector<pool_view>& pools) {
  nlohmann::json list = nlohmann::json::array();
  for (const pool_view& p : pools) {
    nlohmann::json workers = nlohmann::json::array();
    for (std::size_t w = 0; w < p.counters.workers.size(); ++w) {
      nlohmann::json one = json_of(p.counters.workers[w]);
      one["index"] = w;
      one["state"] = detail::name_of(p.counters.now[w].state);
      one["waits"] = p.counters.now[w].waits;
      one["still_ns"] = p.counters.now[w].still_ns;
      one["queue"] = p.queues[w];
      one["utilisation"] = p.counters.utilisation(w);
      workers.push_back(std::move(one));
    }
    list.push_back({{"id", p.id},
                    {"name", p.name},
                    {"ended", p.ended},
                    {"unfinished", p.unfinished},
                    {"elapsed_ns", p.counters.elapsed_ns},
                    {"utilisation", p.counters.utilisation()},
                    {"steal_success", p.counters.total().steal_success()},
                    {"backlog", p.backlog},
                    {"injected", p.injected},
                    {"busy", busy_share(p.counters)},
                    {"total", json_of(p.counters.total())},
                    {"guests", json_of(p.counters.guests)},
                    {"spares", json_of(p.counters.spares)},
                    {"workers", std::move(workers)}});
  }
  return list;
}

std::string prometheus_of(std::string_view program, std::uint64_t pid,
                          const std::vector<pool_view>& pools, std::uint32_t left_out) {
  std::string text;
  const auto head = [&](std::string_view name, std::string_view type, std::string_view help) {
    text += fmt::format("# HELP filch_{0} {2}.\n# TYPE filch_{0} {1}\n", name, type, help);
  };
  const auto labels = [&](const pool_view& p) {
    return fmt::format("program=\"{}\",pid=\"{}\",pool=\"{}\",pool_name=\"{}\"", escaped(program),
                       pid, p.id, escaped(p.name));
  };
  const auto for_workers = [&](std::string_view name, auto value_of) {
    for (const pool_view& p : pools)
      for (std::size_t w = 0; w < p.counters.workers.size(); ++w)
        text +=
            fmt::format("filch_{}{{{},worker=\"{}\"}} {}\n", name, labels(p), w, value_of(p, w));
  };
  // A counter of all participants: one value for each worker, one for all guests and one for all
  // spares.
  const auto for_all = [&](std::string_view name, auto value_of) {
    for_workers(name,
                [&](const pool_view& p, std::size_t w) { return value_of(p.counters.workers[w]); });
    for (const pool_view& p : pools)
      for (const auto& [who, theirs] :
           {std::pair("guests", &p.counters.guests), std::pair("spares", &p.counters.spares)})
        text += fmt::format("filch_{}{{{},worker=\"{}\"}} {}\n", name, labels(p), who,
                            value_of(*theirs));
  };
  for (const counter& c : counters) {
    const std::string name = std::string(c.name) + "_total";
    head(name, "counter", c.help);
    for_all(name, [&](const worker_metrics& m) { return m.*c.member; });
  }
  head("busy_seconds_total", "counter", "Time in which participants had something to do");
  for_all("busy_seconds_total",
          [](const worker_metrics& m) { return static_cast<double>(m.busy_ns) * 1e-9; });
  head("sleep_seconds_total", "counter", "Time asleep");
  for_all("sleep_seconds_total",
          [](const worker_metrics& m) { return static_cast<double>(m.sleep_ns) * 1e-9; });
  head("cpu_seconds_total", "counter", "Processor time of workers and spares");
  for_all("cpu_seconds_total",
          [](const worker_metrics& m) { return static_cast<double>(m.cpu_ns) * 1e-9; });
  head("waiting", "gauge", "1 if a job of the worker waits: for a lock, a file, or a task");
  for_workers("waiting",
              [](const pool_view& p, std::size_t w) { return waits(p.counters.now[w]) ? 1 : 0; });
  head("queue_length", "gauge", "Jobs that wait in a worker's queue");
  for_workers("queue_length", [](const pool_view& p, std::size_t w) { return p.queues[w]; });
  head("backlog", "gauge", "Jobs that wait, in all queues");
  for (const pool_view& p : pools)
    text += fmt::format("filch_backlog{{{}}} {}\n", labels(p), p.backlog);
  head("workers", "gauge", "Workers of the pool");
  for (const pool_view& p : pools)
    text += fmt::format("filch_workers{{{}}} {}\n", labels(p), p.counters.workers.size());
  head("pools_left_out", "gauge",
       "Pools without published counters, because there are too many pools or workers");
  text += fmt::format("filch_pools_left_out{{program=\"{}\",pid=\"{}\"}} {}\n", escaped(program),
                      pid, left_out);
  return text;
}

}  // namespace filch::cli
