// A random chain, run once and compared with plain loops.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "filch/errors.hpp"
#include "filch/expected.hpp"
#include "filch/ranges.hpp"
#include "support/any_fork_policy.hpp"
#include "support/chain_items.hpp"
#include "support/chain_model.hpp"
#include "support/chain_plan.hpp"
#include "support/chain_stages.hpp"
#include "support/sanitizers.hpp"
#include "support/sizes.hpp"

namespace filch::test {

struct failure : std::runtime_error {
  failure() : std::runtime_error("an item failed") {}
};

using texts = std::vector<std::string>;

inline texts sorted(texts v) {
  std::sort(v.begin(), v.end());
  return v;
}
template <class Range>
texts texts_of(const Range& range) {
  texts all;
  for (const auto& x : range) all.push_back(text(x));
  return all;
}

/// The arguments of a run, and the items that throw or request a stop.
class run_of_chain {
 public:
  run_of_chain(filch::detail::rng& random, std::size_t n) : size(n) {
    for (number& a : args) a = static_cast<number>(random.bounded(60));
    out_of_ = static_cast<std::uint32_t>(n) + 1;
    which_ = random.bounded(out_of_);
    const auto how = random.bounded(4);
    throws_ = how == 0;
    stops = how == 1;
    grain = random.bounded(3) == 0 ? 1 + random.bounded(50) : 0;
  }
  bool is_bad(const std::string& x) const { return throws_ && is_it(x); }
  void look(const std::string& x) {
    if (is_bad(x)) throw failure();
    if (stops && is_it(x)) stop.request_stop();
  }

  std::size_t size;
  std::size_t grain;
  arguments args{};
  bool stops;
  std::stop_source stop = {};

 private:
  bool is_it(const std::string& x) const { return mixed(x) % out_of_ == which_; }

  bool throws_;
  std::uint32_t out_of_;
  std::uint32_t which_;
};

/// Reads items where a chain says so.
template <bool Due>
struct looking {
  static constexpr bool is_due = Due;
  run_of_chain* run;
  template <class I>
  void operator()(const I& x) const {
    run->look(text(x));
  }
  looking<false> done() const { return {run}; }
};

template <unsigned Chain>
class one_chain {
  static constexpr origin from = chains[Chain].from;
  static constexpr outcome to = chains[Chain].to;
  static constexpr bool in_order = from != origin::bridge;

 public:
  explicit one_chain(run_of_chain& r) : run_(r), input_(r.size) {
    for (std::string& x : input_.texts(from)) expected_.push_back({std::move(x)});
    expected_ = expected_chain(Chain, std::move(expected_), r.args,
                               [&](model_item& i) { i.bad = r.is_bad(i.text); });
    bad_ =
        std::any_of(expected_.begin(), expected_.end(), [](const model_item& i) { return i.bad; });
    for (const model_item& i : expected_) texts_.push_back(i.text);
  }

  template <class Fork>
  void test(const Fork& fork) {
    {
      auto range = chained<Chain, 0>(input_.begin<from, draw(Chain).piped>(fork), run_.args,
                                     looking<true>{&run_})
                       .with_grain(run_.grain)
                       .until(run_.stop.get_token());
      consume(range);
    }
    EXPECT_TRUE(to == outcome::for_each_in_place || input_.is_as_it_was());
    EXPECT_EQ(gift::live() + ware::live(), 0);
    EXPECT_EQ(gift::wrong_destructions() + ware::wrong_destructions(), 0);
  }

 private:
  template <class R>
  void consume(R& r) {
    using enum outcome;
    if constexpr (to <= product_in_place || to == try_to)
      collect(r);
    else if constexpr (to <= for_each_init)
      call(r);
    else if constexpr (to <= minmax)
      combine(r);
    else
      search(r);
  }

  // ---- containers -------------------------------------------------------------------------------

  template <class R>
  void collect(R& r) {
    using enum outcome;
    using value = filch::detail::decayed<typename R::item>;
    const auto with_key = []<class I>(I&& x) {
      std::string key = key_of(text(x));
      return std::pair<std::string, value>(std::move(key), std::forward<I>(x));
    };
    if constexpr (to == to_vector) {
      complete([&] { expect_all(r.to_vector()); });
    } else if constexpr (to == to_deque) {
      complete([&] { expect_all(r.template to<std::deque>()); });
    } else if constexpr (to == to_set) {
      texts once = sorted(texts_);
      once.erase(std::unique(once.begin(), once.end()), once.end());
      complete([&] { EXPECT_EQ(sorted(texts_of(r.template to<std::set>())), once); });
    } else if constexpr (to == to_map) {
      complete([&] { expect_first_of_keys(std::move(r).map(with_key).template to<std::map>()); });
    } else if constexpr (to == to_unordered_map) {
      complete([&] {
        expect_first_of_keys(std::move(r).map(with_key).template to<std::unordered_map>());
      });
    } else if constexpr (to == to_string) {
      std::string all;
      for (const std::string& x : texts_) all += x.back();
      const auto last = [](const auto& x) { return text(x).back(); };
      complete([&] { EXPECT_EQ(std::move(r).map(last).template to<std::string>(), all); });
    } else if constexpr (to == into_vector || to == into_deque) {
      std::conditional_t<to == into_vector, std::vector<value>, std::deque<value>> out(
          texts_.size() + 1);
      complete([&] {
        EXPECT_EQ(r.into(out), texts_.size());
        EXPECT_EQ(text(out.back()), text(value()));
        out.pop_back();
        expect_all(out);
      });
    } else if constexpr (to == unzip) {
      complete([&] {
        const auto [numbers, halves] = r.unzip();
        texts all;
        for (const std::string& x : texts_) all.push_back(second_half(x));
        EXPECT_EQ(texts_of(halves), all);
        for (std::size_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(numbers[i], i);
      });
    } else if constexpr (to == partition) {
      complete([&] {
        const auto sides = r.partition([](const auto& x) { return wanted(text(x)); });
        expect_sides(sides);
      });
    } else if constexpr (to == partition_map) {
      complete([&] {
        expect_sides(r.partition_map([]<class I>(I&& x) -> std::variant<value, std::string> {
          std::string name = text(x);
          if (!wanted(name)) return std::variant<value, std::string>(std::in_place_index<1>, name);
          return std::variant<value, std::string>(std::in_place_index<0>, std::forward<I>(x));
        }));
      });
    } else if constexpr (to == group_by) {
      std::vector<std::pair<std::string, texts>> groups;
      for (const std::string& x : texts_) {
        auto at = std::find_if(groups.begin(), groups.end(),
                               [&](const auto& g) { return g.first == key_of(x); });
        if (at == groups.end()) at = groups.insert(at, {key_of(x), {}});
        at->second.push_back(x);
      }
      complete([&] {
        std::vector<std::pair<std::string, texts>> got;
        for (const auto& [key, list] : r.group_by([](const auto& x) { return key_of(text(x)); }))
          got.emplace_back(key, texts_of(list));
        EXPECT_EQ(got, groups);
      });
    } else if constexpr (to == product_in_place) {
      using source = typename R::source_type;
      complete([&] {
        expect_all(std::move(r).map([](const auto& x) { return ware(text(x)); }).to_vector());
        const auto n = static_cast<number>(texts_.size());
        EXPECT_EQ(ware::made(), n);
        constexpr bool by_number =
            filch::plumbing::indexed_source<source> && !filch::plumbing::feeding_source<source>;
#if FILCH_VECTOR_STORAGE
        EXPECT_LE(ware::moves(), by_number ? 0 : 2 * n);
#else
        EXPECT_LE(ware::moves(), by_number ? n : 2 * n);
#endif
      });
    } else {
      const auto hit = first_of(expected_);
      searched(hit, [&]() -> std::optional<std::string> {
        const auto all =
            std::move(r)
                .map([]<class I>(I&& x) -> filch::expected<value, std::string> {
                  if (wanted(text(x))) return filch::unexpected(text(x));
                  return filch::expected<value, std::string>(std::in_place, std::forward<I>(x));
                })
                .template try_to<std::vector>();
        if (!all) return all.error();
        expect_all(*all);
        return std::nullopt;
      });
    }
  }

  // ---- calls ------------------------------------------------------------------------------------

  template <class R>
  void call(R& r) {
    using enum outcome;
    if constexpr (to == for_each_in_place) {
      complete([&] {
        r.for_each([](auto&& x) { lengthen(x); });
        std::set<std::string> seen;
        for (const std::string& x : texts_) add_words(x, seen);
        expect_lengthened(input_.first(), "first", seen);
        expect_lengthened(input_.second(), "second", seen);
      });
    } else {
      std::mutex mutex;
      texts seen;
      complete([&] {
        seen.clear();
        const auto write = [&](std::string x) {
          const std::scoped_lock lock(mutex);
          seen.push_back(std::move(x));
        };
        if constexpr (to == for_each)
          r.for_each([&](const auto& x) { write(text(x)); });
        else
          r.for_each_init([] { return std::string(); },
                          [&](std::string& state, auto&& x) {
                            state = text(x);
                            write(state);
                          });
        EXPECT_EQ(sorted(seen), sorted(texts_));
      });
    }
  }

  // ---- one value --------------------------------------------------------------------------------

  template <class R>
  void combine(R& r) {
    using enum outcome;
    const auto by_rank = [](const auto& a, const auto& b) { return rank(text(a)) < rank(text(b)); };
    const auto nowhere = texts_.end();
    const auto expect_item = [&](texts::const_iterator at, const auto& got) {
      ASSERT_EQ(got.has_value(), at != nowhere);
      EXPECT_TRUE(!got || text(*got) == *at);
    };
    std::string whole;
    for (const std::string& x : texts_) whole += x;
    if constexpr (to == reduce) {
      // The last of the largest.
      const auto last = std::max_element(texts_.rbegin(), texts_.rend(), by_rank);
      const auto larger = [](auto a, auto b) {
        return rank(text(b)) >= rank(text(a)) ? std::move(b) : std::move(a);
      };
      complete([&] {
        expect_item(texts_.empty() ? nowhere : std::prev(last.base()), r.reduce(larger));
      });
    } else if constexpr (to == reduce_value) {
      complete([&] {
        EXPECT_EQ(std::move(r).map(text_of).reduce(std::string(">"), std::plus{}), ">" + whole);
      });
    } else if constexpr (to == reduce_make || to == fold) {
      const auto make = [] { return std::string(); };
      const auto add = [](std::string a, const auto& b) { return std::move(a) + text(b); };
      complete([&] {
        if constexpr (to == reduce_make)
          EXPECT_EQ(r.reduce(make, add), whole);
        else
          EXPECT_EQ(std::move(r).fold(make, add).sum(), whole);
      });
    } else if constexpr (to == sum || to == outcome::product) {
      const auto number_of = [](const auto& x) { return mixed(text(x)) | 1u; };
      std::uint32_t all = to == sum ? 0 : 1;
      for (const std::string& x : texts_) all = to == sum ? all + number_of(x) : all * number_of(x);
      complete([&] {
        if constexpr (to == sum)
          EXPECT_EQ(std::move(r).map(number_of).sum(), all);
        else
          EXPECT_EQ(std::move(r).map(number_of).product(), all);
      });
    } else if constexpr (to == count) {
      complete([&] { EXPECT_EQ(r.count(), texts_.size()); });
    } else if constexpr (to == minmax) {
      const auto least = std::min_element(texts_.begin(), texts_.end(), by_rank);
      const auto most = std::max_element(texts_.rbegin(), texts_.rend(), by_rank);
      complete([&] {
        const auto got = r.minmax(by_rank);
        ASSERT_EQ(got.has_value(), !texts_.empty());
        if (!got) return;
        EXPECT_EQ(text(got->min), *least);
        EXPECT_EQ(text(got->max), *most);
      });
    } else {
      constexpr bool largest = to == max_by || to == max_by_key;
      const auto best = largest ? std::max_element(texts_.begin(), texts_.end(), by_rank)
                                : std::min_element(texts_.begin(), texts_.end(), by_rank);
      const auto key = [](const auto& x) { return rank(text(x)); };
      complete([&] {
        if constexpr (to == outcome::min) expect_item(best, r.min(by_rank));
        if constexpr (to == max_by) expect_item(best, r.max_by(by_rank));
        if constexpr (to == min_by_key) expect_item(best, r.min_by_key(key));
        if constexpr (to == max_by_key) expect_item(best, r.max_by_key(key));
      });
    }
  }

  // ---- searches ---------------------------------------------------------------------------------

  template <class R>
  void search(R& r) {
    using enum outcome;
    constexpr bool last = to == find_last || to == find_map_last || to == position_last;
    const auto hit = first_of(last ? model_items(expected_.rbegin(), expected_.rend()) : expected_);
    const auto is_wanted = [](const auto& x) { return wanted(text(x)); };
    const auto as_text = [](const auto& found) {
      return found ? std::optional(text(*found)) : std::nullopt;
    };
    const auto named = [](const auto& x) {
      return wanted(text(x)) ? std::optional(text(x)) : std::nullopt;
    };
    const auto at = [&](std::optional<std::size_t> i) {
      return i ? std::optional(texts_.at(*i)) : std::nullopt;
    };
    if constexpr (to == find_first) searched(hit, [&] { return as_text(r.find_first(is_wanted)); });
    if constexpr (to == find_last) searched(hit, [&] { return as_text(r.find_last(is_wanted)); });
    if constexpr (to == find_any) found([&] { return as_text(r.find_any(is_wanted)); });
    if constexpr (to == find_map_first)
      searched(hit, [&] { return as_text(r.find_map_first(named)); });
    if constexpr (to == find_map_last)
      searched(hit, [&] { return as_text(r.find_map_last(named)); });
    if constexpr (to == find_map_any) found([&] { return as_text(r.find_map_any(named)); });
    if constexpr (to == position_first)
      searched(hit, [&] { return at(r.position_first(is_wanted)); });
    if constexpr (to == position_last)
      searched(hit, [&] { return at(r.position_last(is_wanted)); });
    if constexpr (to == position_any) found([&] { return at(r.position_any(is_wanted)); });
    if constexpr (to == any || to == none || to == all) {
      const auto answer = [&] {
        if constexpr (to == any) return r.any(is_wanted);
        if constexpr (to == none) return !r.none(is_wanted);
        if constexpr (to == all) return !r.all(std::not_fn(is_wanted));
      };
      const auto one = std::find_if(texts_.begin(), texts_.end(), wanted);
      found(
          [&] { return answer() ? std::optional(one != texts_.end() ? *one : "") : std::nullopt; });
    }
    if constexpr (to == take_any || to == skip_any) {
      const std::size_t some = size_of(run_.args[1]) * 5;
      const std::size_t least = std::min(some, texts_.size());
      // Any of them may be taken, so one that throws may be among them or not.
      try {
        texts got;
        if constexpr (to == take_any)
          got = sorted(texts_of(std::move(r).take_any(some).to_vector()));
        else
          got = sorted(texts_of(std::move(r).skip_any(some).to_vector()));
        const texts from_all = sorted(texts_);
        EXPECT_EQ(got.size(), to == take_any ? least : texts_.size() - least);
        EXPECT_TRUE(std::includes(from_all.begin(), from_all.end(), got.begin(), got.end()));
      } catch (const failure&) {
        EXPECT_TRUE(bad_);
      } catch (const filch::cancelled&) {
        EXPECT_TRUE(run_.stops);
      }
    }
    using attempt = filch::expected<std::string, std::string>;
    std::string whole;
    for (const std::string& x : texts_) whole += x;
    const auto failed_with = [&](const attempt& all) -> std::optional<std::string> {
      if (!all) return all.error();
      EXPECT_EQ(*all, whole);
      return std::nullopt;
    };
    if constexpr (to == try_for_each)
      searched(hit, [&]() -> std::optional<std::string> {
        const auto done = r.try_for_each([](auto&& x) -> attempt {
          if (wanted(text(x))) return filch::unexpected(text(x));
          return std::string();
        });
        return done ? std::nullopt : std::optional(done.error());
      });
    if constexpr (to == try_reduce)
      searched(hit, [&] {
        const auto attempted = [](const auto& x) -> attempt {
          if (wanted(text(x))) return filch::unexpected(text(x));
          return text(x);
        };
        const auto add = [](std::string a, const std::string& b) -> attempt { return a + b; };
        return failed_with(std::move(r).map(attempted).try_reduce(std::string(), add));
      });
    if constexpr (to == try_fold)
      searched(hit, [&] {
        const auto add = [](std::string a, const auto& x) -> attempt {
          if (wanted(text(x))) return filch::unexpected(text(x));
          return std::move(a) + text(x);
        };
        return failed_with(r.try_fold(std::string(), add, std::plus{}));
      });
  }

  // ---- what the searches look for, and what they find -------------------------------------------

  static bool wanted(const std::string& x) { return mixed(x, 9) % 61 == 0; }
  static std::string key_of(const std::string& x) { return word("key", mixed(x, 3) % 7); }
  static std::uint32_t rank(const std::string& x) { return mixed(x, 5) % 97; }

  struct search_result {
    std::optional<std::string> hit;
    bool throws;  ///< something throws before the hit, in the order of the search
  };
  static search_result first_of(const model_items& all) {
    for (const model_item& i : all) {
      if (i.bad) return {std::nullopt, true};
      if (wanted(i.text)) return {i.text, false};
    }
    return {std::nullopt, false};
  }

  template <class Container>
  void expect_all(const Container& got) {
    if (in_order)
      EXPECT_EQ(texts_of(got), texts_);
    else
      EXPECT_EQ(sorted(texts_of(got)), sorted(texts_));
  }
  template <class Map>
  void expect_first_of_keys(const Map& got) {
    std::map<std::string, std::string> first;
    for (const std::string& x : texts_) first.emplace(key_of(x), x);
    std::map<std::string, std::string> shown;
    for (const auto& [key, x] : got) shown.emplace(key, text(x));
    EXPECT_EQ(shown, first);
  }
  template <class Sides>
  void expect_sides(const Sides& got) {
    texts yes, no;
    for (const std::string& x : texts_) (wanted(x) ? yes : no).push_back(x);
    EXPECT_EQ(texts_of(got.first), yes);
    EXPECT_EQ(texts_of(got.second), no);
  }

  /// Writes to every string that an item refers to and that may be written.
  template <class I>
  static void lengthen(I& x) {
    if constexpr (std::same_as<I, std::string>)
      x += "!";
    else if constexpr (requires { std::tuple_size<I>::value; } && !std::is_const_v<I>)
      std::apply([](auto&... half) { (lengthen(half), ...); }, x);
  }
  /// Adds the words in the text of an item.
  static void add_words(const std::string& x, std::set<std::string>& to_these) {
    std::string one;
    for (const char c : x + ",")
      if (c == '(' || c == ')' || c == ',')
        to_these.insert(std::exchange(one, {}));
      else
        one += c;
  }
  template <class Container>
  static void expect_lengthened(const Container& got, const char* of,
                                const std::set<std::string>& seen) {
    for (std::size_t i = 0; i < got.size(); ++i)
      ASSERT_EQ(got[i], word(of, i) + (seen.contains(word(of, i)) ? "!" : ""));
  }

  /// A consumer of all items throws if one of them does, and may be stopped.
  template <class F>
  void complete(F f) {
    if (bad_) {
      EXPECT_THROW(f(), failure);
      return;
    }
    try {
      f();
    } catch (const filch::cancelled&) {
      EXPECT_TRUE(run_.stops);
    }
  }
  /// A search may end before it reaches an item behind its hit that throws, or in spite of it.
  template <class F>
  void searched(const search_result& hit, F f) {
    try {
      const std::optional<std::string> got = f();
      EXPECT_EQ(got, hit.hit);
      EXPECT_FALSE(hit.throws);
    } catch (const failure&) {
      EXPECT_TRUE(bad_);
    } catch (const filch::cancelled&) {
      EXPECT_TRUE(run_.stops);
    }
  }
  /// Any of the wanted items is right.
  template <class F>
  void found(F f) {
    const bool there = std::any_of(expected_.begin(), expected_.end(),
                                   [](const model_item& i) { return !i.bad && wanted(i.text); });
    try {
      const std::optional<std::string> got = f();
      EXPECT_EQ(got.has_value(), there);
      EXPECT_TRUE(!got || (wanted(*got) && std::count(texts_.begin(), texts_.end(), *got) != 0));
    } catch (const failure&) {
      EXPECT_TRUE(bad_);
    } catch (const filch::cancelled&) {
      EXPECT_TRUE(run_.stops);
    }
  }

  run_of_chain& run_;
  chain_input input_;
  model_items expected_ = {};
  texts texts_ = {};
  bool bad_ = false;
};

/// Runs chains on any fork.
class chains_on : public on_any_fork {
 protected:
  /// The chains from First up to Last, at many sizes, each time with new arguments.
  template <unsigned First, unsigned Last>
  void every_chain() {
    run([&](const auto& fork) {
      several<First>(fork, std::make_integer_sequence<unsigned, Last - First>());
    });
  }

 private:
  template <unsigned First, class Fork, unsigned... I>
  void several(const Fork& fork, std::integer_sequence<unsigned, I...>) {
    const auto if_drawn = [&]<unsigned C>() {
      if constexpr (is_drawn(C)) one<C>(fork);
    };
    (if_drawn.template operator()<First + I>(), ...);
  }
  /// With a sanitizer every second chain: compiling them takes most of the time.
  static constexpr bool is_drawn(unsigned chain) { return size_for_build(true, chain % 2 == 0); }
  template <unsigned Chain, class Fork>
  void one(const Fork& fork) {
    for (const std::size_t n : sizes(1100)) {
      if (n > 3 && random().bounded(size_for_build(3u, 6u)) != 0) continue;
      run_of_chain r(random(), n);
      SCOPED_TRACE("chain " + std::to_string(Chain) + described(draw(Chain), r.args) + " of " +
                   std::to_string(n));
      gift::reset_counts();
      ware::reset_counts();
      one_chain<Chain> chain(r);
      chain.test(fork);
      if (testing::Test::HasFailure()) return;
    }
  }
};

}  // namespace filch::test
