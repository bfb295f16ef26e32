// Types and operations of the tile dialect. IRDL checks arity and the attributes that are always
// there; everything about shapes and element types is checked in lib/ir/verify_tile*.c, where the
// message can say what to do.
irdl.dialect @tile {
  // A pointer to global memory: !tile.ptr<f32>.
  irdl.type @ptr {
    %pointee = irdl.any
    irdl.parameters(pointee: %pointee)
  }
  // A tensor in global memory, of which blocks are taken: !tile.descriptor<tensor<128x64xf16>>.
  irdl.type @descriptor {
    %block = irdl.any
    irdl.parameters(block: %block)
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
  irdl.operation @from_bits {
    %source = irdl.any
    %result = irdl.any
    irdl.operands(source: %source)
    irdl.results(result: %result)
  }
  irdl.operation @to_fp8 {
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
  // Descriptors of tensors in memory; sizes, strides and offsets are outermost first.
  irdl.operation @make_descriptor {
    %base = irdl.any
    %size = irdl.any
    %stride = irdl.any
    %descriptor = irdl.any
    irdl.operands(base: %base, sizes: variadic %size, strides: variadic %stride)
    irdl.results(result: %descriptor)
  }
  irdl.operation @descriptor_load {
    %descriptor = irdl.any
    %offset = irdl.any
    %value = irdl.any
    irdl.operands(descriptor: %descriptor, offsets: variadic %offset)
    irdl.results(result: %value)
  }
  irdl.operation @descriptor_store {
    %descriptor = irdl.any
    %value = irdl.any
    %offset = irdl.any
    irdl.operands(descriptor: %descriptor, value: %value, offsets: variadic %offset)
  }
  irdl.operation @assume {
    %i1 = irdl.is i1
    irdl.operands(condition: %i1)
  }

  // Shapes.
  irdl.operation @reshape {
    %source = irdl.any
    %result = irdl.any
    irdl.operands(source: %source)
    irdl.results(result: %result)
  }
  irdl.operation @permute {
    %order = irdl.any
    %source = irdl.any
    %result = irdl.any
    irdl.attributes {"order" = %order}
    irdl.operands(source: %source)
    irdl.results(result: %result)
  }
  irdl.operation @join {
    %part = irdl.any
    %result = irdl.any
    irdl.operands(first: %part, second: %part)
    irdl.results(result: %result)
  }
  irdl.operation @split {
    %source = irdl.any
    %part = irdl.any
    irdl.operands(source: %source)
    irdl.results(first: %part, second: %part)
  }
  irdl.operation @gather {
    %axis = irdl.any
    %source = irdl.any
    %index = irdl.any
    %result = irdl.any
    irdl.attributes {"axis" = %axis}
    irdl.operands(source: %source, index: %index)
    irdl.results(result: %result)
  }

  // Across elements. A group of operands in IRDL has one type, so eight optional ones stand for
  // "one to eight of any types".
  irdl.operation @reduce {
    %x0 = irdl.any
    %x1 = irdl.any
    %x2 = irdl.any
    %x3 = irdl.any
    %x4 = irdl.any
    %x5 = irdl.any
    %x6 = irdl.any
    %x7 = irdl.any
    %r0 = irdl.any
    %r1 = irdl.any
    %r2 = irdl.any
    %r3 = irdl.any
    %r4 = irdl.any
    %r5 = irdl.any
    %r6 = irdl.any
    %r7 = irdl.any
    %axis = irdl.any
    %combiner = irdl.region with size 1
    irdl.attributes {"axis" = %axis}
    irdl.operands(x0: optional %x0, x1: optional %x1, x2: optional %x2, x3: optional %x3,
                  x4: optional %x4, x5: optional %x5, x6: optional %x6, x7: optional %x7)
    irdl.results(r0: optional %r0, r1: optional %r1, r2: optional %r2, r3: optional %r3,
                 r4: optional %r4, r5: optional %r5, r6: optional %r6, r7: optional %r7)
    irdl.regions(combiner: %combiner)
  }
  irdl.operation @map {
    %x0 = irdl.any
    %x1 = irdl.any
    %x2 = irdl.any
    %x3 = irdl.any
    %x4 = irdl.any
    %x5 = irdl.any
    %x6 = irdl.any
    %x7 = irdl.any
    %r0 = irdl.any
    %r1 = irdl.any
    %r2 = irdl.any
    %r3 = irdl.any
    %r4 = irdl.any
    %r5 = irdl.any
    %r6 = irdl.any
    %r7 = irdl.any
    %pack = irdl.any
    %function = irdl.region with size 1
    irdl.attributes {"pack" = %pack}
    irdl.operands(x0: optional %x0, x1: optional %x1, x2: optional %x2, x3: optional %x3,
                  x4: optional %x4, x5: optional %x5, x6: optional %x6, x7: optional %x7)
    irdl.results(r0: optional %r0, r1: optional %r1, r2: optional %r2, r3: optional %r3,
                 r4: optional %r4, r5: optional %r5, r6: optional %r6, r7: optional %r7)
    irdl.regions(function: %function)
  }
  irdl.operation @scan {
    %x0 = irdl.any
    %x1 = irdl.any
    %x2 = irdl.any
    %x3 = irdl.any
    %x4 = irdl.any
    %x5 = irdl.any
    %x6 = irdl.any
    %x7 = irdl.any
    %r0 = irdl.any
    %r1 = irdl.any
    %r2 = irdl.any
    %r3 = irdl.any
    %r4 = irdl.any
    %r5 = irdl.any
    %r6 = irdl.any
    %r7 = irdl.any
    %axis = irdl.any
    %reverse = irdl.any
    %combiner = irdl.region with size 1
    irdl.attributes {"axis" = %axis, "reverse" = %reverse}
    irdl.operands(x0: optional %x0, x1: optional %x1, x2: optional %x2, x3: optional %x3,
                  x4: optional %x4, x5: optional %x5, x6: optional %x6, x7: optional %x7)
    irdl.results(r0: optional %r0, r1: optional %r1, r2: optional %r2, r3: optional %r3,
                 r4: optional %r4, r5: optional %r5, r6: optional %r6, r7: optional %r7)
    irdl.regions(combiner: %combiner)
  }
  irdl.operation @sort {
    %axis = irdl.any
    %descending = irdl.any
    %source = irdl.any
    %result = irdl.any
    irdl.attributes {"axis" = %axis, "descending" = %descending}
    irdl.operands(source: %source)
    irdl.results(result: %result)
  }
  irdl.operation @histogram {
    %source = irdl.any
    %mask = irdl.any
    %result = irdl.any
    irdl.operands(source: %source, mask: optional %mask)
    irdl.results(result: %result)
  }

  // Products of matrices.
  irdl.operation @dot {
    %precision = irdl.any
    %a = irdl.any
    %b = irdl.any
    %c = irdl.any
    irdl.attributes {"precision" = %precision}
    irdl.operands(a: %a, b: %b, c: %c)
    irdl.results(result: %c)
  }
  irdl.operation @dot_scaled {
    %a_format = irdl.any
    %b_format = irdl.any
    %a = irdl.any
    %b = irdl.any
    %c = irdl.any
    %a_scale = irdl.any
    %b_scale = irdl.any
    irdl.attributes {"a_format" = %a_format, "b_format" = %b_format}
    irdl.operands(a: %a, b: %b, c: %c, a_scale: optional %a_scale, b_scale: optional %b_scale)
    irdl.results(result: %c)
  }

  // Atomic operations.
  irdl.operation @atomic_rmw {
    %kind = irdl.any
    %pointer = irdl.any
    %value = irdl.any
    %mask = irdl.any
    irdl.attributes {"kind" = %kind}
    irdl.operands(pointer: %pointer, value: %value, mask: optional %mask)
    irdl.results(old: %value)
  }
  irdl.operation @atomic_cas {
    %pointer = irdl.any
    %value = irdl.any
    irdl.operands(pointer: %pointer, compare: %value, value: %value)
    irdl.results(old: %value)
  }

  // Effects besides memory.
  irdl.operation @inline_asm {
    %asm = irdl.any
    %constraints = irdl.any
    %pack = irdl.any
    %pure = irdl.any
    %x0 = irdl.any
    %x1 = irdl.any
    %x2 = irdl.any
    %x3 = irdl.any
    %x4 = irdl.any
    %x5 = irdl.any
    %x6 = irdl.any
    %x7 = irdl.any
    %r0 = irdl.any
    %r1 = irdl.any
    %r2 = irdl.any
    %r3 = irdl.any
    %r4 = irdl.any
    %r5 = irdl.any
    %r6 = irdl.any
    %r7 = irdl.any
    irdl.attributes {"asm" = %asm, "constraints" = %constraints, "pack" = %pack, "pure" = %pure}
    irdl.operands(x0: optional %x0, x1: optional %x1, x2: optional %x2, x3: optional %x3,
                  x4: optional %x4, x5: optional %x5, x6: optional %x6, x7: optional %x7)
    irdl.results(r0: optional %r0, r1: optional %r1, r2: optional %r2, r3: optional %r3,
                 r4: optional %r4, r5: optional %r5, r6: optional %r6, r7: optional %r7)
  }
  irdl.operation @print {
    %prefix = irdl.any
    %hex = irdl.any
    %x0 = irdl.any
    %x1 = irdl.any
    %x2 = irdl.any
    %x3 = irdl.any
    %x4 = irdl.any
    %x5 = irdl.any
    %x6 = irdl.any
    %x7 = irdl.any
    irdl.attributes {"prefix" = %prefix, "hex" = %hex}
    irdl.operands(x0: optional %x0, x1: optional %x1, x2: optional %x2, x3: optional %x3,
                  x4: optional %x4, x5: optional %x5, x6: optional %x6, x7: optional %x7)
  }
  irdl.operation @assert {
    %message = irdl.any
    %file = irdl.any
    %function = irdl.any
    %line = irdl.any
    %condition = irdl.any
    %mask = irdl.any
    irdl.attributes {"message" = %message, "file" = %file, "function" = %function, "line" = %line}
    irdl.operands(condition: %condition, mask: optional %mask)
  }
  irdl.operation @barrier {
  }
  irdl.operation @grid_wait {
  }
  irdl.operation @grid_launch {
  }
}
