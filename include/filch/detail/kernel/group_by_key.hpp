// Groups, reduces and counts elements by key.
#pragma once

#include "filch/detail/base/sum_type.hpp"
#include "filch/detail/kernel/by_key.hpp"
#include "filch/detail/kernel/front.hpp"

namespace filch::detail {

/// A projection to a key that can be hashed and compared.
template <class R, class Key,
          class K = projected_value<or_default_t<Key>, std::ranges::iterator_t<R>>>
concept hashable_key = std::equality_comparable<K> && requires(const K& k) {
  { std::hash<K>()(k) } -> std::convertible_to<std::size_t>;
};

/// A projection to values that `Op` combines, if it is no options.
template <class R, class Value, class Op = options,
          class V = projected_value<or_default_t<Value>, std::ranges::iterator_t<R>>>
concept values_by_key =
    !no_options<Op> ||
    (std::invocable<Op&, V, V> && std::convertible_to<std::invoke_result_t<Op&, V, V>, V>);

/// Runs by_key over the elements of a range: with key(element), and value(element) if there is one.
template <class V, fork_policy Fork, class I, class Key, class Values, class... Value>
auto by_key_of(const Fork& fork, const I& first, std::size_t n, const options& o, Values values,
               Key& key, Value&... value) {
  using K = projected_value<Key, I>;
  std::hash<K> hash;
  std::equal_to<> equal;
  return by_key<K, V, std::hash<K>, std::equal_to<>, Values>(hash, equal, values)
      .run(fork, n, worth_hashing, o, [&](std::size_t from, std::size_t to, auto&& sink) {
        I i = detail::at(first, from);
        for (; from != to; ++from, ++i) sink(from, std::invoke(key, *i), std::invoke(value, *i)...);
      });
}

template <fork_policy Fork, std::random_access_iterator I, class Key, class Value>
auto group_by_key_with(const Fork& fork, I first, std::size_t n, Key& key, Value& value,
                       const options& o) {
  using T = projected_value<Value, I>;
  return detail::by_key_of<std::vector<T>>(fork, first, n, o, listing<T>(), key, value);
}

template <fork_policy Fork, std::random_access_iterator I, class Key, class Value, class Op>
auto reduce_by_key_with(const Fork& fork, I first, std::size_t n, Key& key, Value& value, Op& op,
                        const options& o) {
  using V = projected_value<Value, I>;
  return detail::by_key_of<V>(fork, first, n, o, reducing<V, Op>{op}, key, value);
}

template <fork_policy Fork, std::random_access_iterator I, class Key>
auto count_by_key_with(const Fork& fork, I first, std::size_t n, Key& key, const options& o) {
  return detail::by_key_of<std::size_t>(fork, first, n, o, counting(), key);
}

/// Without `op`, which is then options, it adds the values, as numbers of the type of a sum.
template <splittable_range R, class Key, class Value, class Op>
auto reduce_by_key_of(R& range, Key& key, Value& value, Op& op, const options& o) {
  auto by = detail::given<std::plus<>>(o, op);
  const auto reduce = [&](auto& get) {
    return detail::launch_on(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
      return detail::reduce_by_key_with(fork, first, n, key, get, by.f, by.o);
    });
  };
  using T = projected_value<Value, std::ranges::iterator_t<R>>;
  if constexpr (no_options<Op> || !narrow_integer<T>) {
    return reduce(value);
  } else {
    auto wide = [&value](auto&& element) -> sum_type<T> {
      return std::invoke(value, static_cast<decltype(element)>(element));
    };
    return reduce(wide);
  }
}

}  // namespace filch::detail
