// A container of your own as a parallel range. docs/design/ranges.md explains it.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <span>
#include <utility>
#include <vector>

#include "filch/plumbing.hpp"
#include "filch/ranges.hpp"

namespace mine {

/// A ring buffer: keeps the last items that were written to it.
template <class T>
class ring {
 public:
  explicit ring(std::size_t capacity) : elements_(capacity) {}
  void push(T value) {
    elements_[(begin_ + size_) % elements_.size()] = std::move(value);
    if (size_ < elements_.size())
      ++size_;
    else
      begin_ = (begin_ + 1) % elements_.size();
  }
  std::size_t size() const { return size_; }
  /// The elements are in two pieces of memory, the older ones first.
  std::span<const T> older() const {
    return std::span(elements_).subspan(begin_, std::min(size_, elements_.size() - begin_));
  }
  std::span<const T> newer() const { return std::span(elements_).first(size_ - older().size()); }

 private:
  std::vector<T> elements_;
  std::size_t begin_ = 0;
  std::size_t size_ = 0;
};

/// Elements side by side in memory: a source with one item at each position.
template <class T>
class piece_source {
 public:
  using item = const T&;

  explicit piece_source(std::span<const T> piece) : piece_(piece) {}
  std::size_t size() const { return piece_.size(); }
  item get(std::size_t i) const { return piece_[i]; }

 private:
  std::span<const T> piece_;
};

/// The elements of a ring, by their positions. Each position has one item, which get() returns.
/// feed() is faster: it looks once for each leaf, not for each item, in which piece the items are.
template <class T>
class ring_source {
 public:
  using item = const T&;

  explicit ring_source(const ring<T>& r) : older_(r.older()), newer_(r.newer()) {}
  std::size_t size() const { return older_.size() + newer_.size(); }
  item get(std::size_t i) const {
    return i < older_.size() ? older_.get(i) : newer_.get(i - older_.size());
  }

  template <class Folder>
  void feed(std::size_t first, std::size_t last, Folder& folder) const {
    const std::size_t middle = older_.size();
    if (first < middle) filch::plumbing::feed(older_, first, std::min(last, middle), folder);
    if (last <= middle || filch::plumbing::is_full(folder)) return;
    filch::plumbing::feed(newer_, std::max(first, middle) - middle, last - middle, folder);
  }

 private:
  piece_source<T> older_;
  piece_source<T> newer_;
};

/// par() finds this function by the type of its argument. It is for lvalues only, because the
/// source borrows.
template <class T>
ring_source<T> par_source(const ring<T>& r) {
  return ring_source<T>(r);
}
template <class T>
ring_source<T> par_source(const ring<T>&&) = delete;

}  // namespace mine

int main() {
  mine::ring<int> last_four(4);
  for (int i = 1; i <= 10; ++i) last_four.push(i);

  const int sum = filch::par(last_four).map([](int x) { return x * x; }).sum();
  const auto all = filch::par(last_four).to_vector();
  const auto odd = filch::par(last_four).find_first([](int x) { return x % 2 != 0; });
  std::printf("the last four:");
  for (const int x : all) std::printf(" %d", x);
  std::printf("; the sum of their squares: %d\n", sum);
  return sum == 49 + 64 + 81 + 100 && all == std::vector{7, 8, 9, 10} && odd == 7 ? 0 : 1;
}
