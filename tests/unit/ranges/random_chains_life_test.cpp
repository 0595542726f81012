// Chains drawn at random, from elements that they own to elements that they make.
#include <gtest/gtest.h>

#include "support/any_fork.hpp"
#include "support/chain_run.hpp"

namespace {

class random_chains_life_on : public filch::test::chains_on {};
FILCH_TEST_ON_EVERY_FORK(random_chains_life_on);

TEST_P(random_chains_life_on, make_and_destroy_every_element_once_whatever_happens) {
  using filch::test::first_owner;
  every_chain<first_owner, first_owner + 12>(
      [](auto& chain, const auto& fork) { chain.owned(fork); });
}

}  // namespace
