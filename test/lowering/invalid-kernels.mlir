// RUN: tile-opt --tile-to-ptx --split-input-file --verify-diagnostics %s

// Kernels that are valid tile IR and cannot be lowered: every case names the operation and a way out.

func.func @no_rule(%x: f32, %p: !tile.ptr<f32>) attributes {tile.kernel} {
  // expected-error @+1 {{math.acosh: no lowering rule to nvvm}}
  %0 = math.acosh %x : f32
  "tile.store"(%p, %0) : (!tile.ptr<f32>, f32) -> ()
  return
}

// -----

// expected-error @+1 {{kernel argument 1 is index; a kernel takes numbers, !tile.ptr<T> and !tile.descriptor<T>}}
func.func @index_argument(%p: !tile.ptr<i64>, %i: index) attributes {tile.kernel} {
  return
}

// -----

func.func @constant_of_many_values(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 4 : i32} : () -> tensor<4xi32>
  // expected-error @+1 {{arith.constant: a constant tile has one value for all elements; build others from tile.range}}
  %c = arith.constant dense<[1, 5, 2, 7]> : tensor<4xi32>
  %ps = "tile.splat"(%p) : (!tile.ptr<i32>) -> tensor<4x!tile.ptr<i32>>
  %a = "tile.addptr"(%ps, %range) : (tensor<4x!tile.ptr<i32>>, tensor<4xi32>) -> tensor<4x!tile.ptr<i32>>
  "tile.store"(%a, %c) : (tensor<4x!tile.ptr<i32>>, tensor<4xi32>) -> ()
  return
}

// -----

// expected-error @+1 {{func.func: a kernel has one block; use scf.if and scf.for instead of branches}}
func.func @branches(%c: i1, %p: !tile.ptr<i32>, %x: i32) attributes {tile.kernel} {
  cf.cond_br %c, ^store, ^end
^store:
  "tile.store"(%p, %x) : (!tile.ptr<i32>, i32) -> ()
  cf.br ^end
^end:
  return
}

// -----

// expected-error @+1 {{kernel argument 1 is tensor<4xf32}}
func.func @tensor_argument(%p: !tile.ptr<f32>, %x: tensor<4xf32>) attributes {tile.kernel} {
  return
}

// -----

// expected-error @+1 {{kernel argument 0 is memref<4xf32>; a kernel takes numbers, !tile.ptr<T> and !tile.descriptor<T>}}
func.func @memref_argument(%x: memref<4xf32>) attributes {tile.kernel} {
  return
}

// -----

func.func private @elsewhere(f32) -> f32
func.func @undefined_function(%x: f32, %p: !tile.ptr<f32>) attributes {tile.kernel} {
  // expected-error @+1 {{func.call: @elsewhere has no body; define it in this module}}
  %0 = func.call @elsewhere(%x) : (f32) -> f32
  "tile.store"(%p, %0) : (!tile.ptr<f32>, f32) -> ()
  return
}

// -----

// expected-error @+1 {{the function is no kernel; mark it tile.kernel, or make it private so that it is inlined and dropped}}
func.func @helper(%x: f32) {
  return
}

// -----

// expected-error @+1 {{func.func: the kernel has no body}}
func.func private @declaration(f32) attributes {tile.kernel}

// -----

func.func @too_many_registers(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  // expected-error @+1 {{a thread would hold 8192 elements of this tile, the limit is 4096; use a smaller tile or more warps}}
  %range = "tile.range"() {start = 0 : i32, end = 1048576 : i32} : () -> tensor<1048576xi32>
  %ps = "tile.splat"(%p) : (!tile.ptr<i32>) -> tensor<1048576x!tile.ptr<i32>>
  %a = "tile.addptr"(%ps, %range) : (tensor<1048576x!tile.ptr<i32>>, tensor<1048576xi32>) -> tensor<1048576x!tile.ptr<i32>>
  "tile.store"(%a, %range) : (tensor<1048576x!tile.ptr<i32>>, tensor<1048576xi32>) -> ()
  return
}

// -----

// Regions of operations that have no rule are not looked into.
func.func @parallel(%p: !tile.ptr<i32>, %x: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  // expected-error @+1 {{scf.parallel: no lowering rule to nvvm}}
  scf.parallel (%i) = (%zero) to (%four) step (%one) {
    "tile.store"(%p, %x) : (!tile.ptr<i32>, i32) -> ()
  }
  return
}

// -----

// expected-error @+1 {{kernel argument 0 is i128; a kernel takes numbers, !tile.ptr<T> and !tile.descriptor<T>}}
func.func @multiword(%x: i128, %p: !tile.ptr<i64>) attributes {tile.kernel} {
  return
}
