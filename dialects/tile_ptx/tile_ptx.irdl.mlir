// Device instructions as operations on one thread's LLVM-typed values.
irdl.dialect @tile_ptx {
  // ptr<1>, i1 predicate, value of the result's type where the predicate is false.
  irdl.operation @load {
    %pointer = irdl.any
    %i1 = irdl.is i1
    %value = irdl.any
    irdl.operands(pointer: %pointer, predicate: %i1, other: optional %value)
    irdl.results(result: %value)
  }
  irdl.operation @store {
    %pointer = irdl.any
    %i1 = irdl.is i1
    %value = irdl.any
    irdl.operands(pointer: %pointer, value: %value, predicate: %i1)
  }
  // ptr<1>, i1 predicate, new value; the old one.
  irdl.operation @atomic_rmw {
    %kind = irdl.any
    %sem = irdl.any
    %scope = irdl.any
    %pointer = irdl.any
    %i1 = irdl.is i1
    %value = irdl.any
    irdl.attributes {"kind" = %kind, "sem" = %sem, "scope" = %scope}
    irdl.operands(pointer: %pointer, predicate: %i1, value: %value)
    irdl.results(old: %value)
  }
  // ptr<1>, i1 predicate, expected value, new value; the old one.
  irdl.operation @atomic_cas {
    %sem = irdl.any
    %scope = irdl.any
    %pointer = irdl.any
    %i1 = irdl.is i1
    %value = irdl.any
    irdl.attributes {"sem" = %sem, "scope" = %scope}
    irdl.operands(pointer: %pointer, predicate: %i1, compare: %value, value: %value)
    irdl.results(old: %value)
  }
  // ptr<3>, ptr<1>, bytes to read (the rest is zero), i1 predicate.
  irdl.operation @cp_async {
    %bytes = irdl.any
    %cache = irdl.any
    %destination = irdl.any
    %source = irdl.any
    %i32 = irdl.is i32
    %i1 = irdl.is i1
    irdl.attributes {"bytes" = %bytes, "cache" = %cache}
    irdl.operands(destination: %destination, source: %source, source_bytes: %i32,
                  predicate: optional %i1)
  }
  irdl.operation @cp_async_commit {
  }
  irdl.operation @cp_async_wait {
    %pending = irdl.any
    irdl.attributes {"pending" = %pending}
  }
  irdl.operation @ex2_approx {
    %f32 = irdl.is f32
    irdl.operands(source: %f32)
    irdl.results(result: %f32)
  }
  irdl.operation @lg2_approx {
    %f32 = irdl.is f32
    irdl.operands(source: %f32)
    irdl.results(result: %f32)
  }
  irdl.operation @rsqrt_approx {
    %f32 = irdl.is f32
    irdl.operands(source: %f32)
    irdl.results(result: %f32)
  }
  irdl.operation @tanh_approx {
    %f32 = irdl.is f32
    irdl.operands(source: %f32)
    irdl.results(result: %f32)
  }
  irdl.operation @rcp_approx {
    %f32 = irdl.is f32
    irdl.operands(source: %f32)
    irdl.results(result: %f32)
  }
  irdl.operation @sqrt_approx {
    %f32 = irdl.is f32
    irdl.operands(source: %f32)
    irdl.results(result: %f32)
  }
  irdl.operation @div_full {
    %f32 = irdl.is f32
    irdl.operands(numerator: %f32, denominator: %f32)
    irdl.results(result: %f32)
  }
  irdl.operation @mul_wide_u32 {
    %i32 = irdl.is i32
    %i64 = irdl.is i64
    irdl.operands(left: %i32, right: %i32)
    irdl.results(result: %i64)
  }
  irdl.operation @add_s64 {
    %i64 = irdl.is i64
    irdl.operands(lhs: %i64, rhs: %i64)
    irdl.results(result: %i64)
  }
  irdl.operation @zero {
    %i32 = irdl.is i32
    irdl.operands(shift: %i32)
    irdl.results(result: %i32)
  }
  irdl.operation @mul_wide_s32 {
    %i32 = irdl.is i32
    %i64 = irdl.is i64
    irdl.operands(left: %i32, right: %i32)
    irdl.results(result: %i64)
  }
  irdl.operation @sin_approx {
    %f32 = irdl.is f32
    irdl.operands(source: %f32)
    irdl.results(result: %f32)
  }
  irdl.operation @cos_approx {
    %f32 = irdl.is f32
    irdl.operands(source: %f32)
    irdl.results(result: %f32)
  }
  irdl.operation @f32_to_s32 {
    %f32 = irdl.is f32
    %i32 = irdl.is i32
    irdl.operands(source: %f32)
    irdl.results(result: %i32)
  }
  irdl.operation @f32_to_s64 {
    %f32 = irdl.is f32
    %i64 = irdl.is i64
    irdl.operands(source: %f32)
    irdl.results(result: %i64)
  }
  irdl.operation @pack_s8 {
    %i16 = irdl.is i16
    %i32 = irdl.is i32
    irdl.operands(low: %i32, high: %i32)
    irdl.results(result: %i16)
  }
  irdl.operation @pack_u8 {
    %i16 = irdl.is i16
    %i32 = irdl.is i32
    irdl.operands(low: %i32, high: %i32)
    irdl.results(result: %i16)
  }
  irdl.operation @prmt {
    %i32 = irdl.is i32
    irdl.operands(low: %i32, high: %i32, selector: %i32)
    irdl.results(result: %i32)
  }
  irdl.operation @f32_to_f16x2 {
    %f32 = irdl.is f32
    %i32 = irdl.is i32
    irdl.operands(low: %f32, high: %f32)
    irdl.results(result: %i32)
  }
  irdl.operation @f32_to_bf16x2 {
    %f32 = irdl.is f32
    %i32 = irdl.is i32
    irdl.operands(low: %f32, high: %f32)
    irdl.results(result: %i32)
  }
  irdl.operation @f32_to_e4m3 {
    %f32 = irdl.is f32
    %i16 = irdl.is i16
    irdl.operands(low: %f32, high: %f32)
    irdl.results(result: %i16)
  }
  irdl.operation @f16_to_e4m3 {
    %i16 = irdl.is i16
    %i32 = irdl.is i32
    irdl.operands(source: %i32)
    irdl.results(result: %i16)
  }
  irdl.operation @e4m3_to_f16 {
    %i16 = irdl.is i16
    %i32 = irdl.is i32
    irdl.operands(source: %i16)
    irdl.results(result: %i32)
  }
  irdl.operation @f32_to_e5m2 {
    %f32 = irdl.is f32
    %i16 = irdl.is i16
    irdl.operands(low: %f32, high: %f32)
    irdl.results(result: %i16)
  }
  irdl.operation @f16_to_e5m2 {
    %i16 = irdl.is i16
    %i32 = irdl.is i32
    irdl.operands(source: %i32)
    irdl.results(result: %i16)
  }
  irdl.operation @e5m2_to_f16 {
    %i16 = irdl.is i16
    %i32 = irdl.is i32
    irdl.operands(source: %i16)
    irdl.results(result: %i32)
  }
  irdl.operation @f32_to_tf32 {
    %f32 = irdl.is f32
    %i32 = irdl.is i32
    irdl.operands(source: %f32)
    irdl.results(result: %i32)
  }
  irdl.operation @f32_to_u32 {
    %f32 = irdl.is f32
    %i32 = irdl.is i32
    irdl.operands(source: %f32)
    irdl.results(result: %i32)
  }
  irdl.operation @f32_to_u64 {
    %f32 = irdl.is f32
    %i64 = irdl.is i64
    irdl.operands(source: %f32)
    irdl.results(result: %i64)
  }
  irdl.operation @f64_to_s32 {
    %f64 = irdl.is f64
    %i32 = irdl.is i32
    irdl.operands(source: %f64)
    irdl.results(result: %i32)
  }
  irdl.operation @f64_to_s64 {
    %f64 = irdl.is f64
    %i64 = irdl.is i64
    irdl.operands(source: %f64)
    irdl.results(result: %i64)
  }
  irdl.operation @f64_to_u32 {
    %f64 = irdl.is f64
    %i32 = irdl.is i32
    irdl.operands(source: %f64)
    irdl.results(result: %i32)
  }
  irdl.operation @f64_to_u64 {
    %f64 = irdl.is f64
    %i64 = irdl.is i64
    irdl.operands(source: %f64)
    irdl.results(result: %i64)
  }
  // Registers of a, b and c; d. operandSegmentSizes says how many; c_type = f16 where c has pairs.
  irdl.operation @mma {
    %shape = irdl.any
    %a_type = irdl.any
    %b_type = irdl.any
    %i32 = irdl.is i32
    %f32 = irdl.is f32
    %f64 = irdl.is f64
    %factor = irdl.any_of(%i32, %f64)
    %sum = irdl.any_of(%i32, %f32, %f64)
    irdl.attributes {"shape" = %shape, "a_type" = %a_type, "b_type" = %b_type}
    irdl.operands(a: variadic %factor, b: variadic %factor, c: variadic %sum)
    irdl.results(d: variadic %sum)
  }
  // The address of a row; a register of each of `count` matrices.
  irdl.operation @ldmatrix {
    %count = irdl.any
    %transpose = irdl.any
    %pointer = irdl.any
    %i32 = irdl.is i32
    irdl.attributes {"count" = %count, "transpose" = %transpose}
    irdl.operands(pointer: %pointer)
    irdl.results(registers: variadic %i32)
  }
  irdl.operation @stmatrix {
    %transpose = irdl.any
    %pointer = irdl.any
    %i32 = irdl.is i32
    irdl.attributes {"transpose" = %transpose}
    irdl.operands(pointer: %pointer, registers: variadic %i32)
  }
  // Accumulators, a (one i64, or four i32), b, scale_d; the accumulators in flight.
  irdl.operation @wgmma {
    %shape = irdl.any
    %a_type = irdl.any
    %b_type = irdl.any
    %transpose_a = irdl.any
    %transpose_b = irdl.any
    %f32 = irdl.is f32
    %i32 = irdl.is i32
    %i64 = irdl.is i64
    %i1 = irdl.is i1
    %sum = irdl.any_of(%f32, %i32)
    %factor = irdl.any_of(%i32, %i64)
    irdl.attributes {"shape" = %shape, "a_type" = %a_type, "b_type" = %b_type,
                     "transpose_a" = %transpose_a, "transpose_b" = %transpose_b}
    irdl.operands(accumulators: variadic %sum, a: variadic %factor, b: %i64, scale_d: %i1)
    irdl.results(results: variadic %sum)
  }
  irdl.operation @wgmma_wait {
    %pending = irdl.any
    %f32 = irdl.is f32
    %i32 = irdl.is i32
    irdl.attributes {"pending" = %pending}
    irdl.operands(floats: variadic %f32, words: variadic %i32)
    irdl.results(floats_out: variadic %f32, words_out: variadic %i32)
  }
  // Registers that the next wgmma uses: accumulators that were written, and a.
  irdl.operation @wgmma_fence {
    %f32 = irdl.is f32
    %i32 = irdl.is i32
    irdl.operands(floats: variadic %f32, words: variadic %i32)
    irdl.results(floats_out: variadic %f32, words_out: variadic %i32)
  }
  irdl.operation @wgmma_commit {
  }
  irdl.operation @prefetch {
    %address = irdl.any
    %i1 = irdl.is i1
    irdl.operands(address: %address, predicate: %i1)
  }
  irdl.operation @fence_async_shared {
  }
  // ptr<3> of a barrier, i1 predicate.
  irdl.operation @mbarrier_init {
    %arrivals = irdl.any
    %barrier = irdl.any
    %i1 = irdl.is i1
    irdl.attributes {"arrivals" = %arrivals}
    irdl.operands(barrier: %barrier, predicate: %i1)
  }
  irdl.operation @mbarrier_inval {
    %barrier = irdl.any
    %i1 = irdl.is i1
    irdl.operands(barrier: %barrier, predicate: %i1)
  }
  irdl.operation @mbarrier_arrive {
    %barrier = irdl.any
    %i1 = irdl.is i1
    irdl.operands(barrier: %barrier, predicate: %i1)
  }
  // Further: the rank of a block of the cluster.
  irdl.operation @mbarrier_arrive_at {
    %barrier = irdl.any
    %i1 = irdl.is i1
    %i32 = irdl.is i32
    irdl.operands(barrier: %barrier, rank: %i32, predicate: %i1)
  }
  irdl.operation @cluster_rank {
    %i32 = irdl.is i32
    irdl.results(result: %i32)
  }
  irdl.operation @cluster_arrive {
  }
  irdl.operation @cluster_wait {
  }
  irdl.operation @mbarrier_expect_tx {
    %bytes = irdl.any
    %barrier = irdl.any
    %i1 = irdl.is i1
    irdl.attributes {"bytes" = %bytes}
    irdl.operands(barrier: %barrier, predicate: %i1)
  }
  irdl.operation @mbarrier_wait {
    %barrier = irdl.any
    %i32 = irdl.is i32
    irdl.operands(barrier: %barrier, parity: %i32)
  }
  irdl.operation @fence_mbarrier_init {
  }
  // ptr<3>, the tensor map's ptr, ptr<3> of a barrier, i1 predicate, the box's first element from
  // the innermost dimension on.
  irdl.operation @cp_async_bulk_tensor {
    %destination = irdl.any
    %map = irdl.any
    %barrier = irdl.any
    %i1 = irdl.is i1
    %i32 = irdl.is i32
    irdl.operands(destination: %destination, map: %map, barrier: %barrier, predicate: %i1,
                  coordinates: variadic %i32)
  }
  // The tensor map's ptr, ptr<3> of the box, i1 predicate, the box's first element as above.
  irdl.operation @cp_async_bulk_tensor_store {
    %map = irdl.any
    %source = irdl.any
    %i1 = irdl.is i1
    %i32 = irdl.is i32
    irdl.operands(map: %map, source: %source, predicate: %i1, coordinates: variadic %i32)
  }
  irdl.operation @cp_async_bulk_commit {
  }
  irdl.operation @cp_async_bulk_wait {
    %pending = irdl.any
    irdl.attributes {"pending" = %pending}
  }
  irdl.operation @cp_async_bulk_wait_read {
    %pending = irdl.any
    irdl.attributes {"pending" = %pending}
  }
}
