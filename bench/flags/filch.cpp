#include "runtime/filch.hpp"

#include "filch/algorithm/copy_if.hpp"
#include "filch/algorithm/count.hpp"
#include "filch/algorithm/min.hpp"
#include "filch/algorithm/parallel_for.hpp"
#include "filch/algorithm/reduce.hpp"
#include "filch/algorithm/scan.hpp"
#include "filch/algorithm/transform.hpp"
#include "filch/ranges.hpp"
#include "rows.hpp"

namespace {

template <class T>
void solve(flags::axpy<T>& row) {
  const T a = row.a;
  const T* const x = row.x.data();
  T* const y = row.y.data();
  filch::parallel_for(std::size_t{0}, row.x.size(), [=](std::size_t i) { y[i] += a * x[i]; });
}

template <class T>
void solve(flags::transform<T>& row) {
  filch::transform(row.in, row.out.begin(), flags::three_x_plus_one);
}

template <class T>
void solve(flags::reduce<T>& row) {
  row.found = filch::reduce(row.in, T{0});
}

template <class T>
void solve(flags::dot<T>& row) {
  row.found = filch::transform_reduce(row.x, row.y, T{0});
}

template <class T>
void solve(flags::count_if<T>& row) {
  row.found = filch::count_if(row.in, flags::is_small);
}

void solve(flags::map_filter_sum_long& row) {
  row.found = filch::par(row.in).map(flags::long_three_x_plus_one).filter(flags::is_even).sum();
}

void solve(flags::map_filter_sum_double& row) {
  row.found = filch::par(row.in).map(flags::three_x_plus_one).filter(flags::is_below_1500).sum();
}

template <class T>
void solve(flags::min<T>& row) {
  row.found = filch::min(row.in);
}

template <class T>
void solve(flags::max<T>& row) {
  row.found = filch::max(row.in);
}

template <class T>
void solve(flags::minmax<T>& row) {
  const auto found = filch::minmax(row.in);
  row.smallest = found.min;
  row.largest = found.max;
}

void solve(flags::copy_if& row) {
  const auto end = filch::copy_if(row.in, row.out.begin(), flags::is_even).out;
  row.copied = static_cast<std::size_t>(end - row.out.begin());
}

void solve(flags::scan& row) { filch::inclusive_scan(row.in, row.out.begin()); }

}  // namespace

int main(int argc, char** argv) {
  return flags::page_of_all<bench::on_filch>([](bench::on_filch&, auto& row) { solve(row); })
      .run(argc, argv);
}
