#include "demo/comparison.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "demo/load.hpp"
#include "demo/variant.hpp"
#include "filch/pool.hpp"

using namespace filch::cli;

namespace {

/// A variant that leaves something out.
class forgetful final : public variant {
 public:
  std::string_view name() const override { return "forgetful"; }
  void run(load& l) override {
    for (std::size_t i = 1; i < l.items(); ++i) l.run(i);
  }
};

const before_run always = [](const load&, std::size_t, double, const variant&) { return true; };

std::vector<std::unique_ptr<load>> all_loads() {
  std::vector<std::unique_ptr<load>> loads;
  for (const auto make : {make_imbalance, make_sort, make_mandelbrot, make_tree})
    loads.push_back(make(0.01));
  return loads;
}

std::vector<std::unique_ptr<load>> one_load() {
  std::vector<std::unique_ptr<load>> loads;
  loads.push_back(make_tree(0.01));
  return loads;
}

}  // namespace

TEST(cli_comparison, figures_of_an_ideal_run) {
  const figures f = figures_of(0.5, 1, 2);
  EXPECT_DOUBLE_EQ(f.ideal_seconds, 0.5);
  EXPECT_DOUBLE_EQ(f.utilisation, 1);
  EXPECT_DOUBLE_EQ(f.speedup, 2);
  EXPECT_DOUBLE_EQ(f.over_ideal, 0);
}

TEST(cli_comparison, figures_of_the_textbooks_example) {
  const figures f = figures_of(350, 750, 4);
  EXPECT_DOUBLE_EQ(f.ideal_seconds, 187.5);
  EXPECT_NEAR(f.utilisation, 0.536, 0.001);
}

TEST(cli_comparison, no_time_gives_zeros) {
  EXPECT_EQ(figures_of(0, 1, 2).utilisation, 0);
  EXPECT_EQ(figures_of(1, 0, 2).speedup, 0);
  EXPECT_EQ(figures_of(1, 1, 0).over_ideal, 0);
}

TEST(cli_loads, every_variant_gives_the_serial_answer) {
  filch::pool pool(3);
  const auto found = compare(all_loads(), all_variants(3, pool), pool, {1, 1, 0}, always);
  ASSERT_EQ(found.size(), 4u);
  for (const std::vector<row>& rows : found) {
    EXPECT_GE(rows.size(), 4u);
    for (const row& r : rows) {
      EXPECT_TRUE(r.right) << r.load << " by " << r.variant;
      EXPECT_EQ(r.rounds, 1u);
    }
  }
}

TEST(cli_loads, the_example_says_what_dividing_it_beforehand_costs) {
  const std::string two = make_imbalance(1)->about(2), four = make_imbalance(1)->about(4);
  EXPECT_NE(two.find("divided evenly among 2 workers it takes 550, ideal 375"), std::string::npos)
      << two;
  EXPECT_NE(two.find("among 4 workers: 350, ideal 187.5"), std::string::npos) << two;
  EXPECT_NE(four.find("divided evenly among 4 workers it takes 350, ideal 187.5"),
            std::string::npos)
      << four;
}

TEST(cli_comparison, an_item_that_was_left_out_is_noticed) {
  filch::pool pool(1);
  std::vector<std::unique_ptr<variant>> variants;
  variants.push_back(make_serial());
  variants.push_back(std::make_unique<forgetful>());
  const auto found = compare(all_loads(), variants, pool, {1, 1, 0}, always);
  ASSERT_EQ(found.size(), 4u);
  for (const std::vector<row>& rows : found) {
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_TRUE(rows[0].right);
    EXPECT_FALSE(rows[1].right) << rows[1].load;
    EXPECT_NE(table_of(rows, 1, false).find("WRONG"), std::string::npos);
  }
}

TEST(cli_comparison, a_comparison_that_is_stopped_keeps_what_has_run) {
  filch::pool pool(1);
  std::size_t runs = 0;
  const auto found =
      compare(all_loads(), all_variants(1, pool), pool, {2, 2, 0},
              [&](const load&, std::size_t, double, const variant&) { return runs++ < 2; });
  ASSERT_EQ(found.size(), 4u);
  EXPECT_TRUE(found[1].empty());
  const std::vector<row>& rows = found.front();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].variant, "serial");
  EXPECT_EQ(rows[1].variant, "static");
}

TEST(cli_comparison, rounds_go_over_all_loads_in_turn) {
  filch::pool pool(1);
  std::vector<std::string> order;
  double last = 0;
  (void)compare(all_loads(), all_variants(1, pool), pool, {2, 2, 0},
                [&](const load& of, std::size_t round, double done, const variant& next) {
                  EXPECT_GE(done, last);
                  EXPECT_LT(done, 1);
                  last = done;
                  if (next.name() == "serial")
                    order.push_back(std::string(of.name()) + " " + std::to_string(round));
                  return true;
                });
  const std::vector<std::string> wanted = {"imbalance 0", "sort 0", "mandelbrot 0", "tree 0",
                                           "imbalance 1", "sort 1", "mandelbrot 1", "tree 1"};
  EXPECT_EQ(order, wanted);
}

TEST(cli_comparison, goes_on_until_the_fastest_time_was_seen_twice) {
  EXPECT_FALSE(settled({}));
  EXPECT_FALSE(settled({1}));
  EXPECT_FALSE(settled({1, 1.02, 5}));
  EXPECT_FALSE(settled({5, 5, 1}));
  EXPECT_TRUE(settled({5, 1.005, 3, 1}));
}

TEST(cli_comparison, a_round_has_to_be_repeated_only_while_there_is_patience) {
  filch::pool pool(1);
  const auto found = compare(one_load(), all_variants(1, pool), pool,
                             {.least = 2, .most = 9, .seconds = 0, .patience = 0}, always);
  ASSERT_EQ(found.size(), 1u);
  for (const row& r : found.front()) EXPECT_EQ(r.rounds, 2u) << r.variant;
}

TEST(cli_comparison, noise_is_how_far_the_middle_is_from_the_best) {
  EXPECT_EQ(noise_of({}), 0);
  EXPECT_DOUBLE_EQ(noise_of({.load = "l", .variant = "v", .seconds = 2, .median_seconds = 2.5}),
                   0.25);
}

TEST(cli_comparison, json_has_what_a_trace_wants) {
  const std::vector<row> rows = {{.load = "l", .variant = "serial", .seconds = 1, .rounds = 1},
                                 {.load = "l",
                                  .variant = "filch",
                                  .seconds = 0.5,
                                  .rounds = 1,
                                  .steals_known = true,
                                  .steals = 3}};
  const nlohmann::json j = comparison_json(rows, 2);
  EXPECT_EQ(j["unit"], "ms");
  ASSERT_EQ(j["rows"].size(), 2u);
  EXPECT_EQ(j["rows"][1]["time_ms"], 500.0);
  EXPECT_EQ(j["rows"][1]["utilisation"], 1.0);
  EXPECT_EQ(j["rows"][1]["steals"], 3);
  EXPECT_TRUE(j["rows"][0]["steals"].is_null());
}
