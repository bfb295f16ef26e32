# Programs that wait for others run side by side, as many as are resident at a time.
# RUN: tile-run %s --device emulator --kernel stream_k --grid 4 --check --num-warps 1 --arg x=fp32[384]:ones --arg out=fp32[96]:zeros --arg partial=fp32[128]:poison --arg flags=i32[4]:zeros --seed 1 --print out:96 | FileCheck %s --check-prefix=FIXED
# RUN: tile-run %s --device emulator --kernel stream_k --grid 4 --check --num-warps 1 --arg x=fp32[384]:ones --arg out=fp32[96]:zeros --arg partial=fp32[128]:poison --arg flags=i32[4]:zeros --seed 2 --print out:96 | FileCheck %s --check-prefix=FIXED
# RUN: tile-run %s --device emulator --kernel look_back --grid 7 --check --num-warps 2 --arg x=i32[448]:ones --arg out=i32[448]:poison --arg state=i32[7]:zeros --arg sums=i32[14]:poison --print out:448 | FileCheck %s --check-prefix=SCAN
# RUN: tile-run %s --device emulator --kernel look_back --grid 7 --check --resident-blocks 1 --num-warps 2 --arg x=i32[448]:ones --arg out=i32[448]:poison --arg state=i32[7]:zeros --arg sums=i32[14]:poison --print out:448 | FileCheck %s --check-prefix=SCAN
# RUN: tile-run %s --device emulator --kernel turns --grid 6 --check --num-warps 1 --arg out=fp32[32]:zeros --arg semaphore=i32[1]:zeros --constexpr 'WAIT="acquire"' --constexpr 'SIGNAL="release"' --print out:2 | FileCheck %s --check-prefix=TURNS
# RUN: tile-run %s --device emulator --kernel locked --grid 12 --check --num-warps 1 --arg out=i32[32]:zeros --arg lock=i32[2]:zeros --print out:3 | FileCheck %s --check-prefix=LOCKED
# RUN: tile-run %s --device emulator --kernel polls --grid 2 --check --num-warps 1 --arg flag=i32[1]:zeros --print flag | FileCheck %s --check-prefix=POLLS
#
# FIXED: out = 1 2 3 4 5 6 7 8 9 10 {{.*}} 94 95 96
# SCAN: out = 1 2 3 {{.*}} 447 448
# TURNS: out = 63 63
# LOCKED: out = 12 12 12
# POLLS: flag = 2
#
# What lacks its acquire or its release is a race, in whatever order the programs come.
# RUN: not tile-run %s --device emulator --kernel turns --grid 2 --check --num-warps 1 --arg out=fp32[32]:zeros --arg semaphore=i32[1]:zeros --constexpr 'WAIT="relaxed"' --constexpr 'SIGNAL="release"' 2>&1 | FileCheck %s --check-prefix=RACE
# RUN: not tile-run %s --device emulator --kernel turns --grid 2 --check --num-warps 1 --arg out=fp32[32]:zeros --arg semaphore=i32[1]:zeros --constexpr 'WAIT="acquire"' --constexpr 'SIGNAL="relaxed"' 2>&1 | FileCheck %s --check-prefix=RACE
# RACE: read-write race at {{.*}}waiting.py:[[#]]:{{[0-9]+}}, thread {{[0-9]+}} of block (1, 0, 0) loads byte {{[0-9]+}} of buffer 'out'
#
# Waiting for what nobody does is a deadlock; so is waiting for a program that is not resident.
# RUN: not tile-run %s --device emulator --kernel backwards --grid 3 --num-warps 1 --arg flag=i32[1]:zeros --resident-blocks 2 2>&1 | FileCheck %s --check-prefix=RESIDENT
# RUN: tile-run %s --device emulator --kernel backwards --grid 3 --num-warps 1 --arg flag=i32[1]:zeros --print flag | FileCheck %s --check-prefix=ENOUGH
# RUN: not tile-run %s --device emulator --kernel backwards --grid 3 --num-warps 1 --arg flag=i32[1]:ones 2>&1 | FileCheck %s --check-prefix=NOBODY
# RESIDENT: deadlock at {{.*}}waiting.py:125:11, thread 0 of block ({{[01]}}, 0, 0) waits for byte 0 of buffer 'flag' to change, while one waits at {{.*}}waiting.py:125:11, thread 0 of block ({{[01]}}, 0, 0); all 2 resident blocks wait, and 1 more come to run only when one of these ends
# ENOUGH: flag = 3
# NOBODY: deadlock at {{.*}}waiting.py:125:11, thread 0 of block (2, 0, 0) waits for byte 0 of buffer 'flag' to change; no other block is left to change it
import triton
import triton.language as tl


# The last tile of each program but the last is begun by it and finished by the next one (stream-K): 4
# programs with 3 tiles' worth of work, each three quarters of a tile. Whoever begins a tile of 32 sums
# waits for what those after it have to add.
@triton.jit
def stream_k(x, out, partial, flags):
    pid = tl.program_id(0)
    lane = tl.arange(0, 32)
    quarter = pid * 3
    end = quarter + 3
    while quarter < end:
        tile = quarter // 4
        stop = min(end, (tile + 1) * 4)
        sums = tl.zeros((32,), tl.float32)
        for q in range(quarter, stop):
            sums += tl.load(x + q * 32 + lane) * (tile * 32 + lane + 1) / 4
        if quarter % 4 == 0:
            if stop < (tile + 1) * 4:
                while tl.atomic_cas(flags + pid + 1, 1, 1, sem="acquire") != 1:
                    pass
                sums += tl.load(partial + (pid + 1) * 32 + lane)
                if (pid + 1) * 3 + 3 < (tile + 1) * 4:
                    while tl.atomic_cas(flags + pid + 2, 1, 1, sem="acquire") != 1:
                        pass
                    sums += tl.load(partial + (pid + 2) * 32 + lane)
            tl.store(out + tile * 32 + lane, sums)
        else:
            tl.store(partial + pid * 32 + lane, sums)
            tl.atomic_xchg(flags + pid, 1, sem="release")
        quarter = stop


# Decoupled look-back (Merrill and Garland): a program goes back over the sums of those before it until
# it finds one whose prefix is known.
@triton.jit
def look_back(x, out, state, sums):
    pid = tl.program_id(0)
    at = pid * 64 + tl.arange(0, 64)
    scan = tl.cumsum(tl.load(x + at), 0)
    total = tl.sum(tl.load(x + at), 0)
    tl.store(sums + pid * 2, total)
    tl.atomic_xchg(state + pid, 1, sem="release")
    before = total * 0
    back = pid - 1
    while back >= 0:
        known = tl.atomic_add(state + back, 0, sem="acquire")
        while known == 0:
            known = tl.atomic_add(state + back, 0, sem="acquire")
        if known == 2:
            before += tl.load(sums + back * 2 + 1)
            back = -1
        else:
            before += tl.load(sums + back * 2)
            back -= 1
    tl.store(sums + pid * 2 + 1, before + total)
    tl.atomic_xchg(state + pid, 2, sem="release")
    tl.store(out + at, scan + before)


# Split-K with turns: programs add to one tile in the order of their numbers.
@triton.jit
def turns(out, semaphore, WAIT: tl.constexpr, SIGNAL: tl.constexpr):
    pid = tl.program_id(0)
    at = out + tl.arange(0, 32)
    while tl.atomic_cas(semaphore, pid, pid, sem=WAIT) != pid:
        pass
    tl.store(at, tl.load(at) * 2 + 1)
    tl.atomic_xchg(semaphore, pid + 1, sem=SIGNAL)


@triton.jit
def locked(out, lock):
    at = out + tl.arange(0, 32)
    while tl.atomic_cas(lock, 0, 1, sem="acquire") != 0:
        pass
    before = tl.load(at)
    tl.atomic_add(lock + 1, 1, sem="relaxed")
    tl.store(at, before + 1)
    tl.atomic_xchg(lock, 0, sem="release")


# A flag may be looked at by volatile loads, too.
@triton.jit
def polls(flag):
    pid = tl.program_id(0)
    while tl.load(flag, volatile=True) != pid:
        pass
    tl.atomic_xchg(flag, pid + 1, sem="relaxed")


# Programs come in the order of their numbers, the last one first.
@triton.jit
def backwards(flag):
    place = tl.num_programs(0) - 1 - tl.program_id(0)
    while tl.atomic_add(flag, 0, sem="acquire") != place:
        pass
    tl.atomic_add(flag, 1, sem="release")
