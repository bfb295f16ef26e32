// Layouts and operations of the tile_gpu dialect. A layout's parameters are one dictionary; its
// fields are checked in lib/ir/layout_attribute.c.
irdl.dialect @tile_gpu {
  // #tile_gpu.blocked<{size_per_thread = [1, 4], threads_per_warp = [8, 4], warps_per_cta = [4, 1],
  //                    order = [1, 0]}>
  irdl.attribute @blocked {
    %fields = irdl.any
    irdl.parameters(fields: %fields)
  }
  // #tile_gpu.slice<{axis = 0, parent = #tile_gpu.blocked<...>}>: the parent without one dimension.
  irdl.attribute @slice {
    %fields = irdl.any
    irdl.parameters(fields: %fields)
  }

  // #tile_gpu.linear<{register = [[0, 1]], lane = [[0, 2], ...], warp = []}>: one basis per bit.
  irdl.attribute @linear {
    %fields = irdl.any
    irdl.parameters(fields: %fields)
  }

  // #tile_gpu.mma<{version = 2, warps_per_cta = [2, 2], instr_shape = [16, 8]}>: accumulators.
  irdl.attribute @mma {
    %fields = irdl.any
    irdl.parameters(fields: %fields)
  }
  // #tile_gpu.dot_operand<{index = 0, parent = #tile_gpu.mma<...>, k_width = 2}>
  irdl.attribute @dot_operand {
    %fields = irdl.any
    irdl.parameters(fields: %fields)
  }
  // Memory spaces of buffers in shared memory; lib/ir/shared_attribute.c checks their fields.
  // #tile_gpu.swizzled<{vec = 8, per_phase = 1, max_phase = 8, order = [1, 0]}>
  irdl.attribute @swizzled {
    %fields = irdl.any
    irdl.parameters(fields: %fields)
  }
  // #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 16}>
  irdl.attribute @nvmma {
    %fields = irdl.any
    irdl.parameters(fields: %fields)
  }

  // Asynchronous copies that a wait can name.
  irdl.type @token {
  }

  irdl.operation @alloc {
    %source = irdl.any
    %buffer = irdl.any
    irdl.operands(source: optional %source)
    irdl.results(buffer: %buffer)
  }
  irdl.operation @index {
    %buffer = irdl.any
    %stage = irdl.any
    %i32 = irdl.is i32
    irdl.operands(buffer: %buffer, index: %i32)
    irdl.results(stage: %stage)
  }
  irdl.operation @subslice {
    %offsets = irdl.any
    %buffer = irdl.any
    %box = irdl.any
    irdl.attributes {"offsets" = %offsets}
    irdl.operands(buffer: %buffer)
    irdl.results(box: %box)
  }
  irdl.operation @transpose {
    %order = irdl.any
    %buffer = irdl.any
    %result = irdl.any
    irdl.attributes {"order" = %order}
    irdl.operands(buffer: %buffer)
    irdl.results(result: %result)
  }
  irdl.operation @local_load {
    %buffer = irdl.any
    %token = irdl.any
    %result = irdl.any
    irdl.operands(buffer: %buffer, token: optional %token)
    irdl.results(result: %result)
  }
  irdl.operation @local_store {
    %source = irdl.any
    %buffer = irdl.any
    irdl.operands(source: %source, buffer: %buffer)
  }
  irdl.operation @local_transpose {
    %source = irdl.any
    %result = irdl.any
    irdl.operands(source: %source, result: %result)
  }
  irdl.operation @async_copy {
    %pointers = irdl.any
    %buffer = irdl.any
    %mask = irdl.any
    %other = irdl.any
    %token = irdl.any
    irdl.operands(pointers: %pointers, buffer: %buffer, mask: optional %mask,
                  other: optional %other)
    irdl.results(token: %token)
  }
  irdl.operation @async_commit {
    %token = irdl.any
    %result = irdl.any
    irdl.operands(tokens: variadic %token)
    irdl.results(token: %result)
  }
  irdl.operation @async_wait {
    %pending = irdl.any
    %token = irdl.any
    %result = irdl.any
    irdl.attributes {"pending" = %pending}
    irdl.operands(tokens: variadic %token)
    irdl.results(token: %result)
  }

  // Barriers in shared memory that count arrivals and bytes; copies of whole blocks.
  irdl.operation @mbarrier_init {
    %arrivals = irdl.any
    %barriers = irdl.any
    irdl.attributes {"arrivals" = %arrivals}
    irdl.operands(barriers: %barriers)
  }
  irdl.operation @mbarrier_inval {
    %barriers = irdl.any
    irdl.operands(barriers: %barriers)
  }
  irdl.operation @mbarrier_expect {
    %bytes = irdl.any
    %barrier = irdl.any
    %i1 = irdl.is i1
    irdl.attributes {"bytes" = %bytes}
    irdl.operands(barrier: %barrier, predicate: %i1)
  }
  irdl.operation @mbarrier_wait {
    %barrier = irdl.any
    %i32 = irdl.is i32
    %token = irdl.any
    irdl.operands(barrier: %barrier, parity: %i32)
    irdl.results(token: %token)
  }
  irdl.operation @mbarrier_arrive {
    %barrier = irdl.any
    %i1 = irdl.is i1
    irdl.operands(barrier: %barrier, predicate: %i1)
  }
  irdl.operation @mbarrier_arrive_at {
    %barrier = irdl.any
    %i1 = irdl.is i1
    %i32 = irdl.is i32
    irdl.operands(barrier: %barrier, predicate: %i1, rank: %i32)
  }
  irdl.operation @cluster_barrier {
  }
  irdl.operation @cluster_rank {
    %i32 = irdl.is i32
    irdl.results(result: %i32)
  }
  irdl.operation @in_producer {
    %i1 = irdl.is i1
    irdl.results(result: %i1)
  }
  irdl.operation @in_transposer {
    %i1 = irdl.is i1
    irdl.results(result: %i1)
  }
  // Parts of a sum in global memory, in the order of registers.
  irdl.operation @store_part {
    %part = irdl.any
    %pointer = irdl.any
    irdl.operands(part: %part, pointer: %pointer)
  }
  irdl.operation @add_part {
    %tile = irdl.any
    %pointer = irdl.any
    irdl.operands(tile: %tile, pointer: %pointer)
    irdl.results(sum: %tile)
  }
  irdl.operation @add_scaled_part {
    %tile = irdl.any
    %pointer = irdl.any
    irdl.operands(tile: %tile, pointer: %pointer, scale: %tile)
    irdl.results(sum: %tile)
  }
  irdl.operation @bulk_load {
    %descriptor = irdl.any
    %buffer = irdl.any
    %barrier = irdl.any
    %i1 = irdl.is i1
    %i32 = irdl.is i32
    %token = irdl.any
    irdl.operands(descriptor: %descriptor, buffer: %buffer, barrier: %barrier, predicate: %i1,
                  offsets: variadic %i32)
    irdl.results(token: %token)
  }
  irdl.operation @store_box {
    %descriptor = irdl.any
    %i32 = irdl.is i32
    irdl.operands(descriptor: %descriptor, offsets: variadic %i32)
  }
  irdl.operation @bulk_store {
    %descriptor = irdl.any
    %value = irdl.any
    %buffer = irdl.any
    %i32 = irdl.is i32
    irdl.operands(descriptor: %descriptor, value: %value, buffer: %buffer, offsets: variadic %i32)
  }
  irdl.operation @bulk_store_wait {
    %buffer = irdl.any
    irdl.operands(buffer: %buffer)
  }

  irdl.operation @buffer_dot {
    %a = irdl.any
    %b = irdl.any
    %c = irdl.any
    irdl.operands(a: %a, b: %b, c: %c)
    irdl.results(result: %c)
  }
  irdl.operation @warpgroup_dot {
    %a = irdl.any
    %b = irdl.any
    %c = irdl.any
    irdl.operands(a: %a, b: %b, c: %c)
    irdl.results(result: %c)
  }
  irdl.operation @warpgroup_dot_wait {
    %pending = irdl.any
    %first = irdl.any
    %second = irdl.any
    %third = irdl.any
    %fourth = irdl.any
    irdl.attributes {"pending" = %pending}
    irdl.operands(first: %first, second: optional %second, third: optional %third,
                  fourth: optional %fourth)
    irdl.results(first_out: %first, second_out: optional %second, third_out: optional %third,
                 fourth_out: optional %fourth)
  }

  irdl.operation @barrier {
  }
  irdl.operation @prefetch {
    %pointer = irdl.any
    %mask = irdl.any
    irdl.operands(pointer: %pointer, mask: %mask)
  }
  irdl.operation @convert_layout {
    %source = irdl.any
    %result = irdl.any
    irdl.operands(source: %source)
    irdl.results(result: %result)
  }
}
