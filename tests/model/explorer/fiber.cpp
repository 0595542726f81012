#include "explorer/fiber.hpp"

#include <utility>

namespace model {

namespace ctx = boost::context::detail;

void fiber::start(std::function<void()> body) {
  if (!stack_) stack_ = std::make_unique_for_overwrite<char[]>(stack_bytes);
  body_ = std::move(body);
  inside_ = ctx::make_fcontext(stack_.get() + stack_bytes, stack_bytes, &fiber::enter);
}

void fiber::enter(ctx::transfer_t from) {
  auto* self = static_cast<fiber*>(from.data);
  self->outside_ = from.fctx;
  self->body_();
  self->suspend();  // for good: an ended fiber is started again, not resumed
}

void fiber::resume() { inside_ = ctx::jump_fcontext(inside_, this).fctx; }

void fiber::suspend() { outside_ = ctx::jump_fcontext(outside_, nullptr).fctx; }

}  // namespace model
