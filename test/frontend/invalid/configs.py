# Wrong decorators: the place, the fact, the way out. What is known at run time only is an error only
# where a constant is asked for.
# RUN: tile-translate --import-triton --split-input-file --verify-diagnostics %s
# flags: --signature '*fp32' --config 2
# expected-error @unknown {{--config 2: kernel 'k' has 2 configurations, counted from 0; --list-configs shows them}}
@triton.autotune(configs=[triton.Config({"B": 1}), triton.Config({"B": 2})], key=[])
@triton.jit
def k(x, B: tl.constexpr): pass
# -----
# flags: --signature '*fp32' --config -1
# expected-error @unknown {{--config -1: kernel 'k' has 1 configuration, counted from 0}}
@triton.autotune(configs=[triton.Config({"B": 1})], key=[])
@triton.jit
def k(x, B: tl.constexpr): pass
# -----
# flags: --signature '*fp32' --config 0
# expected-error @unknown {{--config 0: kernel 'k' has no @triton.autotune}}
@triton.jit
def k(x): pass
# -----
# flags: --signature '*fp32' --config 0
# expected-error @+1:69 {{configuration 1 sets 'BLOCKS', which is no parameter of 'k'; did you mean 'BLOCK'?}}
@triton.autotune(configs=[triton.Config({"BLOCK": n}) if n < 2 else triton.Config({"BLOCKS": 3}) for n in [1, 2]], key=[])
@triton.jit
def k(x, BLOCK: tl.constexpr): pass
# -----
# flags: --signature '*fp32'
# expected-error @+1:30 {{a heuristic sets 'EVENT', which is no parameter of 'k'; did you mean 'EVEN'?}}
@triton.heuristics({"EVENT": lambda args: True})
@triton.jit
def k(x, EVEN: tl.constexpr): pass
# -----
# flags: --signature '*fp32'
# expected-error @+1:56 {{two heuristics set 'EVEN'; leave one}}
@triton.heuristics({"EVEN": lambda args: True, "EVEN": lambda args: False})
@triton.jit
def k(x, EVEN: tl.constexpr): pass
# -----
# flags: --signature '*fp32' --config 0
# expected-error @+2:27 {{'B' is set by the configuration and by a heuristic above it; leave one}}
@triton.heuristics({"B": lambda args: 1})
@triton.autotune(configs=[triton.Config({"B": 1})], key=[])
@triton.jit
def k(x, B: tl.constexpr): pass
# -----
# flags: --signature '*fp32' --config 0
# expected-error @unknown {{configs.py:48:21: calls are nested more than 50 deep: a recursion without end?); give their constants with --constexpr instead of --config}}
def more(n): return more(n + 1)
@triton.autotune(configs=more(0), key=[])
@triton.jit
def k(x, B: tl.constexpr): pass
# -----
# flags: --signature '*fp32' --config 0
# expected-error @unknown {{it takes more than 2000000 steps}}
def endless():
    while True:
        pass
@triton.autotune(configs=endless(), key=[])
@triton.jit
def k(x, B: tl.constexpr): pass
# -----
# flags: --signature '*fp32' --config 0
# expected-error @unknown {{a list grows beyond 65536 elements}}
@triton.autotune(configs=[triton.Config({"B": 1})] * 1000000, key=[])
@triton.jit
def k(x, B: tl.constexpr): pass
# -----
# Where all constants are given, nobody asks for the list.
# flags: --signature '*fp32' --constexpr B=1
@triton.autotune(configs=[triton.Config({"B": 1})] * 1000000, key=[])
@triton.jit
def k(x, B: tl.constexpr): pass
# -----
# flags: --signature '*fp32'
# expected-error @+1 {{'OTHERS' is used before its assignment}}
CONFIGS = [triton.Config({"B": b}) for b in OTHERS]
OTHERS = [c.num_warps for c in CONFIGS]
@triton.autotune(configs=CONFIGS, key=[])
@triton.jit
def k(x, B: tl.constexpr): pass
# -----
# flags: --signature '*fp32'
# expected-error @+1:27 {{triton.Config has no parameter 'num_warp'; constants of the kernel stand in its dictionary}}
@triton.autotune(configs=[triton.Config({"B": 1}, num_warp=4)], key=[])
@triton.jit
def k(x, B: tl.constexpr): pass
# -----
# flags: --signature '*fp32' --config 0
# expected-error @unknown {{kernel 'k': num_warps = 3 is not a power of two from 1 to 32}}
@triton.autotune(configs=[triton.Config({"B": 1}, num_warps=3)], key=[])
@triton.jit
def k(x, B: tl.constexpr): pass
# -----
# flags: --signature '*fp32' --config 0
# expected-error @unknown {{kernel 'k': num_ctas = 3 is not a power of two from 1 to 16}}
@triton.autotune(configs=[triton.Config({"B": 1}, num_ctas=3)], key=[])
@triton.jit
def k(x, B: tl.constexpr): pass
# -----
# flags: --signature '*fp32'
# expected-error @+1:53 {{triton.autotune has no parameter 'keys'; did you mean 'key'?}}
@triton.autotune(configs=[triton.Config({"B": 1})], keys=["x"])
@triton.jit
def k(x, B: tl.constexpr): pass
# -----
# flags: --signature '*fp32'
# expected-error @+1 {{reset_to_zero names 'y', which is no parameter of 'k'}}
@triton.autotune(configs=[triton.Config({"B": 1})], key=["x"], reset_to_zero=["y"])
@triton.jit
def k(x, B: tl.constexpr): pass
# -----
# flags: --signature '*fp32'
# expected-error @+1 {{configs is a list of triton.Config; element 0 is a dictionary}}
@triton.autotune(configs=[{"B": 1}], key=["x"])
@triton.jit
def k(x, B: tl.constexpr): pass
# -----
# flags: --signature '*fp32'
# expected-error @+1 {{triton.jit has no parameter 'do_not_specialise'; did you mean 'do_not_specialize'?}}
@triton.jit(do_not_specialise=["x"])
def k(x): pass
# -----
# flags: --signature '*fp32, i32'
# expected-error @+1:42 {{the heuristic of 'EVEN' needs the value of argument 'n'; give it with --arg-value n=VALUE, or give --constexpr EVEN=VALUE}}
@triton.heuristics({"EVEN": lambda args: args["n"] % 16 == 0})
@triton.jit
def k(x, n, EVEN: tl.constexpr): pass
# -----
# flags: --signature '*fp32, i32'
# expected-error @+1:40 {{the heuristic of 'SM' is computed at run time: it calls torch.sms(), which is known at run time only; give --constexpr SM=VALUE}}
@triton.heuristics({"SM": lambda args: torch.sms()})
@triton.jit
def k(x, n, SM: tl.constexpr): pass
# -----
# flags: --signature '*fp32, i32'
# expected-error @+1 {{the heuristic of 'B': there is no key 'm'}}
@triton.heuristics({"B": lambda args: args["m"]})
@triton.jit
def k(x, n, B: tl.constexpr): pass
# -----
# flags: --signature '*fp32, i32' --arg-value m=3
# expected-error @unknown {{--arg-value 'm=3': it is NAME=VALUE, and 'k' has no parameter of that name}}
@triton.heuristics({"B": lambda args: args["n"]})
@triton.jit
def k(x, n, B: tl.constexpr): pass
# -----
# flags: --signature '*fp32'
# expected-error @unknown {{the signature has no entry for parameter 'B' of 'k', whose configurations are computed at run time}}
@triton.autotune(configs=elsewhere(), key=[])
@triton.jit
def k(x, B: tl.constexpr): pass
# -----
# flags: --signature '*fp32' --config 0
# expected-error @unknown {{the configurations of 'k' are computed at run time}}
@triton.autotune(configs=elsewhere(), key=[])
@triton.jit
def k(x, B: tl.constexpr): pass
# -----
# flags: --signature '*fp32'
# expected-error @+1 {{it divides by zero}}
@triton.autotune(configs=[triton.Config({"B": 1 // 0})], key=[])
@triton.jit
def k(x, B: tl.constexpr): pass
# -----
# flags: --signature '*fp32'
# expected-error @+1 {{it divides by zero}}
@triton.autotune(configs=[triton.Config({"B": int(0.0 ** -1)})], key=[])
@triton.jit
def k(x, B: tl.constexpr): pass
# -----
# flags: --signature '*fp32'
# expected-error @+1 {{the result does not fit 64 bits}}
@triton.autotune(configs=[triton.Config({"B": 2 ** 63})], key=[])
@triton.jit
def k(x, B: tl.constexpr): pass
# -----
# flags: --signature '*fp32'
# expected-error @+1 {{the result does not fit 64 bits}}
@triton.autotune(configs=[triton.Config({"B": 2 ** 64})], key=[])
@triton.jit
def k(x, B: tl.constexpr): pass
