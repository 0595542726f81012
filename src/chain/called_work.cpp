#include "filch/detail/chain/called_work.hpp"

#include <cstddef>
#include <optional>

#include "filch/detail/chain/gathered.hpp"
#include "filch/detail/chain/made.hpp"

namespace filch::detail {

template nothing run_called(const parallel_fork&, called_work<nothing>, loop_state&, std::size_t,
                            std::size_t);
template boxed run_called(const parallel_fork&, called_work<boxed>, loop_state&, std::size_t,
                          std::size_t);
template std::optional<made_items> run_called(const parallel_fork&,
                                              called_work<std::optional<made_items>>, loop_state&,
                                              std::size_t, std::size_t);
template std::optional<pieces> run_called(const parallel_fork&, called_work<std::optional<pieces>>,
                                          loop_state&, std::size_t, std::size_t);
template boxed run_called_ahead(const parallel_fork&, called_work<boxed>, loop_state&, std::size_t,
                                std::size_t, std::size_t, std::size_t);
template boxed run_called_in_fixed_order(const parallel_fork&, const fixed_tree&, const options&,
                                         loop_state&, loop_state&, called_work<boxed>);
template std::optional<pieces> run_called_in_fixed_order(const parallel_fork&, const fixed_tree&,
                                                         const options&, loop_state&, loop_state&,
                                                         called_work<std::optional<pieces>>);

}  // namespace filch::detail
