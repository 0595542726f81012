// Chains drawn at random, against the same chain in plain loops over vectors.
#include <gtest/gtest.h>

#include "support/any_fork.hpp"
#include "support/chain_run.hpp"

namespace {

class random_chains_on : public filch::test::chains_on {};
FILCH_TEST_ON_EVERY_FORK(random_chains_on);

TEST_P(random_chains_on, collect_what_plain_loops_do) {
  every_chain<0, 12>([](auto& chain, const auto& fork) { chain.collected(fork); });
}

}  // namespace
