// Counts small numbers in tables.
#pragma once

#include <vector>

#include "filch/detail/loop/blocks.hpp"
#include "filch/detail/loop/range.hpp"

namespace filch::detail {

template <class K>
[[noreturn, gnu::cold, gnu::noinline]] void refuse_key(K key, std::size_t keys) {
  throw usage_error("filch::histogram(): there is a key " + std::to_string(key) +
                    ", but keys are from 0 up to, not including, " + std::to_string(keys));
}

/// Returns a key as an index into a table of `keys` numbers.
template <class K>
std::size_t checked_key(K key, std::size_t keys) {
  // A negative key becomes too large.
  const auto index = static_cast<std::size_t>(key);
  if (rarely(index >= keys)) refuse_key(key, keys);
  return index;
}

/// The number of tables that count side by side; neighbours in the range use them in turn. To count
/// the same key twice in a row, the second count would have to wait until the first is stored.
/// Several tables pay off while all of them fit into the nearest cache.
inline constexpr std::size_t histogram_lanes = 4;
inline constexpr std::size_t most_keys_in_lanes = 512;

/// Adds the keys of the items [from, to) to `counts`, which has a table of zeros for every lane.
/// Keys that always fit into the table need no check, such as bytes in a table of 256.
template <std::size_t Lanes, bool Checked, class I, class Key>
void count_keys(const I& first, std::size_t from, std::size_t to, std::size_t* counts,
                std::size_t keys, Key& key) {
  const auto index_of = [&](const I& i) {
    const projected_value<Key, I> number = std::invoke(key, *i);
    if constexpr (Checked) return detail::checked_key(number, keys);
    return static_cast<std::size_t>(number);
  };
  I i = detail::at(first, from);
  const I last = detail::at(first, to);
  if constexpr (Lanes > 1) {
    for (std::size_t rounds = (to - from) / Lanes; rounds != 0; --rounds)
      for (std::size_t lane = 0; lane != Lanes; ++lane, ++i) ++counts[lane * keys + index_of(i)];
  }
  for (; i != last; ++i) ++counts[index_of(i)];
  for (std::size_t lane = 1; lane < Lanes; ++lane)
    for (std::size_t k = 0; k != keys; ++k) counts[k] += counts[lane * keys + k];
}

template <fork_policy Fork, std::random_access_iterator I, class Key>
std::vector<std::size_t> histogram_with(const Fork& fork, I first, std::size_t n, std::size_t keys,
                                        Key& key, const options& o) {
  using key_type = projected_value<Key, I>;
  std::vector<std::size_t> total;
  detail::require_capacity(total, keys, "histogram()");
  bool always_within = false;
  if constexpr (std::is_unsigned_v<key_type>)
    always_within = keys > std::numeric_limits<key_type>::max();
  const auto count = [&]<std::size_t Lanes>(std::size_t from, std::size_t to, std::size_t* table) {
    if (always_within)
      detail::count_keys<Lanes, false>(first, from, to, table, keys, key);
    else
      detail::count_keys<Lanes, true>(first, from, to, table, keys, key);
  };
  // Making and adding the tables of all blocks must not cost more than counting.
  const std::size_t least =
      std::max({o.grain, 4 * keys,
                std::is_arithmetic_v<std::iter_value_t<I>> ? cheap_items : std::size_t{1}});
  const even_blocks blocks(fork, n, least);
  total.resize(keys);
  if (blocks.count() <= 1 && (n < std::max(cheap_items, 4 * keys) || keys > most_keys_in_lanes)) {
    for_each_block(fork, blocks, o, [&](std::size_t, std::size_t from, std::size_t to) {
      count.template operator()<1>(from, to, total.data());
    });
    return total;
  }
  const bool lanes = keys <= most_keys_in_lanes;
  std::vector<std::vector<std::size_t>> tables(blocks.count());
  for_each_block(fork, blocks, o, [&](std::size_t b, std::size_t from, std::size_t to) {
    // The thread that fills the table makes it.
    std::vector<std::size_t> table(lanes ? histogram_lanes * keys : keys);
    if (lanes)
      count.template operator()<histogram_lanes>(from, to, table.data());
    else
      count.template operator()<1>(from, to, table.data());
    tables[b] = std::move(table);
  });
  options adding;
  const auto leaf = [&](std::size_t from, std::size_t to) {
    for (const std::vector<std::size_t>& table : tables)
      for (std::size_t k = from; k != to; ++k) total[k] += table[k];
  };
  for_blocks(fork, keys, adding, leaf, cheap_items);
  return total;
}

/// A projection to a number that a histogram can count.
template <class Key, class I>
concept histogram_key =
    std::invocable<Key&, std::iter_reference_t<I>> && std::integral<projected_value<Key, I>>;

}  // namespace filch::detail
