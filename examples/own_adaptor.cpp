// Two adaptors of your own: a stage, and a source made of a source. docs/design/ranges.md explains
// them.
#include <cstddef>
#include <cstdio>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/plumbing.hpp"
#include "filch/ranges.hpp"

namespace mine {

/// Passes on the numbers from `low` to `high`: a stage. An item that is passed on depends on no
/// other item, so that several folders may take items in turn (keeps_nothing). A vector of the
/// items is made without copying them twice, because it is known which items pass (passes).
template <class T>
class within_stage {
 public:
  template <class Item>
  using item = Item;
  template <class Item>
  static constexpr bool keeps_nothing = true;

  within_stage(T low, T high) : low_(low), high_(high) {}
  bool passes(T x) const { return (low_ <= x) & (x <= high_); }

  /// Takes the items of a leaf. Next is the folder behind it. take_if() and take_all_if() let that
  /// folder avoid branches.
  template <class Next>
  class folder {
   public:
    folder(const within_stage& stage, Next next) : stage_(stage), next_(std::move(next)) {}
    template <class Item>
    void take(Item&& item) {
      filch::plumbing::take_if(next_, stage_.passes(item), static_cast<Item&&>(item));
    }
    template <class Get>
    requires filch::plumbing::takes_all_if<Next, std::invoke_result_t<const Get&, std::size_t>>
    void take_all(const Get& get, std::size_t first, std::size_t last) {
      next_.take_all_if(get, first, last, [s = stage_](T x) { return s.passes(x); });
    }
    bool full() const requires filch::plumbing::fillable<Next> { return next_.full(); }
    auto finish() && { return std::move(next_).finish(); }

   private:
    within_stage stage_;
    Next next_;
  };
  template <class Item, class Next>
  folder<Next> before(Next next) const {
    return folder<Next>(*this, std::move(next));
  }

 private:
  T low_;
  T high_;
};

/// The adaptor: returns another range with the same options.
template <class Source, class Fork, class T>
auto within(filch::par_range<Source, Fork> range, T low, T high) {
  return std::move(range).with_stage(within_stage<T>(low, high));
}

/// Gives every item `times` times: a source made of a source. feed() passes on the items of a leaf
/// of positions. It checks is_full(), because a consumer may have enough.
template <filch::plumbing::indexed_source Base>
class repeated_source {
 public:
  using item = typename Base::item;
  static constexpr bool gives_away = filch::plumbing::gives_away<Base>;

  repeated_source(Base base, int times) : base_(std::move(base)), times_(times) {}
  std::size_t size() const { return base_.size(); }

  template <class Folder>
  void feed(std::size_t first, std::size_t last, Folder& folder) const {
    for (std::size_t i = first; i != last; ++i)
      for (int k = 0; k < times_; ++k) {
        folder.take(base_.get(i));
        if (filch::plumbing::is_full(folder)) return;
      }
  }

 private:
  Base base_;
  int times_;
};

template <class Source, class Fork>
auto repeat_each(filch::par_range<Source, Fork> range, int times) {
  return std::move(range).with_source(
      [&](Source&& s) { return repeated_source<Source>(std::move(s), times); });
}

}  // namespace mine

int main() {
  const std::vector<int> v{1, 20, 3, 40, 5, 60};
  const auto small = mine::within(filch::par(v), 1, 10).to_vector();
  const int sum = mine::within(filch::par(v).map([](int x) { return 2 * x; }), 1, 10).sum();
  const auto twice = mine::repeat_each(filch::par(v).take(2), 2).to_vector();
  std::printf("from 1 to 10:");
  for (const int x : small) std::printf(" %d", x);
  std::printf("; the sum of what doubled is from 1 to 10: %d; the first two, twice:", sum);
  for (const int x : twice) std::printf(" %d", x);
  std::printf("\n");
  return small == std::vector{1, 3, 5} && sum == 2 + 6 + 10 && twice == std::vector{1, 1, 20, 20}
             ? 0
             : 1;
}
