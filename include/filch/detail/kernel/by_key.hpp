// One value for each key of a range.
#pragma once

#include <bit>

#include "filch/detail/kernel/key_table.hpp"
#include "filch/detail/loop/blocks.hpp"
#include "filch/detail/loop/fork.hpp"
#include "filch/detail/loop/launch.hpp"

namespace filch::detail {

/// for_each_block() on the real fork. It is not a template because one algorithm with three such
/// loops takes more than a second to compile as templates.
void run_large_blocks(const even_blocks& blocks, const options& o,
                      call_ref<std::size_t, std::size_t, std::size_t> body);

/// for_each_block(), compiled once for all bodies.
template <fork_policy Fork, std::invocable<std::size_t, std::size_t, std::size_t> Body>
void for_each_large_block(const Fork& fork, const even_blocks& blocks, const options& o,
                          Body&& body) {
  if constexpr (std::same_as<Fork, parallel_fork> && !tells_tsan)
    detail::run_large_blocks(blocks, o, call_ref<std::size_t, std::size_t, std::size_t>(body));
  else
    detail::for_each_block(fork, blocks, o, body);
}

/// With fewer items the calling thread works alone. Every item costs at least one hash.
inline constexpr std::size_t worth_hashing = 256;

/// A key: the position at which it came first, and the entry that holds it.
struct found_key {
  std::size_t first;
  void* entry;
};
/// Not a template: it would be compiled for every kind of key.
void sort_by_position(found_key* keys, std::size_t n);

/// `Values` says how the values of one key are combined:
///   start(item...)        the value of a key whose first item this is
///   add(value, item...)   adds another item of that key, which comes after the others
///   merge(value, other)   combines the values of neighbouring blocks; `other` is the later one
///
/// Each block fills its own tables, one for each share of the keys. Then each share is merged block
/// by block, so that values are combined in the order of the range. At the end the keys are sorted
/// by the position at which they came first.
template <class K, class V, class Hash, class Equal, class Values>
class by_key {
 public:
  using table = key_table<K, V, Equal>;
  using entry = typename table::entry;

  by_key(Hash& hash, Equal& equal, Values& values) : hash_(hash), equal_(equal), values_(values) {}

  /// Calls produce(from, to, sink) for blocks of [0, n). `produce` calls sink(position, key,
  /// item...) for each item that it finds there. Positions ascend and lie in [from, to).
  template <fork_policy Fork, class Produce>
  std::vector<std::pair<K, V>> run(const Fork& fork, std::size_t n, std::size_t least,
                                   const options& o, Produce&& produce) {
    const even_blocks blocks = o.deterministic ? even_blocks(n, fixed_blocks(n, least))
                                               : even_blocks(fork, n, std::max(least, o.grain));
    const std::size_t shares =
        blocks.count() <= 1 ? 1 : std::bit_ceil(std::min<std::size_t>(blocks.count(), 64));
    const auto tables = std::make_unique<tables_of_block[]>(blocks.count());
    for_each_large_block(fork, blocks, o, [&](std::size_t b, std::size_t from, std::size_t to) {
      auto mine = std::make_unique<table[]>(shares);
      produce(from, to, [&](std::size_t position, auto&& key, auto&&... item) {
        const std::uint64_t hash = spread(std::invoke(hash_, std::as_const(key)));
        table& t = mine[share_of(hash, shares)];
        if (V* known = t.find(hash, key, equal_))
          values_.add(*known, static_cast<decltype(item)>(item)...);
        else
          t.add(hash, static_cast<decltype(key)>(key), position,
                values_.start(static_cast<decltype(item)>(item)...));
      });
      tables[b] = std::move(mine);
    });
    if (blocks.count() == 0) return {};
    if (blocks.count() == 1) return taken_out(tables[0][0].entries());

    // ends[s][b] is the number of keys of share s that came first in block b or an earlier one.
    const auto ends = std::make_unique<std::vector<std::size_t>[]>(shares);
    for_each_large_block(fork, even_blocks(shares, shares), {},
                         [&](std::size_t s, std::size_t, std::size_t) {
                           ends[s] = merge_share(tables.get(), blocks.count(), s);
                         });
    return in_order(fork, blocks, tables[0].get(), ends.get(), shares);
  }

 private:
  /// One table for each share of the keys.
  using tables_of_block = std::unique_ptr<table[]>;

  /// The number of blocks depends only on the number of items, so values are combined in the same
  /// order with any number of workers.
  static std::size_t fixed_blocks(std::size_t n, std::size_t least) noexcept {
    return std::clamp<std::size_t>(n / std::max<std::size_t>(least, 1), 1, 64);
  }
  static std::size_t share_of(std::uint64_t hash, std::size_t shares) noexcept {
    return to_size(hash >> 58) & (shares - 1);
  }

  /// Merges share `s` of all blocks into the table of the first block.
  std::vector<std::size_t> merge_share(tables_of_block* tables, std::size_t blocks, std::size_t s) {
    table& all = tables[0][s];
    std::vector<std::size_t> ends{all.entries().size()};
    for (std::size_t b = 1; b != blocks; ++b) {
      for (entry& e : tables[b][s].entries())
        if (V* known = all.find(e.hash, e.key, equal_))
          values_.merge(*known, std::move(e.value));
        else
          all.add(e.hash, std::move(e.key), e.first, std::move(e.value));
      { const table done = std::move(tables[b][s]); }  // frees its memory
      ends.push_back(all.entries().size());
    }
    return ends;
  }

  /// In every share, the keys that came first in the same block lie together.
  template <fork_policy Fork>
  std::vector<std::pair<K, V>> in_order(const Fork& fork, const even_blocks& blocks, table* tables,
                                        const std::vector<std::size_t>* ends, std::size_t shares) {
    const auto parts = std::make_unique<std::vector<found_key>[]>(blocks.count());
    for_each_large_block(fork, blocks, {}, [&](std::size_t b, std::size_t, std::size_t) {
      std::vector<found_key> part;
      for (std::size_t s = 0; s != shares; ++s)
        for (std::size_t i = b == 0 ? 0 : ends[s][b - 1]; i != ends[s][b]; ++i) {
          entry& e = tables[s].entries()[i];
          part.push_back({e.first, &e});
        }
      detail::sort_by_position(part.data(), part.size());
      parts[b] = std::move(part);
    });
    std::size_t count = 0;
    for (std::size_t b = 0; b != blocks.count(); ++b) count += parts[b].size();
    std::vector<std::pair<K, V>> result;
    result.reserve(count);
    for (std::size_t b = 0; b != blocks.count(); ++b)
      for (const found_key& found : parts[b]) {
        entry& e = *static_cast<entry*>(found.entry);
        result.emplace_back(std::move(e.key), std::move(e.value));
      }
    return result;
  }

  static std::vector<std::pair<K, V>> taken_out(std::vector<entry>& entries) {
    std::vector<std::pair<K, V>> result;
    result.reserve(entries.size());
    for (entry& e : entries) result.emplace_back(std::move(e.key), std::move(e.value));
    return result;
  }

  Hash& hash_;
  Equal& equal_;
  Values& values_;
};

/// Values that are counts.
struct counting {
  static std::size_t start() noexcept { return 1; }
  static void add(std::size_t& count) noexcept { ++count; }
  static void merge(std::size_t& count, std::size_t other) noexcept { count += other; }
};

/// Values that are lists.
template <class T>
struct listing {
  template <class Item>
  static std::vector<T> start(Item&& item) {
    std::vector<T> one;
    one.push_back(std::forward<Item>(item));
    return one;
  }
  template <class Item>
  static void add(std::vector<T>& list, Item&& item) {
    list.push_back(std::forward<Item>(item));
  }
  static void merge(std::vector<T>& list, std::vector<T>&& other) {
    // insert() would make this slow to compile.
    const std::size_t count = list.size() + other.size();
    if (count > list.capacity()) list.reserve(std::max(count, 2 * list.capacity()));
    for (auto&& item : other) list.push_back(std::move(item));  // of a vector<bool> no T&
  }
};

/// Values that are combined by a function.
template <class V, class Op>
struct reducing {
  Op& op;

  template <class Item>
  V start(Item&& item) const {
    return V(std::forward<Item>(item));
  }
  template <class Item>
  void add(V& value, Item&& item) const {
    value = std::invoke(op, std::move(value), std::forward<Item>(item));
  }
  void merge(V& value, V&& other) const {
    value = std::invoke(op, std::move(value), std::move(other));
  }
};

}  // namespace filch::detail
