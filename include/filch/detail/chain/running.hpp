// A part that grows by items, and by parts that other threads have made of later items.
#pragma once

#include "filch/detail/chain/plain_optional.hpp"
#include "filch/detail/chain/protocol.hpp"

namespace filch::detail {

/// May items of a consumer not be needed because of what came before them?
template <class Consumer>
inline constexpr bool ends_at_front =
    Consumer::rule == plumbing::wanted::first || Consumer::rule == plumbing::wanted::any;

/// Adds the part of later items to `sum`, if there is one.
template <class Consumer>
void add_part(const Consumer& consumer, std::optional<typename Consumer::part>& sum,
              typename Consumer::part&& more) {
  if (sum)
    sum.emplace(consumer.merge(*std::exchange(sum, std::nullopt), std::move(more)));
  else
    sum.emplace(std::move(more));
}

/// The part of one leaf. Some of its items arrive as parts made elsewhere.
template <plumbing::consumer Consumer>
class running_part {
 public:
  using part = typename Consumer::part;
  using folder_type = decltype(std::declval<const Consumer&>().begin(std::size_t{}));

  /// `where` is the leaf that it is in, or null. Both arguments outlive it.
  running_part(const Consumer& consumer, std::size_t position, const plumbing::leaf* where)
      : consumer_(&consumer), position_(position), where_(where) {}

  /// Has folder() been called since the last part was added?
  bool is_open() const noexcept { return folder_.has_value(); }
  /// The same as folder(), if it is open.
  folder_type& open_folder() noexcept { return *folder_; }
  /// A folder for the following items.
  folder_type& folder() {
    if (!folder_) {
      if (where_ != nullptr)
        folder_.emplace(plumbing::begin_of(*consumer_, position_, *where_));
      else
        folder_.emplace(consumer_->begin(position_));
    }
    return *folder_;
  }

  /// Adds a part that other threads have made of the following items.
  void add(std::optional<part>&& more) {
    if (!more) return;
    close();
    detail::add_part(*consumer_, part_, *std::move(more));
  }

  /// Are no more items needed?
  bool full() const {
    if (folder_ && plumbing::is_full(*folder_)) return true;
    if constexpr (ends_at_front<Consumer>) return part_ && consumer_->enough(*part_);
    return false;
  }

  /// The whole part, or nothing if nothing was added.
  std::optional<part> finish() && {
    close();
    return std::move(part_);
  }
  /// The same, but always a part.
  part finish_leaf() && {
    if (!part_) return std::move(folder()).finish();
    close();
    return *std::move(part_);
  }

 private:
  void close() {
    if (!folder_) return;
    part last = std::move(*folder_).finish();
    folder_.reset();
    detail::add_part(*consumer_, part_, std::move(last));
  }
  const Consumer* consumer_;
  std::size_t position_;
  const plumbing::leaf* where_;
  plain_optional<folder_type> folder_;
  std::optional<part> part_;
};

}  // namespace filch::detail
