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
}
