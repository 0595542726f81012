// Random chains with all other kinds of consumers, compared with plain loops.
#include <gtest/gtest.h>

#include "support/any_fork_policy.hpp"
#include "support/chain_run.hpp"

namespace {

class random_chains_consumed_on : public filch::test::chains_on {};
FILCH_TEST_ON_EVERY_FORK(random_chains_consumed_on);

TEST_P(random_chains_consumed_on, give_what_plain_loops_do) {
  every_chain<filch::test::first_value, filch::test::chain_count>();
}

}  // namespace
