// RUN: tile-run %s --grid 1 --arg a=fp16[65536]:rand --arg b=bf16[65536]:rand \
// RUN:   --arg c=fp8e5[4096]:rand --arg d=fp32[65536]:rand --print a:65536 --print b:65536 \
// RUN:   --print c:4096 --print d:65536 >%t
// RUN: tr ' ' '\n' <%t | FileCheck %s
// RUN: tr ' ' '\n' <%t | sort | uniq -c | FileCheck %s --check-prefix=ENDS

// Random floats are at least -1 and less than 1: what would round to 1 becomes the number before
// it.
// CHECK: a
// CHECK-NOT: {{^}}1{{$}}
// ENDS-DAG: {{^ *[0-9]+}} -1{{$}}
// ENDS-DAG: {{^ *[0-9]+}} 0.999511719{{$}}
// ENDS-DAG: {{^ *[0-9]+}} 0.99609375{{$}}
// ENDS-DAG: {{^ *[0-9]+}} 0.875{{$}}
func.func @nothing(%a: !tile.ptr<f16>, %b: !tile.ptr<bf16>, %c: !tile.ptr<f8E5M2>,
                   %d: !tile.ptr<f32>) attributes {tile.kernel} {
  return
}
