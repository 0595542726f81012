#include "stress/random_programs/sequential.hpp"

namespace filch::test {

namespace {

class evaluation {
 public:
  evaluation(const program& p, counts& all) : program_(p), all_(all) {}

  outcome of(const node& n) {
    ++all_.visits;
    outcome o = without_own_value(n);
    if (!o.failed) o.value += n.value;
    return o;
  }

 private:
  outcome without_own_value(const node& n) {
    switch (n.what) {
      case kind::leaf:
        return {.value = work_of(n)};
      case kind::fail:
        return {true, n.id, mixed(n.id)};
      case kind::guard:
      case kind::nested:
        return {.value = caught(child(n, n.what == kind::nested))};
      case kind::isolate:
      case kind::locked:
      case kind::install:
        return child(n, false);
      case kind::block:
      case kind::gate:
        all_.used += n.what == kind::gate ? 1 : 0;
        return child(n, false);
      case kind::join:
        return lowest_index(n, n.variant % 2 == 0);
      case kind::all:
        return lowest_index(n, true);
      case kind::scope:
        return {.value = unordered(n)};
      case kind::async:
      case kind::submit:
        return {.value = each_caught(n)};
      case kind::chain:
        return one_after_the_other(n);
      case kind::any:
        (void)each_caught(n);
        return {};
      case kind::outside:
        return {.value = caught(closure(n.children[0])) + caught(of(n.children[1]))};
      case kind::cancel:
      case kind::stop:
        return {};
      case kind::broadcast:
        for (std::size_t i = 0; i < program_.pools[n.target].threads; ++i)
          if (of(n.children[0]).failed) ++all_.reported;
        return {};
      case kind::detach:
        for (const node& c : n.children) {
          const outcome o = closure(c);
          if (o.failed)
            ++all_.reported;
          else
            all_.loose += o.value;
        }
        return {};
      case kind::loop:
        return {.value = iterations(n)};
    }
    return {};
  }

  /// Runs in a counted closure.
  outcome closure(const node& n) {
    ++all_.used;
    return of(n);
  }
  outcome child(const node& n, bool counted) {
    return counted ? closure(n.children[0]) : of(n.children[0]);
  }

  /// All children run. If several throw, the first one counts.
  outcome lowest_index(const node& n, bool counted) {
    outcome sum;
    for (const node& c : n.children) {
      const outcome o = counted ? closure(c) : of(c);
      if (o.failed && !sum.failed) sum = {true, o.value, 0};
      if (!sum.failed) sum.value += o.value;
      sum.thrown += o.thrown;
    }
    return sum;
  }

  /// All children run. If several throw, any of them may be the first.
  number unordered(const node& n) {
    number sum = 0;
    for (const node& c : n.children) {
      const outcome o = closure(c);
      sum += o.failed ? o.thrown : o.value;
    }
    return sum;
  }

  number each_caught(const node& n) {
    number sum = 0;
    for (const node& c : n.children) sum += caught(closure(c));
    return sum;
  }

  outcome one_after_the_other(const node& n) {
    outcome sum;
    for (const node& c : n.children) {
      if (sum.failed) {
        ++all_.dropped;
        continue;
      }
      const outcome o = closure(c);
      sum = o.failed ? o : outcome{.value = sum.value + o.value};
    }
    return sum;
  }

  number iterations(const node& n) {
    number sum = 0;
    for (std::size_t i = 0; i < n.count; ++i)
      sum += n.children.empty() ? item(n, i) : caught(of(n.children[0]));
    return sum;
  }

  const program& program_;
  counts& all_;
};

}  // namespace

number work_of(const node& n) {
  number x = n.value;
  for (unsigned i = 0; i < n.variant * 40; ++i) x = mixed(x);
  return x;
}

outcome expected(const program& p, const node& n, counts& all) { return evaluation(p, all).of(n); }

}  // namespace filch::test
