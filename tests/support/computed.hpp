// Ranges whose elements are computed when they are read, like those of views.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

namespace filch::test {

/// The base of these iterators. They have random access by the rules of C++20, but are input
/// iterators by those of C++17, so the old algorithms of std cannot step back.
template <class Self>
class computed_iterator {
 public:
  using difference_type = std::ptrdiff_t;
  using iterator_concept = std::random_access_iterator_tag;
  using iterator_category = std::input_iterator_tag;

  Self& operator++() { return self() += 1; }
  Self& operator--() { return self() += -1; }
  Self operator++(int) { return std::exchange(self(), self() + 1); }
  Self operator--(int) { return std::exchange(self(), self() - 1); }
  Self& operator-=(difference_type n) { return self() += -n; }
  decltype(auto) operator[](difference_type n) const {
    return *(static_cast<const Self&>(*this) + n);
  }
  friend Self operator+(Self i, difference_type n) { return i += n; }
  friend Self operator+(difference_type n, Self i) { return i += n; }
  friend Self operator-(Self i, difference_type n) { return i += -n; }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

/// f(element) for the elements of a row. It replaces std::views::transform, which clang 14 cannot
/// compile.
template <class T, class F>
class made_iterator : public computed_iterator<made_iterator<T, F>> {
 public:
  using value_type = std::remove_cvref_t<std::invoke_result_t<const F&, const T&>>;

  made_iterator() = default;
  made_iterator(const T* at, const F* f) : at_(at), f_(f) {}
  decltype(auto) operator*() const { return (*f_)(*at_); }
  made_iterator& operator+=(std::ptrdiff_t n) {
    at_ += n;
    return *this;
  }
  friend std::ptrdiff_t operator-(const made_iterator& a, const made_iterator& b) {
    return a.at_ - b.at_;
  }
  bool operator==(const made_iterator& o) const { return at_ == o.at_; }
  auto operator<=>(const made_iterator& o) const { return at_ <=> o.at_; }

 private:
  const T* at_ = nullptr;
  const F* f_ = nullptr;
};

template <class T, class F>
class made {
 public:
  template <class Row>
  made(const Row& row, F f) : first_(row.data()), n_(row.size()), f_(f) {}
  made_iterator<T, F> begin() const { return {first_, &f_}; }
  made_iterator<T, F> end() const { return {first_ + n_, &f_}; }

 private:
  const T* first_;
  std::size_t n_;
  F f_;
};

template <class Row, class F>
made(const Row&, F) -> made<typename Row::value_type, F>;

/// An element of two rows: a number from each.
struct zipped {
  int key = 0;
  long number = 0;
  friend bool operator==(const zipped&, const zipped&) = default;
};

/// A reference to both numbers in place.
class zipped_reference {
 public:
  zipped_reference(int& key, long& number) : key_(key), number_(number) {}
  zipped_reference(const zipped_reference&) = default;
  operator zipped() const { return {key_, number_}; }
  const zipped_reference& operator=(const zipped& e) const {
    key_ = e.key;
    number_ = e.number;
    return *this;
  }
  const zipped_reference& operator=(const zipped_reference& e) const {
    return *this = static_cast<zipped>(e);
  }
  zipped_reference& operator=(const zipped_reference& e) {
    std::as_const(*this) = static_cast<zipped>(e);
    return *this;
  }
  friend void swap(const zipped_reference& a, const zipped_reference& b) {
    std::swap(a.key_, b.key_);
    std::swap(a.number_, b.number_);
  }

 private:
  int& key_;
  long& number_;
};

class zipped_iterator : public computed_iterator<zipped_iterator> {
 public:
  using value_type = zipped;

  zipped_iterator() = default;
  zipped_iterator(int* keys, long* numbers) : keys_(keys), numbers_(numbers) {}
  zipped_reference operator*() const { return {*keys_, *numbers_}; }
  zipped_iterator& operator+=(std::ptrdiff_t n) {
    keys_ += n;
    numbers_ += n;
    return *this;
  }
  friend std::ptrdiff_t operator-(const zipped_iterator& a, const zipped_iterator& b) {
    return a.keys_ - b.keys_;
  }
  bool operator==(const zipped_iterator& o) const { return keys_ == o.keys_; }
  auto operator<=>(const zipped_iterator& o) const { return keys_ <=> o.keys_; }

 private:
  int* keys_ = nullptr;
  long* numbers_ = nullptr;
};

}  // namespace filch::test

template <template <class> class A, template <class> class B>
struct std::basic_common_reference<filch::test::zipped_reference, filch::test::zipped, A, B> {
  using type = filch::test::zipped;
};
template <template <class> class A, template <class> class B>
struct std::basic_common_reference<filch::test::zipped, filch::test::zipped_reference, A, B> {
  using type = filch::test::zipped;
};
