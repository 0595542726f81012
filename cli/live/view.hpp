// The counters of a running program, as text for people and for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/printable.hpp"
#include "filch/detail/observe/live.hpp"
#include "filch/metrics.hpp"

namespace filch::cli {

/// A pool of a page, or what happened in it between two pages.
struct pool_view {
  std::string name;
  std::uint32_t id = 0;
  bool ended = false;  ///< it has no threads any more
  std::uint64_t injected = 0;
  std::uint64_t backlog = 0;
  filch::metrics counters;            ///< with what each worker does
  bool unfinished = false;            ///< it has accepted work that has not ended
  std::vector<std::uint64_t> queues;  ///< of the workers: waiting jobs and branches
};

/// The pools of a page at the time `unix_ns`. While all pools sleep the page is not written, but
/// time goes on. Numbers that do not fit together are limited to what is possible, because the page
/// may come from anywhere.
std::vector<pool_view> pools_of(const detail::live_page& page, std::uint64_t unix_ns);

/// What happened between two pages. A pool that the first page lacks began at 0.
std::vector<pool_view> between(const std::vector<pool_view>& earlier,
                               const std::vector<pool_view>& later);

/// A text field of the page, made safe for a terminal. It ends with a 0, unless it fills the field.
template <std::size_t Size>
std::string text_in(const std::array<char, Size>& field) {
  const std::string_view all(field.data(), Size);
  return printable(all.substr(0, all.find('\0')));
}

/// The screen of `filch top`. `recent` is what happened since the last page, `all` since the start.
/// `left_out` pools did not fit into the page.
std::vector<std::string> screen_of(std::string_view title, const std::vector<pool_view>& all,
                                   const std::vector<pool_view>& recent, std::uint32_t left_out,
                                   bool colours);

/// As many lines as fit, and the number of missing ones. The last `always` lines are
/// dropped last.
std::vector<std::string> fitted(std::vector<std::string> lines, std::size_t rows,
                                std::size_t always);

/// The same, with one line for each pool.
std::string lines_of(const std::vector<pool_view>& recent, std::uint32_t left_out);

nlohmann::json json_of(const std::vector<pool_view>& pools);

/// In Prometheus' text format (0.0.4), with the process as a label. The label worker is an index,
/// or "guests" or "spares" for all of these.
std::string prometheus_of(std::string_view program, std::uint64_t pid,
                          const std::vector<pool_view>& pools, std::uint32_t left_out);

}  // namespace filch::cli
