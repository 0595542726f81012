// Several sources side by side.
#pragma once

#include <algorithm>
#include <tuple>

#include "filch/detail/chain/sources.hpp"

namespace filch::detail {

/// The type that holds one item of each source: a pair for two, otherwise a tuple.
template <class... Items>
struct row : std::type_identity<std::tuple<Items...>> {};
template <class A, class B>
struct row<A, B> : std::type_identity<std::pair<A, B>> {};

/// One item of each source, as many as the shortest has.
template <plumbing::indexed_source... Sources>
class zipped_source {
 public:
  using item = typename row<typename Sources::item...>::type;
  static constexpr bool gives_away = (plumbing::gives_away<Sources> || ...);

  explicit zipped_source(Sources... sources)
      : size_(std::min({sources.size()...})), sources_(std::move(sources)...) {}
  std::size_t size() const noexcept { return size_; }
  item get(std::size_t i) const {
    return std::apply([i](const Sources&... each) { return item(each.get(i)...); }, sources_);
  }
  void drop(std::size_t n) requires(plumbing::droppable_source<Sources>&&...) {
    std::apply([n](Sources&... each) { (each.drop(n), ...); }, sources_);
    size_ -= n;
  }

 private:
  std::size_t size_;
  std::tuple<Sources...> sources_;
};

}  // namespace filch::detail
