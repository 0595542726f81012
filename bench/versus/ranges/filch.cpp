#include "runtime/filch.hpp"

#include "filch/ranges.hpp"
#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_filch>()
      .timed_on<ranges::map_filter_sum_input>(
          ranges::map_filter_sum,
          [](ranges::map_filter_sum_input& i) {
            i.sum = filch::par(i.in).map(ranges::square_plus_one).filter(ranges::is_wanted).sum();
          })
      .timed_on<ranges::map_input>(ranges::map_to_vector,
                                   [](ranges::map_input& i) {
                                     i.out =
                                         filch::par(i.in).map(ranges::three_x_plus_one).to_vector();
                                   })
      .timed_on<ranges::filter_input>(ranges::filter_to_vector,
                                      [](ranges::filter_input& i) {
                                        i.out =
                                            filch::par(i.in).filter(ranges::is_small).to_vector();
                                      })
      .timed_on<ranges::search_input>(
          ranges::find_first,
          [](ranges::search_input& i) {
            i.run([&](auto pred) { return filch::par(i.in).find_first(pred); });
          })
      .timed_on<ranges::dot_input>(
          ranges::dot,
          [](ranges::dot_input& i) {
            i.sum = filch::zip(i.x, i.y).map([](auto xy) { return xy.first * xy.second; }).sum();
          })
      .timed_on<ranges::flat_input>(
          ranges::flat_map,
          [](ranges::flat_input& i) {
            i.sum = filch::par(i.lengths)
                        .flat_map([&](std::size_t length) { return i.inner(length); })
                        .map(ranges::work)
                        .sum();
          })
      .run(argc, argv);
}
