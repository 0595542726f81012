// The loops as a user of OpenMP writes them: `parallel for`, with a reduction where there is one
// value for all items.
#include "runtime/openmp.hpp"

#include "rows.hpp"

// The pragmas use them.
// NOLINTBEGIN(misc-unused-parameters)
namespace {

template <class T>
void solve(int workers, flags::axpy<T>& row) {
  const T a = row.a;
  const T* const x = row.x.data();
  T* const y = row.y.data();
  const std::size_t n = row.x.size();
#pragma omp parallel for num_threads(workers)
  for (std::size_t i = 0; i < n; ++i) y[i] += a * x[i];
}

template <class T>
void solve(int workers, flags::transform<T>& row) {
  const T* const in = row.in.data();
  T* const out = row.out.data();
  const std::size_t n = row.in.size();
#pragma omp parallel for num_threads(workers)
  for (std::size_t i = 0; i < n; ++i) out[i] = flags::three_x_plus_one(in[i]);
}

template <class T>
void solve(int workers, flags::reduce<T>& row) {
  const T* const in = row.in.data();
  const std::size_t n = row.in.size();
  T sum = 0;
#pragma omp parallel for num_threads(workers) reduction(+ : sum)
  for (std::size_t i = 0; i < n; ++i) sum += in[i];
  row.found = sum;
}

template <class T>
void solve(int workers, flags::dot<T>& row) {
  const T* const x = row.x.data();
  const T* const y = row.y.data();
  const std::size_t n = row.x.size();
  T sum = 0;
#pragma omp parallel for num_threads(workers) reduction(+ : sum)
  for (std::size_t i = 0; i < n; ++i) sum += x[i] * y[i];
  row.found = sum;
}

template <class T>
void solve(int workers, flags::count_if<T>& row) {
  const T* const in = row.in.data();
  const std::size_t n = row.in.size();
  std::ptrdiff_t count = 0;
#pragma omp parallel for num_threads(workers) reduction(+ : count)
  for (std::size_t i = 0; i < n; ++i)
    if (flags::is_small(in[i])) ++count;
  row.found = count;
}

void solve(int workers, flags::map_filter_sum_long& row) {
  const int* const in = row.in.data();
  const std::size_t n = row.in.size();
  long sum = 0;
#pragma omp parallel for num_threads(workers) reduction(+ : sum)
  for (std::size_t i = 0; i < n; ++i)
    if (const long y = flags::long_three_x_plus_one(in[i]); flags::is_even(y)) sum += y;
  row.found = sum;
}

void solve(int workers, flags::map_filter_sum_double& row) {
  const double* const in = row.in.data();
  const std::size_t n = row.in.size();
  double sum = 0;
#pragma omp parallel for num_threads(workers) reduction(+ : sum)
  for (std::size_t i = 0; i < n; ++i)
    if (const double y = flags::three_x_plus_one(in[i]); flags::is_below_1500(y)) sum += y;
  row.found = sum;
}

template <class T>
void solve(int workers, flags::min<T>& row) {
  const T* const in = row.in.data();
  const std::size_t n = row.in.size();
  T best = in[0];
#pragma omp parallel for num_threads(workers) reduction(min : best)
  for (std::size_t i = 0; i < n; ++i)
    if (in[i] < best) best = in[i];
  row.found = best;
}

template <class T>
void solve(int workers, flags::max<T>& row) {
  const T* const in = row.in.data();
  const std::size_t n = row.in.size();
  T best = in[0];
#pragma omp parallel for num_threads(workers) reduction(max : best)
  for (std::size_t i = 0; i < n; ++i)
    if (best < in[i]) best = in[i];
  row.found = best;
}

template <class T>
void solve(int workers, flags::minmax<T>& row) {
  const T* const in = row.in.data();
  const std::size_t n = row.in.size();
  T low = in[0];
  T high = in[0];
#pragma omp parallel for num_threads(workers) reduction(min : low) reduction(max : high)
  for (std::size_t i = 0; i < n; ++i) {
    if (in[i] < low) low = in[i];
    if (high < in[i]) high = in[i];
  }
  row.smallest = low;
  row.largest = high;
}

/// Two passes over as many parts as there are threads: the first counts, the second copies. It
/// copies without a branch: it writes every item, and advances if the item is one to keep. The last
/// kept item is copied separately, because the position behind it belongs to the next part.
void solve(int workers, flags::copy_if& row) {
  const auto parts = static_cast<std::size_t>(workers);
  const auto begin_of = [&](std::size_t part) {
    return row.in.data() + row.in.size() * part / parts;
  };
  std::vector<std::size_t> before(parts + 1);
#pragma omp parallel for num_threads(workers)
  for (std::size_t part = 0; part < parts; ++part) {
    std::size_t count = 0;
    for (const int* x = begin_of(part); x != begin_of(part + 1); ++x)
      if (flags::is_even(*x)) ++count;
    before[part + 1] = count;
  }
  for (std::size_t part = 0; part < parts; ++part) before[part + 1] += before[part];
#pragma omp parallel for num_threads(workers)
  for (std::size_t part = 0; part < parts; ++part) {
    const int* const first = begin_of(part);
    const int* end = begin_of(part + 1);
    while (end != first && !flags::is_even(end[-1])) --end;
    if (end == first) continue;
    int* out = row.out.data() + before[part];
    for (const int* x = first; x != end - 1; ++x) {
      *out = *x;
      out += flags::is_even(*x) ? 1 : 0;
    }
    *out = end[-1];
  }
  row.copied = before.back();
}

void solve(int workers, flags::scan& row) {
  const long* const in = row.in.data();
  long* const out = row.out.data();
  const int n = static_cast<int>(row.in.size());  // with size_t g++ 12 warns of its own code
  long sum = 0;
#pragma omp parallel for num_threads(workers) reduction(inscan, + : sum)
  for (int i = 0; i < n; ++i) {
    sum += in[i];
#pragma omp scan inclusive(sum)
    out[i] = sum;
  }
}

}  // namespace
// NOLINTEND(misc-unused-parameters)

int main(int argc, char** argv) {
  using runtime = bench::outside<bench::on_openmp>;
  return flags::page_of_all<runtime>(
             [](const runtime& openmp, auto& row) { solve(openmp.workers(), row); })
      .run(argc, argv);
}
