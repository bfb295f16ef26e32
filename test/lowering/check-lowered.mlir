// RUN: tile-opt --tile-check-lowered --split-input-file --verify-diagnostics %s

// Half of the threads would wait for the others.
llvm.func @half() attributes {nvvm.kernel} {
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %c = llvm.mlir.constant(16 : i32) : i32
  %less = llvm.icmp "slt" %t, %c : i32
  llvm.cond_br %less, ^in, ^out
^in:
  // expected-error @+1 {{nvvm.barrier0: all threads of the block must come here, but the branch at}}
  nvvm.barrier0
  llvm.br ^out
^out:
  llvm.return
}

// -----

// Where the ways have met again all threads come.
llvm.func @met_again(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %c = llvm.mlir.constant(16 : i32) : i32
  %less = llvm.icmp "slt" %t, %c : i32
  llvm.cond_br %less, ^in, ^out
^in:
  llvm.store %c, %p : i32, !llvm.ptr<1>
  llvm.br ^out
^out:
  nvvm.barrier0
  llvm.return
}

// -----

// A scalar is the same in all threads, also one that is loaded and one that a warp has summed up.
llvm.func @scalars(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %all = llvm.mlir.constant(-1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %x = llvm.load %p : !llvm.ptr<1> -> i32
  %some = llvm.icmp "ne" %x, %zero : i32
  llvm.cond_br %some, ^first, ^second
^first:
  nvvm.barrier0
  llvm.br ^second
^second:
  %at = llvm.getelementptr %q[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %y = llvm.load %at : !llvm.ptr<1> -> i32
  %sum = nvvm.redux.sync add %y, %all : i32 -> i32
  %more = llvm.icmp "ne" %sum, %zero : i32
  llvm.cond_br %more, ^third, ^fourth
^third:
  nvvm.barrier0
  llvm.br ^fourth
^fourth:
  llvm.return
}

// -----

// An element that each thread has loaded for itself is no scalar; nor is what a branch on it has chosen.
llvm.func @elements(%q: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %all = llvm.mlir.constant(-1 : i32) : i32
  %at = llvm.getelementptr %q[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %y = llvm.load %at : !llvm.ptr<1> -> i32
  %some = llvm.icmp "ne" %y, %zero : i32
  llvm.cond_br %some, ^in(%one : i32), ^in(%zero : i32)
^in(%chosen: i32):
  %again = llvm.icmp "ne" %chosen, %zero : i32
  llvm.cond_br %again, ^third, ^fourth
^third:
  // expected-error @+1 {{nvvm.bar.warp.sync: all lanes of the warp must come here}}
  nvvm.bar.warp.sync %all : i32
  llvm.br ^fourth
^fourth:
  llvm.return
}

// -----

// What a whole warp does may stand under a branch on the warp's number; what the block does may not.
llvm.func @warps() attributes {nvvm.kernel} {
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %all = llvm.mlir.constant(-1 : i32) : i32
  %five = llvm.mlir.constant(5 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %warp = llvm.lshr %t, %five : i32
  %first = llvm.icmp "eq" %warp, %zero : i32
  llvm.cond_br %first, ^in, ^out
^in:
  nvvm.bar.warp.sync %all : i32
  // expected-error @+1 {{all threads of the block must come here}}
  nvvm.barrier0
  llvm.br ^out
^out:
  llvm.return
}

// -----

// A loop that threads leave one by one: its body is not everybody's, what follows is. A trap is no way out.
llvm.func @loop(%n: i32) attributes {nvvm.kernel} {
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %all = llvm.mlir.constant(-1 : i32) : i32
  llvm.br ^head(%t : i32)
^head(%i: i32):
  %less = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %less, ^body, ^done
^body:
  // expected-error @+1 {{nvvm.shfl.sync: all lanes of the warp must come here}}
  %x = nvvm.shfl.sync bfly %all, %i, %one, %one : i32 -> i32
  %next = llvm.add %i, %one : i32
  %bad = llvm.icmp "slt" %next, %one : i32
  llvm.cond_br %bad, ^trap, ^head(%next : i32)
^trap:
  llvm.unreachable
^done:
  nvvm.barrier0
  llvm.return
}
