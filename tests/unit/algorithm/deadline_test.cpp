// options::deadline and options::stop end algorithms of every kind, and `cancelled` says which of
// the two it was.
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <iterator>
#include <list>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "filch/filch.hpp"

namespace {

using filch::options;

/// Algorithms that look at stop requests in ways of their own.
const std::map<std::string, std::function<void(const options&)>> kinds{
    {"sort",
     [](const options& o) {
       std::vector<int> v(20000, 1);
       filch::sort(v, o);
     }},
    {"inclusive_scan",
     [](const options& o) {
       std::vector<int> v(20000, 1);
       filch::inclusive_scan(v, v.begin(), std::plus<>(), 0, o);
     }},
    {"copy_if",
     [](const options& o) {
       std::vector<int> v(20000, 1), to(v.size());
       filch::copy_if(
           v, to.begin(), [](int i) { return i > 0; }, o);
     }},
    {"rotate",
     [](const options& o) {
       std::vector<int> v(20000, 1);
       filch::rotate(v, v.begin() + 5, o);
     }},
    {"bridge",
     [](const options& o) {
       std::list<int> items(20);
       filch::bridge(
           items, [](int) {}, o);
     }},
    {"walk",
     [](const options& o) {
       filch::walk_prefix(
           1, [](int, auto) {}, [](int) {}, o);
     }},
    {"a range",
     [](const options& o) { (void)filch::par(std::vector<int>(20000, 1)).with(o).sum(); }},
};

std::string message(const std::function<void(const options&)>& call, const options& o) {
  try {
    call(o);
  } catch (const filch::cancelled& e) {
    return e.what();
  }
  return "it ran";
}

}  // namespace

TEST(deadline, ends_algorithms_of_every_kind_and_cancelled_says_so) {
  std::stop_source stop;
  stop.request_stop();
  for (const auto& [name, call] : kinds) {
    const std::string late = message(call, {.deadline = std::chrono::steady_clock::now()});
    EXPECT_NE(late.find("options::deadline"), std::string::npos) << name << ": " << late;
    EXPECT_EQ(late.find("asked to stop"), std::string::npos) << name << ": " << late;
    const std::string stopped = message(call, {.stop = stop.get_token()});
    EXPECT_NE(stopped.find("asked to stop"), std::string::npos) << name << ": " << stopped;
    EXPECT_EQ(stopped.find("deadline"), std::string::npos) << name << ": " << stopped;
  }
}
