// Types and operations of the tile dialect. IRDL checks arity and the attributes that are always
// there; everything about shapes and element types is checked in lib/ir/verify_tile.c, where the
// message can say what to do.
irdl.dialect @tile {
  // A pointer to global memory: !tile.ptr<f32>.
  irdl.type @ptr {
    %pointee = irdl.any
    irdl.parameters(pointee: %pointee)
  }

  irdl.operation @program_id {
    %axis = irdl.any
    %i32 = irdl.is i32
    irdl.attributes {"axis" = %axis}
    irdl.results(result: %i32)
  }
  irdl.operation @num_programs {
    %axis = irdl.any
    %i32 = irdl.is i32
    irdl.attributes {"axis" = %axis}
    irdl.results(result: %i32)
  }
  irdl.operation @range {
    %start = irdl.any
    %end = irdl.any
    %result = irdl.any
    irdl.attributes {"start" = %start, "end" = %end}
    irdl.results(result: %result)
  }
  irdl.operation @splat {
    %source = irdl.any
    %result = irdl.any
    irdl.operands(source: %source)
    irdl.results(result: %result)
  }
  irdl.operation @broadcast {
    %source = irdl.any
    %result = irdl.any
    irdl.operands(source: %source)
    irdl.results(result: %result)
  }
  irdl.operation @expand_dims {
    %axis = irdl.any
    %source = irdl.any
    %result = irdl.any
    irdl.attributes {"axis" = %axis}
    irdl.operands(source: %source)
    irdl.results(result: %result)
  }
  irdl.operation @addptr {
    %pointer = irdl.any
    %offset = irdl.any
    irdl.operands(pointer: %pointer, offset: %offset)
    irdl.results(result: %pointer)
  }
  irdl.operation @ptr_to_int {
    %source = irdl.any
    %result = irdl.any
    irdl.operands(source: %source)
    irdl.results(result: %result)
  }
  irdl.operation @int_to_ptr {
    %source = irdl.any
    %result = irdl.any
    irdl.operands(source: %source)
    irdl.results(result: %result)
  }
  irdl.operation @bitcast {
    %source = irdl.any
    %result = irdl.any
    irdl.operands(source: %source)
    irdl.results(result: %result)
  }
  irdl.operation @load {
    %pointer = irdl.any
    %mask = irdl.any
    %value = irdl.any
    irdl.operands(pointer: %pointer, mask: optional %mask, other: optional %value)
    irdl.results(result: %value)
  }
  irdl.operation @store {
    %pointer = irdl.any
    %value = irdl.any
    %mask = irdl.any
    irdl.operands(pointer: %pointer, value: %value, mask: optional %mask)
  }
  irdl.operation @assume {
    %i1 = irdl.is i1
    irdl.operands(condition: %i1)
  }
}
