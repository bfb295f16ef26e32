// RUN: tile-opt --split-input-file --verify-diagnostics %s

// Atomic operations: the rules of lib/ir/verify_tile_atomic.c, one case a message.

func.func @rmw_through_a_number(%x: i64, %v: i32) {
  // expected-error @+1 {{tile.atomic_rmw: i64 is not a pointer}}
  %0 = "tile.atomic_rmw"(%x, %v) {kind = "add"} : (i64, i32) -> i32
  return
}

// -----

func.func @rmw_of_another_type(%p: !tile.ptr<f32>, %v: i32) {
  // expected-error @+1 {{tile.atomic_rmw: the value's type is not the pointee: !tile.ptr<f32> and i32}}
  %0 = "tile.atomic_rmw"(%p, %v) {kind = "add"} : (!tile.ptr<f32>, i32) -> i32
  return
}

// -----

func.func @rmw_of_another_shape(%p: tensor<4x!tile.ptr<i32>>, %v: i32) {
  // expected-error @+1 {{tile.atomic_rmw: shapes differ: tensor<4x!tile.ptr<i32>> and i32}}
  %0 = "tile.atomic_rmw"(%p, %v) {kind = "add"} : (tensor<4x!tile.ptr<i32>>, i32) -> i32
  return
}

// -----

func.func @rmw_mask(%p: !tile.ptr<i32>, %v: i32) {
  // expected-error @+1 {{tile.atomic_rmw: the mask is i1 or a tensor of i1}}
  %0 = "tile.atomic_rmw"(%p, %v, %v) {kind = "add"} : (!tile.ptr<i32>, i32, i32) -> i32
  return
}

// -----

func.func @rmw_kind(%p: !tile.ptr<i32>, %v: i32) {
  // expected-error @+1 {{tile.atomic_rmw: kind is one of "add", "max", "min", "umax", "umin", "and", "or", "xor", "xchg"}}
  %0 = "tile.atomic_rmw"(%p, %v) {kind = "sub"} : (!tile.ptr<i32>, i32) -> i32
  return
}

// -----

// IRDL's part: declared attributes are there.
func.func @rmw_without_kind(%p: !tile.ptr<i32>, %v: i32) {
  // expected-error @+1 {{attribute "kind" is expected but not provided}}
  %0 = "tile.atomic_rmw"(%p, %v) : (!tile.ptr<i32>, i32) -> i32
  return
}

// -----

func.func @rmw_add_of_i16(%p: !tile.ptr<i16>, %v: i16) {
  // expected-error @+1 {{tile.atomic_rmw: kind add takes i32, i64, f16, bf16, f32, f64, not i16; convert the value, or loop over tile.atomic_cas}}
  %0 = "tile.atomic_rmw"(%p, %v) {kind = "add"} : (!tile.ptr<i16>, i16) -> i16
  return
}

// -----

func.func @rmw_max_of_i16(%p: !tile.ptr<i16>, %v: i16) {
  // expected-error @+1 {{tile.atomic_rmw: kind max takes i32, i64, f16, bf16, f32, f64, not i16}}
  %0 = "tile.atomic_rmw"(%p, %v) {kind = "max"} : (!tile.ptr<i16>, i16) -> i16
  return
}

// -----

func.func @rmw_or_of_f32(%p: !tile.ptr<f32>, %v: f32) {
  // expected-error @+1 {{tile.atomic_rmw: kind or takes i32, i64, not f32}}
  %0 = "tile.atomic_rmw"(%p, %v) {kind = "or"} : (!tile.ptr<f32>, f32) -> f32
  return
}

// -----

func.func @rmw_umax_of_f32(%p: !tile.ptr<f32>, %v: f32) {
  // expected-error @+1 {{tile.atomic_rmw: kind umax takes i32, i64, not f32}}
  %0 = "tile.atomic_rmw"(%p, %v) {kind = "umax"} : (!tile.ptr<f32>, f32) -> f32
  return
}

// -----

func.func @rmw_sem(%p: !tile.ptr<i32>, %v: i32) {
  // expected-error @+1 {{tile.atomic_rmw: sem is one of "relaxed", "acquire", "release", "acq_rel"}}
  %0 = "tile.atomic_rmw"(%p, %v) {kind = "add", sem = "seq_cst"} : (!tile.ptr<i32>, i32) -> i32
  return
}

// -----

func.func @rmw_scope(%p: !tile.ptr<i32>, %v: i32) {
  // expected-error @+1 {{tile.atomic_rmw: scope is one of "cta", "gpu", "sys"}}
  %0 = "tile.atomic_rmw"(%p, %v) {kind = "add", scope = "cluster"} : (!tile.ptr<i32>, i32) -> i32
  return
}

// -----

func.func @cas_through_a_number(%x: i64, %v: i32) {
  // expected-error @+1 {{tile.atomic_cas: i64 is not a pointer}}
  %0 = "tile.atomic_cas"(%x, %v, %v) : (i64, i32, i32) -> i32
  return
}

// -----

func.func @cas_of_another_type(%p: !tile.ptr<f32>, %v: i32) {
  // expected-error @+1 {{tile.atomic_cas: the value's type is not the pointee}}
  %0 = "tile.atomic_cas"(%p, %v, %v) : (!tile.ptr<f32>, i32, i32) -> i32
  return
}

// -----

func.func @cas_of_i8(%p: !tile.ptr<i8>, %v: i8) {
  // expected-error @+1 {{tile.atomic_cas: an element has 16, 32 or 64 bits; convert the value}}
  %0 = "tile.atomic_cas"(%p, %v, %v) : (!tile.ptr<i8>, i8, i8) -> i8
  return
}

// -----

func.func @cas_sem(%p: !tile.ptr<i32>, %v: i32) {
  // expected-error @+1 {{tile.atomic_cas: sem is one of}}
  %0 = "tile.atomic_cas"(%p, %v, %v) {sem = 1 : i32} : (!tile.ptr<i32>, i32, i32) -> i32
  return
}
