#include "filch/detail/sched/roster.hpp"

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>

#include "filch/detail/sched/worker.hpp"

namespace filch::detail {

roster::roster(std::size_t workers, std::size_t max_guests) noexcept
    : workers_(workers), max_guests_(max_guests) {}

roster::~roster() = default;

std::vector<worker*> roster::snapshot() const {
  std::vector<worker*> all(size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = &(*this)[i];
  return all;
}

void roster::ask_for_branches(bool outsider) const noexcept {
  const std::size_t n = size();
  for (std::size_t i = 0; i < n; ++i) (*this)[i].branches.ask(outsider);
}

worker& roster::add(registry& home, participant_kind kind) {
  const std::scoped_lock lock(mutex_);
  return add_locked(home, kind);
}

/// Under mutex_.
worker& roster::add_locked(registry& home, participant_kind kind) {
  const std::size_t index = owned_.size();
  table* t = table_.load(std::memory_order_relaxed);  // own value: under mutex_
  if (t == nullptr || index == t->capacity) {
    // Old tables stay: a thief may be reading one. Together they are no larger than the new one.
    auto larger = std::make_unique<table>(t == nullptr ? std::max<std::size_t>(workers_ + 8, 16)
                                                       : 2 * t->capacity);
    for (std::size_t i = 0; i < index; ++i)
      larger->entries[i].store(owned_[i].get(), std::memory_order_relaxed);  // ordered by join
    tables_.push_back(std::move(larger));
    t = tables_.back().get();
    table_.store(t, std::memory_order_release);  // [join]
  }
  owned_.push_back(std::make_unique<worker>(home, index, kind,
                                            std::uint64_t{0x9E3779B97F4A7C15u} * (index + 1)));
  t->entries[index].store(owned_.back().get(), std::memory_order_relaxed);  // ordered by join
  size_.store(index + 1, std::memory_order_release);                        // [join]
  return *owned_.back();
}

worker& roster::take_guest_slot(registry& home) {
  const std::scoped_lock lock(mutex_);
  if (!free_guest_slots_.empty()) {
    worker& free = *free_guest_slots_.back();
    free_guest_slots_.pop_back();
    return free;
  }
  if (guest_slots_ == max_guests_) throw std::bad_alloc();
  free_guest_slots_.reserve(guest_slots_ + 1);  // so that return_guest_slot() cannot throw
  worker& fresh = add_locked(home, participant_kind::guest);
  ++guest_slots_;
  return fresh;
}

void roster::return_guest_slot(worker& guest) noexcept {
  const std::scoped_lock lock(mutex_);
  free_guest_slots_.push_back(&guest);
}

}  // namespace filch::detail
