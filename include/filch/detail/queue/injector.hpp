// The queue for outsiders: any thread puts jobs in, any worker takes them out.
#pragma once

#include <cstddef>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/base/var.hpp"

namespace filch::detail {

/// An unbounded queue of nodes that carry their own `Node* next`. First in, first out, for each
/// producer and, as far as that can be said, for all of them together.
///
///     producers -> arrived_:  newest . . . oldest      a stack, one compare-exchange per push
///                                 |  taken whole, turned round by the consumer that has the turn
///                                 v
///     consumers <- waiting_:  oldest . . . newest      a list
///
/// Producers never wait for anything but each other's compare-exchange, and never allocate.
/// Consumers take turns (a try-lock; nobody waits for a turn), and take several nodes in one. An
/// empty queue is seen by two loads, without the turn.
///
/// Edges
///   [inject]  push exchanges arrived_ -> the turn's exchange takes it   the node's content
///   [turn]    a turn ends -> the next begins                            waiting_ and its nodes
///   [look]    a node arrives or is left waiting -> empty_hint() sees it  by the fences of sleepers
template <class Node>
class injector {
 public:
  /// Puts one node in. Any thread.
  void push(Node* node) noexcept { push_chain(node, node); }

  /// Puts in the nodes from `first` to `last`, linked by `next`, in one go. Any thread.
  void push_chain(Node* first, Node* last) noexcept {
    // The stack holds the newest node first, so the chain goes in back to front.
    Node* newest = reverse(first, last);
    Node* oldest = first;
    Node* below =
        arrived_.load(std::memory_order_relaxed);  // value checked by the exchange: orders nothing
    do {
      oldest->next = below;
    } while (
        !arrived_.compare_exchange_weak(below, newest, std::memory_order_release,  // [inject]
                                        std::memory_order_relaxed));  // orders nothing: retried
  }

  /// Takes up to `most` of the oldest nodes, linked by `next`; null if there are none or it is
  /// another consumer's turn. Any thread.
  Node* take(std::size_t most) noexcept {
    if (empty_hint()) return nullptr;
    if (turn_.exchange(true, std::memory_order_acquire)) return nullptr;  // [turn]
    Node* first = waiting_.load(std::memory_order_relaxed);               // ordered by turn
    if (first == nullptr) {
      Node* newest = arrived_.exchange(nullptr, std::memory_order_acquire);  // [inject]
      first = newest == nullptr ? nullptr : reverse(newest, nullptr);
    }
    Node* rest = first;
    Node* last = nullptr;
    for (std::size_t i = 0; i < most && rest != nullptr; ++i) {
      last = rest;
      rest = rest->next;
    }
    if (last != nullptr) last->next = nullptr;
    waiting_.store(rest, std::memory_order_relaxed);  // ordered by turn [look]
    turn_.store(false, std::memory_order_release);    // [turn]
    return first;
  }

  /// Is there nothing to take? A guess, but whoever announced that it sleeps before asking sees
  /// every node that was pushed before the pusher looked for sleepers. Any thread.
  bool empty_hint() const noexcept {
    return arrived_.load(std::memory_order_relaxed) == nullptr &&  // orders nothing: see [look]
           waiting_.load(std::memory_order_relaxed) == nullptr;    // orders nothing: see [look]
  }

 private:
  /// Turns the list from `first` to `last` (or to its end) round; returns the new first.
  static Node* reverse(Node* first, Node* last) noexcept {
    Node* turned = nullptr;
    Node* const stop = last == nullptr ? nullptr : last->next;
    while (first != stop) {
      Node* const next = first->next;
      first->next = turned;
      turned = first;
      first = next;
    }
    return turned;
  }

  alignas(no_sharing_size) atomic<Node*> arrived_{nullptr};  // producers' line
  alignas(no_sharing_size) atomic<Node*> waiting_{nullptr};  // consumers' line
  atomic<bool> turn_{false};
};

}  // namespace filch::detail
