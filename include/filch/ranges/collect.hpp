// Consumers that collect the items of a parallel range in a container.
#pragma once

#include "filch/detail/chain/collect.hpp"
#include "filch/detail/chain/range_part.hpp"

namespace filch {

/// Consumers that keep all items.
template <class Source, class Fork>
class range_collect {
  using item = typename Source::item;
  using value = detail::decayed<item>;

 public:
  /// Returns a container of all items, in their order if the container keeps one. Rayon: collect.
  /// Standard library: std::ranges::to.
  ///
  /// How      A vector of items with positions (no filter or the like before it) is filled in
  ///          place: the thread that has an item makes the element once, at its final position.
  ///          Other items are gathered first, without calling any function twice, and then moved to
  ///          their positions; into a vector or a string, all threads move them. (A filter directly
  ///          over small elements works as pack() does: its results are kept, a bit for each.) The
  ///          calling thread alone inserts items into lists, sets and maps, one after the other. Of
  ///          several items with the same key the first one stays.
  /// Returns  A `Container`; to<std::vector>() deduces its element type.
  /// Throws   As for_each(); what making and moving elements throws; `std::bad_alloc`;
  ///          `usage_error` if the number of items is known and the container cannot have so many.
  ///          All elements that were made are destroyed.
  /// Threads  as for_each().
  /// Memory   The result. Items without positions exist twice for a while.
  /// Cost     One construction for each item, at its final position, if a map returns it by value;
  ///          else one copy or move. One more move for items without positions.
  ///
  ///     auto lengths = filch::par(words).map(&std::string::size).to<std::vector>();
  ///     auto chosen = filch::par(v).filter(p).to<std::vector<long>>();
  ///     auto ages = filch::par(people).map(name_and_age).to<std::map>();
  template <class Container>
  [[nodiscard]] Container to() {
    detail::require_collectable<Container, item>();
    if constexpr (detail::packs<Source, Container>) {
      return self().run([&](const auto& run) { return detail::pack_source(run, self().source()); });
    } else {
      constexpr bool exact = plumbing::exact_source<Source>;
      detail::collector_for<Container, item, exact> made(self().source());
      return self().run([&](const auto& run) {
        const auto consumer = made.consumer();
        return made.finish(run, plumbing::drive(run, self().source(), consumer));
      });
    }
  }
  template <template <class...> class Container>
  [[nodiscard]] auto to() -> detail::container_of<Container, value> {
    return to<detail::container_of<Container, value>>();
  }
  /// Returns to<std::vector>().
  [[nodiscard]] std::vector<value> to_vector() { return to<std::vector<value>>(); }

  /// Writes all items to the elements of `out`, in their order, from the first one on. Standard
  /// library: std::ranges::copy, std::ranges::transform.
  ///
  /// How      The items are assigned to elements of `out`, which has random access. Items with
  ///          positions go directly to their elements, so `out` may be the range that they come
  ///          from, if no adaptor in between changes positions. Other items are gathered first.
  /// Returns  The number of items.
  /// Throws   As for_each(); what assigning throws: then some elements have been written.
  ///          `usage_error` if there are more items than elements; then nothing has been written.
  /// Threads, Cost  as to().
  /// Memory   None for items with positions; else as to().
  ///
  ///     const std::size_t n = filch::par(v).filter(p).into(buffer);
  template <detail::splittable_range R>
  std::size_t into(R&& out) {
    using iterator = std::ranges::iterator_t<R>;
    static_assert(
        std::ranges::borrowed_range<R>,
        "filch: into(range): what is written to a range without a name would be lost with "
        "it; use to<std::vector>()");
    static_assert(detail::separate_elements<iterator>,
                  "filch: into(range): several threads cannot write to a std::vector<bool>, whose "
                  "elements share words; use to<std::vector<bool>>()");
    detail::require_lasting<std::iter_value_t<iterator>>();
    static_assert(std::indirectly_writable<iterator, item>,
                  "filch: into(range): the items of this range must be assignable to the elements "
                  "of the one that is given");
    detail::require_living_elements<item, std::iter_value_t<iterator>>();
    const std::size_t size = detail::size_of(out);
    const detail::assign_consumer<iterator> writer{{}, std::ranges::begin(out)};
    if constexpr (plumbing::exact_source<Source>) {
      const std::size_t n = self().source().size();
      if (n > size) detail::refuse_small_range(n, size);
      (void)self().drive(writer);
      return n;
    } else {
      detail::require_keepable<item>();
      detail::piece_memory memory(detail::kind_of<value>);
      return self().run([&](const auto& run) -> std::size_t {
        const auto all =
            plumbing::drive(run, self().source(), detail::pieces_consumer<value>{memory});
        if (!all) return 0;
        if (all->size() > size) detail::refuse_small_range(all->size(), size);
        const options o = detail::second_pass(run.o);
        (void)plumbing::drive(plumbing::run<Fork>{run.fork, o}, detail::pieces_source<value>(*all),
                              writer);
        return all->size();
      });
    }
  }
  /// Calls into(out).
  template <detail::splittable_range R>
  std::size_t to(R&& out) {
    return into(static_cast<R&&>(out));
  }
  template <class R>
  requires(!detail::splittable_range<R>) FILCH_REFUSED(
      "filch: into(range): the range must have random access and a size. Use "
      "to<Container>(), which makes a new container of any kind",
      into(R&&));

  FILCH_REFUSED_ON_A_CONSTANT((), to, to_vector);
  FILCH_REFUSED_ON_A_CONSTANT((detail::splittable_range auto&&), to, into);
  template <template <class...> class>
  FILCH_REFUSED(FILCH_RANGE_IS_CONSTANT(to), to() const&);

 private:
  auto& self() noexcept { return static_cast<par_range<Source, Fork>&>(*this); }
};

}  // namespace filch
