// The queue for tasks from outside: any thread puts jobs in, any participant takes them out.
#pragma once

#include <cstddef>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/base/var.hpp"

namespace filch::detail {

/// An unbounded queue of nodes that carry their own `Node* next`. First in, first out, for the
/// nodes of each producer, and for those of all producers as far as their order is defined.
///
///     producers -> arrived_:  newest . . . oldest      a stack, one compare-exchange per push
///                                 |  taken whole, reversed by the consumer that has the turn
///                                 v
///     consumers <- waiting_:  oldest . . . newest      a list
///
/// A producer never allocates, and waits for nothing but the compare-exchange of another producer.
/// Consumers take turns (a try-lock; no consumer waits for a turn), and take several nodes in one
/// turn. Two loads, without the turn, show that the queue is empty.
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

  /// Puts in the nodes from `first` to `last`, linked by `next`, in one step. Any thread.
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

  /// Takes up to `most` of the oldest nodes, linked by `next`. Null if there are none, or another
  /// consumer has the turn. Any thread.
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

  /// Is there nothing to take? A guess. But a thread that announces its sleep and then asks sees
  /// every node whose producer looked for sleepers before that and missed it. Any thread.
  bool empty_hint() const noexcept {
    return arrived_.load(std::memory_order_relaxed) == nullptr &&  // orders nothing: see [look]
           waiting_.load(std::memory_order_relaxed) == nullptr;    // orders nothing: see [look]
  }

 private:
  /// Reverses the list from `first` to `last` (or to its end); returns the new first node.
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
