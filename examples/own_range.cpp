// A container of your own as a parallel range, with an adaptor and a consumer of your own.
// docs/design/ranges.md explains it.
#include <cstddef>
#include <cstdio>
#include <utility>
#include <vector>

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
  const T& operator[](std::size_t i) const { return elements_[(begin_ + i) % elements_.size()]; }

 private:
  std::vector<T> elements_;
  std::size_t begin_ = 0;
  std::size_t size_ = 0;
};

/// The elements of a ring, by their positions: a source with one item at each position.
template <class T>
class ring_source {
 public:
  using item = const T&;

  explicit ring_source(const ring<T>& r) : ring_(&r) {}
  std::size_t size() const { return ring_->size(); }
  item get(std::size_t i) const { return (*ring_)[i]; }

 private:
  const ring<T>* ring_;
};

/// par() finds this function by the type of its argument. It is for lvalues only, because the
/// source borrows.
template <class T>
ring_source<T> par_source(const ring<T>& r) {
  return ring_source<T>(r);
}
template <class T>
ring_source<T> par_source(const ring<T>&&) = delete;

/// Gives every item `times` times: a source made of a source. feed() passes on the items of a
/// leaf of positions. It checks full(), because a consumer may have enough.
template <filch::plumbing::indexed_source Base>
class repeated_source {
 public:
  using item = typename Base::item;

  repeated_source(Base base, int times) : base_(std::move(base)), times_(times) {}
  std::size_t size() const { return base_.size(); }

  template <class Folder>
  void feed(std::size_t first, std::size_t last, Folder& folder) const {
    for (std::size_t i = first; i != last; ++i)
      for (int k = 0; k < times_; ++k) {
        folder.take(base_.get(i));
        if constexpr (filch::plumbing::fillable<Folder>)
          if (folder.full()) return;
      }
  }

 private:
  Base base_;
  int times_;
};

/// The adaptor: returns another range with the same options.
template <class Source, class Fork>
auto repeat_each(filch::par_range<Source, Fork> range, int times) {
  return std::move(range).with_source(
      [&](Source&& s) { return repeated_source<Source>(std::move(s), times); });
}

/// The consumer: the mean of numbers. A folder takes the items of one leaf, on one thread. Its
/// part is their sum and count, and neighbouring parts are merged.
class mean_consumer {
 public:
  struct part {
    double sum = 0;
    std::size_t count = 0;
  };
  static constexpr auto rule = filch::plumbing::wanted::all;

  class folder {
   public:
    void take(double x) {
      seen_.sum += x;
      ++seen_.count;
    }
    part finish() && { return seen_; }

   private:
    part seen_;
  };
  folder begin(std::size_t) const { return {}; }
  part merge(part&& left, part&& right) const {
    return {left.sum + right.sum, left.count + right.count};
  }
};

/// Runs the chain into the consumer. drive() returns nothing if there were no items.
template <class Source, class Fork>
double mean(filch::par_range<Source, Fork> range) {
  const auto all = range.drive(mean_consumer());
  return all && all->count != 0 ? all->sum / static_cast<double>(all->count) : 0;
}

}  // namespace mine

int main() {
  mine::ring<int> last_four(4);
  for (int i = 1; i <= 10; ++i) last_four.push(i);

  const int sum = filch::par(last_four).map([](int x) { return x * x; }).sum();
  const auto twice = mine::repeat_each(filch::par(last_four).skip(2), 2).to_vector();
  std::printf("squares of the last four: %d; the last two, twice:", sum);
  for (const int x : twice) std::printf(" %d", x);
  const double mean = mine::mean(filch::par(last_four).map([](int x) { return x * 1.0; }));
  std::printf("; their mean: %g\n", mean);
  return sum == 49 + 64 + 81 + 100 && twice == std::vector{9, 9, 10, 10} && mean == 8.5 ? 0 : 1;
}
