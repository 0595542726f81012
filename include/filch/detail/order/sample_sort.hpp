// Divides elements into many buckets by comparing: the first step of a parallel sort.
//
// The first division of a quicksort is the work of one thread while the others wait. This division
// is done by all threads, makes up to 256 parts at once, and reads each element twice instead of
// eight times.
#pragma once

#include <optional>

#include "filch/detail/base/raw_memory.hpp"
#include "filch/detail/base/rng.hpp"
#include "filch/detail/order/distribute.hpp"
#include "filch/detail/order/quick_sort.hpp"

namespace filch::detail {

/// Elements that divide all others into buckets. They are chosen at equal distances from a sorted
/// sample. With k of them there are 2k + 1 buckets: bucket 2i + 1 is for elements equal to splitter
/// i, the others are for those in between. Bucket numbers ascend as the elements do.
template <class T, class Less>
class splitters {
  // Cheap elements are copied, so that they stay in the cache. For others there are pointers: the
  // elements do not move while the splitters are used.
  static constexpr bool copied =
      plain_element<T> && std::is_copy_constructible_v<T> && sizeof(T) <= 64;
  using entry = std::conditional_t<copied, T, T*>;

 public:
  /// Takes at most `wanted` - 1 splitters from [first, first + n). `wanted` is a power of two.
  /// Throws what `less` throws, and `std::bad_alloc`.
  splitters(T* first, std::size_t n, std::size_t wanted, Less less)
      : less_(less),
        levels_(static_cast<int>(std::bit_width(wanted)) - 1),
        tree_(wanted),
        sorted_(wanted) {
    if (!tree_ || !sorted_) throw std::bad_alloc();
    const std::size_t looked_at = wanted * per_splitter;
    std::vector<T*> sample(looked_at);
    // One from each of equal parts, at a position that follows no pattern but is the same each
    // time.
    rng random(n);
    const std::size_t part = n / looked_at;
    for (std::size_t i = 0; i != looked_at; ++i)
      sample[i] = first + i * part + random.bounded(static_cast<std::uint32_t>(part));
    detail::quick_sort(sample.data(), sample.data() + looked_at,
                       [&](T* a, T* b) { return less(*a, *b); });
    for (std::size_t i = per_splitter; i < looked_at; i += per_splitter)
      if (count_ == 0 || less(at(count_ - 1), *sample[i])) {
        std::construct_at(sorted_.data() + count_, make(sample[i]));
        ++count_;
      }
    // Entries beyond the last splitter repeat it. No element lies between two equal splitters.
    for (std::size_t i = count_; i < wanted; ++i)
      std::construct_at(sorted_.data() + i, sorted_.data()[count_ - 1]);
    fill(1, 0, wanted - 1);
  }

  /// The number of buckets.
  std::size_t buckets() const noexcept { return 2 * (std::size_t{1} << levels_) - 1; }

  /// The bucket of an element.
  [[gnu::always_inline]] std::size_t bucket_of(T& element) const {
    std::size_t node = 1;
    for (int level = 0; level < levels_; ++level)
      node = 2 * node + static_cast<std::size_t>(!less_(element, in_tree(node)));
    return finish(node, element);
  }

  /// The same for `Count` elements at once, so that their paths down the tree do not wait for each
  /// other.
  template <std::size_t Count>
  [[gnu::always_inline]] void buckets_of(T* elements, bucket_number* numbers) const {
    std::size_t node[Count];
    for (std::size_t i = 0; i < Count; ++i) node[i] = 1;
    for (int level = 0; level < levels_; ++level)
      for (std::size_t i = 0; i < Count; ++i)
        node[i] = 2 * node[i] + static_cast<std::size_t>(!less_(elements[i], in_tree(node[i])));
    for (std::size_t i = 0; i < Count; ++i)
      numbers[i] = static_cast<bucket_number>(finish(node[i], elements[i]));
  }

  /// Finds the buckets of `n` elements, and counts the elements of each.
  void classify(T* elements, std::size_t n, bucket_number* numbers, std::size_t* counters) const {
    std::size_t i = 0;
    if constexpr (copied)
      for (; i + 8 <= n; i += 8) buckets_of<8>(elements + i, numbers + i);
    for (; i < n; ++i) numbers[i] = static_cast<bucket_number>(bucket_of(elements[i]));
    for (i = 0; i < n; ++i) ++counters[numbers[i]];
  }

 private:
  static constexpr std::size_t per_splitter = 8;

  static entry make(T* element) {
    if constexpr (copied)
      return *element;
    else
      return element;
  }
  static T& value(entry& e) noexcept {
    if constexpr (copied)
      return e;
    else
      return *e;
  }
  T& at(std::size_t i) const noexcept { return value(sorted_.data()[i]); }
  T& in_tree(std::size_t node) const noexcept { return value(tree_.data()[node]); }

  /// The bucket of a leaf of the tree: interval `i`, or the elements equal to the splitter before
  /// it.
  [[gnu::always_inline]] std::size_t finish(std::size_t node, T& element) const {
    const std::size_t i = node - (std::size_t{1} << levels_);  // splitters not after the element
    const std::size_t before = i - static_cast<std::size_t>(i != 0);
    const bool equal = !less_(at(before), element);
    return 2 * i - static_cast<std::size_t>(static_cast<int>(equal) & static_cast<int>(i != 0));
  }

  /// Puts the splitters [from, to) into the subtree at `node`, the middle one into `node` itself.
  /// As in a heap, the children of node i are 2i and 2i + 1.
  void fill(std::size_t node, std::size_t from, std::size_t to) {
    if (from == to) return;
    const std::size_t middle = from + (to - from) / 2;
    std::construct_at(tree_.data() + node, sorted_.data()[middle]);
    fill(2 * node, from, middle);
    fill(2 * node + 1, middle + 1, to);
  }

  Less less_;
  int levels_;
  raw_memory<entry> tree_, sorted_;
  std::size_t count_ = 0;
};

/// The number of elements from which this is faster.
inline constexpr std::size_t sample_sort_from = std::size_t{1} << 15;

/// Puts the `n` elements at `first` into buckets, using `other`, which is raw memory for as many.
/// Calls `sort(from, to)` for each bucket whose elements are not all equal, when they are back at
/// these indices behind `first`. Stable. Returns false, with nothing done, if there is no memory.
/// If `less` or `sort` throws, the range still has all its elements.
template <class Fork, class T, class Less, class Sort>
bool distribute_by_samples(const Fork& fork, T* first, std::size_t n, T* other, Less less,
                           std::size_t grain, const Sort& sort) {
  const std::size_t wanted = std::clamp<std::size_t>(std::bit_floor(n / (1u << 14)), 8, 256);
  raw_memory<bucket_number> numbers(n);
  if (!numbers) return false;
  std::optional<splitters<T, Less>> by;
  std::optional<distribution<T>> parts;
  try {
    by.emplace(first, n, wanted, less);
    parts.emplace(n, by->buckets());
  } catch (const std::bad_alloc&) {
    return false;
  }
  parts->count(fork, first,
               [&](T* block, std::size_t size, std::size_t begin, std::size_t* counters) {
                 by->classify(block, size, numbers.data() + begin, counters);
               });
  parts->send(fork, first, other, [&](T&, std::size_t i) { return numbers.data()[i]; });
  const bucket_starts& starts = parts->starts();
  fork_buckets(fork, starts, 0, parts->buckets(), grain, [&](std::size_t from, std::size_t to) {
    // Moves all buckets of the group first: if sorting one of them throws, the others are where
    // they belong.
    detail::relocate_all(other + starts[from], other + starts[to], first + starts[from]);
    if (!fork.may_start()) return;
    for (std::size_t b = from; b != to; ++b)
      if (b % 2 == 0 && starts[b + 1] - starts[b] > 1) sort(starts[b], starts[b + 1]);
  });
  return true;
}

}  // namespace filch::detail
