// The random chains, as users write them.
#pragma once

#include <cstddef>
#include <deque>
#include <iterator>
#include <list>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/ranges.hpp"
#include "support/chain_items.hpp"
#include "support/chain_plan.hpp"
#include "support/par_on.hpp"

namespace filch::test {

/// A container of another library, which begins somewhere in the middle.
struct ring {
  std::vector<std::string> elements;
  std::size_t begin = 0;
  const std::string& operator[](std::size_t i) const {
    return elements[(begin + i) % elements.size()];
  }
};
struct ring_source {
  using item = const std::string&;
  const ring* all;
  std::size_t size() const { return all->elements.size(); }
  item get(std::size_t i) const { return (*all)[i]; }
};
inline ring_source par_source(const ring& r) { return {&r}; }

/// A view, which owns nothing. (clang 14 cannot compile libstdc++'s views.)
struct backwards : std::ranges::view_base {
  std::vector<std::string>* of;
  explicit backwards(std::vector<std::string>& v) : of(&v) {}
  auto begin() const { return of->rbegin(); }
  auto end() const { return of->rend(); }
};

/// The sources of chains, with `n` items. It keeps everything that is borrowed.
class chain_input {
 public:
  explicit chain_input(std::size_t n)
      : n_(n), ring_{words<std::vector<std::string>>("ring", n), n / 3} {
    for (std::size_t i = 0; i < n; ++i) characters_ += static_cast<char>('a' + i * i % 26);
  }

  /// The begin of a chain, on that fork.
  template <origin From, bool Piped, class Fork>
  auto begin(const Fork& fork) {
    using enum origin;
    using filch::test::par_on;
    const auto gifts_owned = [this] { return words<std::vector<gift>>("gift", n_); };
    if constexpr (From == vector && Piped) return par_on(fork, first_ | filch::views::par);
    if constexpr (From == vector && !Piped) return par_on(fork, first_);
    if constexpr (From == deque) return par_on(fork, std::as_const(second_));
    if constexpr (From == span) return par_on(fork, std::span(first_));
    if constexpr (From == characters) return par_on(fork, std::string_view(characters_));
    if constexpr (From == numbers) return par_on(fork, filch::par_indices(number{0}, n_));
    if constexpr (From == owned) return par_on(fork, std::vector<std::string>(first_));
    if constexpr (From == gifts) return par_on(fork, gifts_owned());
    if constexpr (From == zip_borrowed) return par_on(fork, filch::zip(first_, second_));
    if constexpr (From == zip_owned) return par_on(fork, filch::zip(gifts_owned(), first_));
    if constexpr (From == zip_three)
      return par_on(fork, filch::zip(first_, std::as_const(second_), filch::par_indices(0, n_)));
    if constexpr (From == view) return par_on(fork, backwards(first_));
    if constexpr (From == repeat) return par_on(fork, filch::par_repeat(word("again", 1), n_));
    if constexpr (From == once) return par_on(fork, filch::par_once(gift(word("gift", 0))));
    if constexpr (From == empty) return par_on(fork, filch::par_empty<gift>());
    if constexpr (From == ring) return par_on(fork, ring_);
    if constexpr (From == tree_prefix)
      return par_on(fork, filch::par_walk_prefix(node(0), children{n_}));
    if constexpr (From == tree_postfix)
      return par_on(fork, filch::par_walk_postfix(node(0), children{n_}));
    if constexpr (From == bridge)
      return par_on(fork, filch::par_bridge(words<std::list<gift>>("gift", n_)));
  }

  /// The texts of its items.
  std::vector<std::string> texts(origin from) const {
    using enum origin;
    std::vector<std::string> all;
    if (from == tree_prefix || from == tree_postfix) {
      walk(node(0), from == tree_prefix, all);
      return all;
    }
    const std::size_t n = from == once ? 1 : from == empty ? 0 : n_;
    for (std::size_t i = 0; i < n; ++i) {
      const std::string first = word("first", i), second = word("second", i);
      if (from == vector || from == span || from == owned) all.push_back(first);
      if (from == deque) all.push_back(second);
      if (from == characters) all.push_back(std::string(1, characters_[i]));
      if (from == numbers) all.push_back(std::to_string(i));
      if (from == gifts || from == once || from == bridge) all.push_back(word("gift", i));
      if (from == zip_borrowed) all.push_back("(" + first + "," + second + ")");
      if (from == zip_owned) all.push_back("(" + word("gift", i) + "," + first + ")");
      if (from == zip_three)
        all.push_back("(" + first + "," + second + "," + std::to_string(i) + ")");
      if (from == view) all.push_back(word("first", n - 1 - i));
      if (from == repeat) all.push_back(word("again", 1));
      if (from == ring) all.push_back(word("ring", (n / 3 + i) % n));
    }
    return all;
  }

  std::vector<std::string>& first() noexcept { return first_; }
  std::deque<std::string>& second() noexcept { return second_; }
  /// Is everything that was borrowed unchanged, with nothing moved out?
  bool is_as_it_was() const {
    return first_ == words<std::vector<std::string>>("first", n_) &&
           second_ == words<std::deque<std::string>>("second", n_) &&
           ring_.elements == words<std::vector<std::string>>("ring", n_) &&
           others() == words<std::vector<std::string>>("another", others_size);
  }

 private:
  using tree_node = std::pair<std::size_t, std::string>;
  static tree_node node(std::size_t i) { return {i, word("node", i)}; }
  /// Two or three children, in a tree of fewer than n nodes.
  struct children {
    std::size_t n;
    std::vector<tree_node> operator()(const tree_node& of) const {
      std::vector<tree_node> all;
      for (std::size_t k = 1; k <= 3 && 3 * of.first + k < n; ++k)
        if (k != of.first % 5) all.push_back(node(3 * of.first + k));
      return all;
    }
  };
  void walk(const tree_node& from, bool prefix, std::vector<std::string>& all) const {
    if (prefix) all.push_back(text(from));
    for (const tree_node& child : children{n_}(from)) walk(child, prefix, all);
    if (!prefix) all.push_back(text(from));
  }

  std::size_t n_;
  std::vector<std::string> first_ = words<std::vector<std::string>>("first", n_);
  std::deque<std::string> second_ = words<std::deque<std::string>>("second", n_);
  std::string characters_ = {};
  struct ring ring_;
};

// ---- what the functions of a chain do with items of any type ------------------------------------

/// The second half of a pair, as it comes; anything else with a mark.
struct mapping {
  number a;
  template <class I>
  decltype(auto) operator()(I&& x) const {
    using value = std::remove_cvref_t<I>;
    if constexpr (requires { std::tuple_size<value>::value; }) {
      return std::get<1>(std::forward<I>(x));
    } else if constexpr (std::same_as<value, gift>) {
      gift mine(std::forward<I>(x));
      mine.add("'" + std::to_string(a));
      return mine;
    } else {
      return marked(text(x), a);
    }
  }
};

/// As many items as the item says; at most one if they cannot be copied.
template <class Range>
struct several {
  number a;
  template <class I>
  auto operator()(I&& x) const {
    const std::size_t n = inner_length(text(x), a);
    using value = filch::detail::decayed<I>;
    using range = typename Range::template of<value>;
    if constexpr (std::copy_constructible<value>) {
      return range(n, kept(std::forward<I>(x)));
    } else {
      range one;
      if (n != 0) one.push_back(kept(std::forward<I>(x)));
      return one;
    }
  }
};
struct in_vectors {
  template <class T>
  using of = std::vector<T>;
};
struct in_lists {
  template <class T>
  using of = std::list<T>;
};

inline constexpr auto update_item = [](auto& x) {
  if constexpr (requires { x.add(updated); })
    x.add(updated);
  else
    x += updated;
};

// Lambdas in staged() would have the type of the chain before them in their names, so that names
// would double in length with each stage.
inline auto passing(number a) {
  return [a](const auto& x) { return passes(text(x), a); };
}
inline auto kept_if_it_passes(number a) {
  return [a]<class I>(I&& x) {
    std::optional<filch::detail::decayed<I>> some;
    if (passes(text(x), a)) some.emplace(kept(std::forward<I>(x)));
    return some;
  };
}
inline auto neighbours(number a) {
  return [a](const auto& x, const auto& y) { return together(text(x), text(y), a); };
}
inline auto repeated(number a) {
  return [a]<class I>(I&& x) {
    const std::size_t n = inner_length(text(x), a);
    return filch::par_repeat(kept(std::forward<I>(x)), n);
  };
}
inline auto changing_function() {
  return [calls = 0]<class I>(I&& x) mutable {
    ++calls;
    return kept(std::forward<I>(x));
  };
}
inline constexpr auto with_length = []<class I>(const I& x) {
  return std::pair<const I&, std::size_t>(x, text(x).size());
};
inline constexpr auto empty_text = [] { return std::string(); };
inline constexpr auto kept_with_state = []<class I>(std::string& state, I&& x) {
  state = text(x);
  return kept(std::forward<I>(x));
};

/// Calls a stage as `r.name(arguments)` or as `r | views::name(arguments)`.
#define FILCH_STAGE(name, ...)                               \
  {                                                          \
    if constexpr (Piped)                                     \
      return std::move(r) | filch::views::name(__VA_ARGS__); \
    else                                                     \
      return std::move(r).name(__VA_ARGS__);                 \
  }

template <kind K, bool Piped, class R>
auto staged(R r, number a) {
  using enum kind;
  if constexpr (K == rev) FILCH_STAGE(rev)
  if constexpr (K == take) FILCH_STAGE(take, size_of(a) * 20)
  if constexpr (K == skip) FILCH_STAGE(skip, size_of(a))
  if constexpr (K == step_by) FILCH_STAGE(step_by, 1 + size_of(a) % 4)
  if constexpr (K == zip) FILCH_STAGE(zip, others())
  if constexpr (K == zip_gifts)
    return std::move(r).zip(words<std::vector<gift>>("more", others_size));
  if constexpr (K == enumerate) FILCH_STAGE(enumerate)
  if constexpr (K == chunks) return std::move(r).chunks(1 + size_of(a)).map(joined);
  if constexpr (K == chunks_flattened) return std::move(r).chunks(1 + size_of(a)).flatten();
  if constexpr (K == windows) return std::move(r).windows(1 + size_of(a) % 4).map(joined);
  if constexpr (K == intersperse) FILCH_STAGE(intersperse, word("between", size_of(a)))
  if constexpr (K == chunk_by) return std::move(r).chunk_by(neighbours(a)).map(joined);
  if constexpr (K == chain || K == chain_owned) {
    if constexpr (std::same_as<std::remove_cvref_t<typename R::item>, gift>)
      return std::move(r).chain(words<std::vector<gift>>("another", others_size));
    else if constexpr (K == chain_owned)
      return std::move(r).chain(std::vector<std::string>(others()));
    else
      FILCH_STAGE(chain, others())
  }
  if constexpr (K == map) FILCH_STAGE(map, mapping{a})
  if constexpr (K == map_to_references) return std::move(r).map(with_length);
  if constexpr (K == update) FILCH_STAGE(update, update_item)
  if constexpr (K == copied) FILCH_STAGE(copied)
  if constexpr (K == filter) FILCH_STAGE(filter, passing(a))
  if constexpr (K == filter_map) return std::move(r).filter_map(kept_if_it_passes(a));
  if constexpr (K == flat_map_vectors) FILCH_STAGE(flat_map, several<in_vectors>{a})
  if constexpr (K == flat_map_lists) return std::move(r).flat_map(several<in_lists>{a});
  if constexpr (K == flat_map_repeat) return std::move(r).flat_map(repeated(a));
  if constexpr (K == map_of_changing_function) return std::move(r).map(changing_function());
  if constexpr (K == map_init) return std::move(r).map_init(empty_text, kept_with_state);
}
template <bool Piped, class R, class Check>
auto looked_at(R r, Check check) FILCH_STAGE(inspect, check)
#undef FILCH_STAGE

    /// All stages of a chain behind `r`. check(item) is called where the plan says.
    template <unsigned Chain, int I, class R, class Check>
    auto chained(R r, const arguments& args, Check check) {
  constexpr plan p = draw(Chain);
  if constexpr (I == p.check_at && Check::is_due)
    return chained<Chain, I>(looked_at<p.piped>(std::move(r), check), args, check.done());
  else if constexpr (I == p.depth)
    return r;
  else
    return chained<Chain, I + 1>(
        staged<p.stages[std::size_t{I}], p.piped>(std::move(r), args[std::size_t{I}]), args, check);
}

}  // namespace filch::test
