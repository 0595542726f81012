#include "runtime/serial.hpp"

#include "problem.hpp"

namespace {

void map_filter_sum(ranges::map_filter_sum_input& i) {
  double sum = 0;
  for (const double x : i.in) {
    const double y = ranges::square_plus_one(x);
    if (ranges::is_wanted(y)) sum += y;
  }
  i.sum = sum;
}

void filter(ranges::filter_input& i) {
  for (const double x : i.in)
    if (ranges::is_small(x)) i.out.push_back(x);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_serial>()
      .timed_on<ranges::map_filter_sum_input>(ranges::map_filter_sum, map_filter_sum)
      .timed_on<ranges::map_input>(ranges::map_to_vector,
                                   [](ranges::map_input& i) {
                                     i.out.reserve(i.in.size());
                                     for (const double x : i.in)
                                       i.out.push_back(ranges::three_x_plus_one(x));
                                   })
      .timed_on<ranges::filter_input>(ranges::filter_to_vector, filter)
      .timed_on<ranges::search_input>(ranges::find_first,
                                      [](ranges::search_input& i) {
                                        i.run([&](auto pred) -> std::optional<std::int64_t> {
                                          for (const std::int64_t x : i.in)
                                            if (pred(x)) return x;
                                          return std::nullopt;
                                        });
                                      })
      .timed_on<ranges::dot_input>(ranges::dot,
                                   [](ranges::dot_input& i) {
                                     double sum = 0;
                                     for (std::size_t k = 0; k < i.x.size(); ++k)
                                       sum += i.x[k] * i.y[k];
                                     i.sum = sum;
                                   })
      .timed_on<ranges::flat_input>(ranges::flat_map,
                                    [](ranges::flat_input& i) {
                                      for (const std::size_t length : i.lengths)
                                        i.sum += i.sum_of(length);
                                    })
      .run(argc, argv);
}
