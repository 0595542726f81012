// group_by_key, reduce_by_key, count_by_key: elements with the same key are collected, reduced or
// counted.
#pragma once

#include "filch/detail/kernel/group_by_key.hpp"

namespace filch {

/// Groups the elements of `range` by key(element). Returns, for every key, a pair of the key and a
/// vector of value(element) for its elements; without `value`, of the elements themselves.
/// ParlayLib: group_by_key, which takes pairs; for those, let `key` and `value` be the members of
/// the pair.
///
/// How      Each part of the range fills hash tables of its own, which are then merged. Keys are
///          hashed by std::hash and compared by ==. `key` and `value` are called once for each
///          element, several at once.
/// Returns  The keys in the order of their first occurrence in the range, and the elements of a key
///          in their order. Neither depends on the number of workers.
/// Options, Threads, Memory  as parallel_for().
/// Throws   What the functions, hashing, comparing and copying throw; as parallel_for();
///          `std::bad_alloc`. The range stays unchanged.
/// Cost     The calling thread alone does fewer than 512 elements. A key is copied once for each
///          part in which it occurs.
///
///     for (const auto& [city, inhabitants] : filch::group_by_key(people, &person::city)) ...
///     filch::group_by_key(pairs, &pair::first, &pair::second);
template <detail::splittable_range R, class Key, class Value = options>
requires detail::hashable_key<R, Key> && detail::values_by_key<R, Value>
[[nodiscard]] auto group_by_key(R&& range, Key key, Value&& value = detail::left_out(),
                                const options& o = {}) {
  auto by = detail::given(o, key, value);
  return detail::launch_on(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
    return detail::group_by_key_with(fork, first, n, by.f, by.g, by.o);
  });
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Key, class Value = options>
[[nodiscard]] auto group_by_key(I first, S last, Key key, Value&& value = detail::left_out(),
                                const options& o = {})
    -> FILCH_RESULT_OF(filch::group_by_key(detail::iter_range(first, last), std::move(key), value,
                                           o));

/// Reduces the values of the elements of every key: op(op(v1, v2), v3)... Returns pairs of a key
/// and its result.
///
/// How      Values are combined in the order of the range, so `op` need not be commutative. It must
///          be associative, because parts are combined first. Otherwise like group_by_key().
/// Returns  The keys in the order of their first occurrence in the range.
///          Without `op` values are added. Sums of integers narrower than int are long long or
///          unsigned long long.
/// Options  As group_by_key(). deterministic: the parts are the same for any number of workers and
///          any grain. So the results are the same, too, for an `op` that is only nearly
///          associative, such as a sum of floating-point numbers.
///
///     auto sums = filch::reduce_by_key(sales, &sale::city, &sale::price);
///     auto best = filch::reduce_by_key(sales, &sale::city, &sale::price, larger);
template <detail::splittable_range R, class Key, class Value, class Op = options>
requires detail::hashable_key<R, Key> && detail::values_by_key<R, Value, Op>
[[nodiscard]] auto reduce_by_key(R&& range, Key key, Value value, Op&& op = detail::left_out(),
                                 const options& o = {}) {
  return detail::reduce_by_key_of(range, key, value, op, o);
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Key, class Value, class Op = options>
[[nodiscard]] auto reduce_by_key(I first, S last, Key key, Value value,
                                 Op&& op = detail::left_out(), const options& o = {})
    -> FILCH_RESULT_OF(filch::reduce_by_key(detail::iter_range(first, last), std::move(key),
                                            std::move(value), op, o));

/// Counts how often each key(element) occurs. Returns pairs of a key and a count, in the order of
/// the first occurrence of the keys. Rayon and ParlayLib: histogram_by_key. Otherwise like
/// group_by_key().
///
///     for (const auto& [word, times] : filch::count_by_key(words)) ...
template <detail::splittable_range R, class Key = options>
requires detail::hashable_key<R, Key>
[[nodiscard]] auto count_by_key(R&& range, Key&& key = detail::left_out(), const options& o = {}) {
  auto by = detail::given<std::identity>(o, key);
  return detail::launch_on(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
    return detail::count_by_key_with(fork, first, n, by.f, by.o);
  });
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Key = options>
[[nodiscard]] auto count_by_key(I first, S last, Key&& key = detail::left_out(),
                                const options& o = {})
    -> FILCH_RESULT_OF(filch::count_by_key(detail::iter_range(first, last), key, o));

}  // namespace filch
