// The functions of the files with rows.
#pragma once

#include "row.hpp"

namespace chains {

/// Adaptors and consumers that look at one item after the other.
void run_elements(const numbers& in);
/// Adaptors that change the positions of items.
void run_positions(const numbers& in);
/// Several items at once: neighbours, and ranges within a range.
void run_ranges(const numbers& in);
/// Containers of items.
void run_containers(const numbers& in);

/// Runs rows of these types.
template <class... Row>
void run_rows(const numbers& in) {
  (chains::run_row<Row>(in), ...);
}

}  // namespace chains
