// What the calling thread is inside of: tasks of scopes, and functions that install() calls.
#pragma once

namespace filch::detail {

class registry;
class scope_core;

/// Says that the calling thread is inside a task, for as long as this lives. The objects of a
/// thread are a list. A function that install() calls on another thread is also inside of what its
/// caller is inside of: the caller waits, so its objects stay.
///
/// With this list, a wait that would wait for its own caller throws. Tasks that the caller waits
/// for in another way, by join() or by a future, are not in the list.
class running_here {
 public:
  /// What a thread is inside of at one moment. `home` is the pool whose worker it
  /// is, or null.
  struct origin {
    const running_here* newest;
    const registry* home;
    /// That of the calling thread.
    static origin here() noexcept;
  };

  /// Inside a task of `scope`.
  explicit running_here(const scope_core& scope) noexcept : running_here(&scope, {}) {}
  /// Inside a function whose caller waits for it, on another thread.
  explicit running_here(const origin& caller) noexcept : running_here(nullptr, caller) {}
  running_here(const running_here&) = delete;
  running_here& operator=(const running_here&) = delete;
  ~running_here();

  /// Is the calling thread inside a task of `scope` that has such an object?
  static bool inside(const scope_core& scope) noexcept;
  /// Is the calling thread inside a function that a worker of `home` called by install()?
  static bool called_from(const registry& home) noexcept;

 private:
  running_here(const scope_core* scope, const origin& caller) noexcept;
  /// Is there an object that `fits`, in the list from `from` on or in those of the callers?
  template <class Fits>
  static bool any(const running_here* from, const Fits& fits) noexcept;

  const scope_core* scope_;
  origin caller_;
  const running_here* outer_;
};

}  // namespace filch::detail
