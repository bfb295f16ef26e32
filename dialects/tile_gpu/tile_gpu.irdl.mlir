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

  irdl.operation @barrier {
  }
  irdl.operation @convert_layout {
    %source = irdl.any
    %result = irdl.any
    irdl.operands(source: %source)
    irdl.results(result: %result)
  }
}
