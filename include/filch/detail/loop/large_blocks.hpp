// Blocks with so much work that an indirect call for each does not matter.
#pragma once

#include <memory>

#include "filch/detail/loop/blocks.hpp"
#include "filch/detail/loop/fork.hpp"

namespace filch::detail {

/// Refers to a function of a block: its number, its first item and its end.
class block_call {
 public:
  template <std::invocable<std::size_t, std::size_t, std::size_t> F>
  explicit block_call(F& f) noexcept
      : what_(std::addressof(f)),
        how_([](void* what, std::size_t b, std::size_t first, std::size_t last) {
          (*static_cast<F*>(what))(b, first, last);
        }) {}
  void operator()(std::size_t b, std::size_t first, std::size_t last) const {
    how_(what_, b, first, last);
  }

 private:
  void* what_;
  void (*how_)(void*, std::size_t, std::size_t, std::size_t);
};

/// for_each_block() on the real fork. It is not a template because one algorithm with three such
/// loops takes more than a second to compile as templates.
void run_large_blocks(const even_blocks& blocks, const options& o, block_call body);

/// for_each_block(), compiled once for all bodies.
template <fork_policy Fork, std::invocable<std::size_t, std::size_t, std::size_t> Body>
void for_each_large_block(const Fork& fork, const even_blocks& blocks, const options& o,
                          Body&& body) {
  if constexpr (std::same_as<Fork, parallel_fork> && !tells_tsan)
    detail::run_large_blocks(blocks, o, block_call(body));
  else
    detail::for_each_block(fork, blocks, o, body);
}

}  // namespace filch::detail
