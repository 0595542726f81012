// Random chains into containers, compared with the same chain in plain loops.
#include <gtest/gtest.h>

#include "support/any_fork_policy.hpp"
#include "support/chain_run.hpp"

namespace {

class random_chains_on : public filch::test::chains_on {};
FILCH_TEST_ON_EVERY_FORK(random_chains_on);

TEST_P(random_chains_on, collect_what_plain_loops_do) {
  every_chain<0, filch::test::first_owner>();
}

}  // namespace
