// Kernels with parameters of every kind, whose names C does not take; and one without.
func.func @every(%a: !tile.ptr<f32> {tile.name = "class"}, %b: i1 {tile.name = "stream"}, %c: i8 {tile.name = "t.0"},
                 %d: i16 {tile.name = "t_0"}, %e: i32 {tile.name = "int"}, %f: i64, %g: f16 {tile.name = "_H"},
                 %h: bf16 {tile.name = "tile_x"}, %i: f32 {tile.name = "tile_arguments"}, %j: f64 {tile.name = "grid_x"})
    attributes {tile.kernel} {
  "tile.store"(%a, %i) {operandSegmentSizes = array<i32: 1, 1, 0>} : (!tile.ptr<f32>, f32) -> ()
  return
}

func.func @nothing() attributes {tile.kernel} {
  return
}

func.func @"not.a.name"(%x: i32 {tile.name = "x"}) attributes {tile.kernel} {
  return
}
