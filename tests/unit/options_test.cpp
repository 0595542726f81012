#include "filch/options.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "filch/algorithm/walk.hpp"
#include "filch/errors.hpp"
#include "filch/per_worker.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "filch/spawn.hpp"
#include "support/complaint.hpp"

using filch::options;
using filch::pool;
using filch::test::complaint;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void reported(std::size_t, std::size_t) {}

/// Options that only loops support, and their names.
std::vector<std::pair<options, std::string>> for_loops() {
  return {{{.grain = 64}, "options::grain (64)"},
          {{.deterministic = true}, "options::deterministic"},
          {{.progress = reported}, "options::progress"}};
}

}  // namespace

TEST(options, what_is_for_loops_is_not_ignored_by_a_task) {
  pool p(1);
  for (const auto& row : for_loops()) {
    filch::options o = row.first;
    const std::string name = row.second;
    EXPECT_PRED2(contains, complaint([&] { (void)p.submit([] {}, o); }), "submit(): " + name);
    EXPECT_PRED2(contains, complaint([&] { (void)p.try_submit([] {}, o); }), name);
    EXPECT_PRED2(contains, complaint([&] { p.detach([] {}, o); }), "detach(): " + name);
    EXPECT_PRED2(contains, complaint([&] { (void)p.try_detach([] {}, o); }), name);
    o.on = &p;
    EXPECT_PRED2(contains, complaint([&] { (void)filch::submit([] {}, o); }), "submit(): " + name);
    EXPECT_PRED2(contains, complaint([&] { filch::detach([] {}, o); }), "detach(): " + name);
    EXPECT_PRED2(contains, complaint([&] { const filch::scope s(o); }), "scope(): " + name);
    EXPECT_PRED2(contains, complaint([&] { filch::scoped([](filch::scope&) {}, o); }), name);
  }
  EXPECT_EQ(p.metrics().total().jobs, 0u) << "nothing was accepted";
}

TEST(options, what_an_object_for_each_worker_has_no_use_for_is_not_ignored) {
  pool p(1);
  std::stop_source source;
  auto refused = for_loops();
  refused.push_back({{.stop = source.get_token()}, "options::stop"});
  refused.push_back({{.priority = filch::priority::high}, "options::priority"});
  refused.push_back({{.isolate = true}, "options::isolate"});
  for (auto& [o, name] : refused) {
    o.on = &p;
    const std::string message =
        complaint([&o = o] { const filch::per_worker<int> mine([] { return 0; }, o); });
    EXPECT_PRED2(contains, message, "per_worker(): options::");
    EXPECT_PRED2(contains, message, name.substr(0, name.find(' ')));
  }
  EXPECT_EQ(complaint([&] { const filch::per_worker<int> mine([] { return 0; }, {.on = &p}); }),
            "");
}

TEST(options, progress_of_a_walk_is_not_ignored) {
  const auto children = [](int) { return std::vector<int>(); };
  const auto visit = [](int) {};
  EXPECT_PRED2(contains,
               complaint([&] { filch::walk_prefix(1, children, visit, {.progress = reported}); }),
               "walk_prefix(): options::progress");
  EXPECT_PRED2(contains,
               complaint([&] { filch::walk_postfix(1, children, visit, {.progress = reported}); }),
               "walk_postfix(): options::progress");
  EXPECT_EQ(complaint([&] { filch::walk_prefix(1, children, visit, {.grain = 64}); }), "");
}
