/* SPDX-License-Identifier: MIT */
/* Device functions: atomic operations.

   GPU threads of a launch never run at the same time, but launches do: each operation is one step
   of the host's memory, too, by compare-and-exchange. */
#include "emulator/device_atomics.h"

#include <math.h>
#include <string.h>
#include "emulator/device.h"
#include "emulator/launch.h"

static uint32_t bytes_of(enum atomic_number number) {
  static const uint8_t bytes[] = {2, 4, 8, 2, 2, 4, 8, 4, 4};
  return bytes[number];
}

/* --- Numbers ---------------------------------------------------------------------------------- */

static uint64_t add_f16(uint64_t a, uint64_t b) {
  double sum =
      runtime_half_to_double(float_of((uint16_t)a)) + runtime_half_to_double(float_of((uint16_t)b));
  return (uint16_t)float_bits(runtime_double_to_half(sum));
}

/* A float holds a bfloat exactly, and a double the sum of two unless one is below half its last
 * bit. */
static uint64_t add_bf16(uint64_t a, uint64_t b) {
  double sum = (double)runtime_bfloat_to_float(float_of((uint16_t)a)) +
               (double)runtime_bfloat_to_float(float_of((uint16_t)b));
  return (uint16_t)float_bits(runtime_double_to_bfloat(sum));
}

static float flushed(float x) {
  return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
}

/* PTX ISA, atom: .add.f32 on global memory flushes subnormal inputs and results. */
static uint64_t add_f32(uint64_t a, uint64_t b) {
  return float_bits(flushed(flushed(float_of((uint32_t)a)) + flushed(float_of((uint32_t)b))));
}

static uint64_t add_f64(uint64_t a, uint64_t b) {
  double x, y;
  memcpy(&x, &a, sizeof x);
  memcpy(&y, &b, sizeof y);
  x += y;
  memcpy(&a, &x, sizeof a);
  return a;
}

static uint64_t add(enum atomic_number number, uint64_t a, uint64_t b) {
  switch (number) {
  case ATOMIC_F16:
    return add_f16(a, b);
  case ATOMIC_BF16:
    return add_bf16(a, b);
  case ATOMIC_F16X2:
    return add_f16(a, b) | add_f16(a >> 16, b >> 16) << 16;
  case ATOMIC_BF16X2:
    return add_bf16(a, b) | add_bf16(a >> 16, b >> 16) << 16;
  case ATOMIC_F32:
    return add_f32(a, b);
  case ATOMIC_F64:
    return add_f64(a, b);
  case ATOMIC_BITS16:
  case ATOMIC_BITS32:
  case ATOMIC_BITS64:
    return a + b;
  }
  return a + b;
}

static double half_number(enum atomic_number number, uint64_t bits) {
  return number == ATOMIC_BF16 ? (double)runtime_bfloat_to_float(float_of((uint16_t)bits))
                               : runtime_half_to_double(float_of((uint16_t)bits));
}

/* The larger or smaller of two floats of 16 bits as max and min of PTX give it: NaN loses, -0 is
   less than +0. */
static uint64_t half_extremum(enum atomic_number number, bool larger, uint64_t a, uint64_t b) {
  double x = half_number(number, a), y = half_number(number, b);
  if (isnan(x) || isnan(y))
    return isnan(x) ? (isnan(y) ? UINT64_C(0x7FFF) : b) : a;
  bool less = x < y || (x == y && signbit(x) && !signbit(y));
  return less == larger ? b : a;
}

static bool is_half(enum atomic_number number) {
  return number == ATOMIC_F16 || number == ATOMIC_BF16;
}

static int64_t as_signed(uint64_t bits, uint32_t bytes) {
  return bytes == 8 ? (int64_t)bits : bytes == 4 ? (int32_t)bits : (int16_t)bits;
}

/* What is in memory after the operation. */
static uint64_t combine(enum atomic_operation operation, enum atomic_number number, uint64_t old,
                        uint64_t value, uint64_t compare) {
  uint32_t bytes = bytes_of(number);
  switch (operation) {
  case ATOMIC_ADD:
    return add(number, old, value);
  case ATOMIC_MAX:
    if (is_half(number))
      return half_extremum(number, true, old, value);
    return as_signed(old, bytes) >= as_signed(value, bytes) ? old : value;
  case ATOMIC_MIN:
    if (is_half(number))
      return half_extremum(number, false, old, value);
    return as_signed(old, bytes) <= as_signed(value, bytes) ? old : value;
  case ATOMIC_UMAX:
    return old >= value ? old : value;
  case ATOMIC_UMIN:
    return old <= value ? old : value;
  case ATOMIC_AND:
    return old & value;
  case ATOMIC_OR:
    return old | value;
  case ATOMIC_XOR:
    return old ^ value;
  case ATOMIC_XCHG:
    return value;
  case ATOMIC_CAS:
    return old == compare ? value : old;
  }
  return old;
}

/* --- Memory ----------------------------------------------------------------------------------- */

static uint64_t read_memory(const void *address, uint32_t bytes) {
  if (bytes == 2)
    return __atomic_load_n((const uint16_t *)address, __ATOMIC_SEQ_CST);
  if (bytes == 4)
    return __atomic_load_n((const uint32_t *)address, __ATOMIC_SEQ_CST);
  return __atomic_load_n((const uint64_t *)address, __ATOMIC_SEQ_CST);
}

#define EXCHANGE(type)                                                                             \
  type before = (type)old;                                                                         \
  return __atomic_compare_exchange_n((type *)address, &before, (type)value, false,                 \
                                     __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)

static bool exchange_16(void *address, uint64_t old, uint64_t value) {
  EXCHANGE(uint16_t);
}

static bool exchange_32(void *address, uint64_t old, uint64_t value) {
  EXCHANGE(uint32_t);
}

static bool exchange_64(void *address, uint64_t old, uint64_t value) {
  EXCHANGE(uint64_t);
}
#undef EXCHANGE

void device_add_f32(void *address, uint32_t bits) {
  uint64_t old;
  do
    old = read_memory(address, sizeof bits);
  while (!exchange_32(address, old, add_f32(old, bits)));
}

/* What the operation did, and found. */
static uint64_t digest_of(uint32_t operation, uint64_t value, uint64_t compare, uint64_t old) {
  return random_mix(random_mix(random_mix(old) ^ value) ^ compare) ^ operation;
}

static void put_in_order(struct emulator_thread *thread, const void *address, uint32_t order,
                         bool failed) {
  if (order & (ATOMIC_SHARED | ATOMIC_IN_BLOCK))
    return;
  shadow_acquire(thread, (uintptr_t)address, !(order & ATOMIC_ACQUIRES));
  if (!failed)
    shadow_release(thread, (uintptr_t)address, !(order & ATOMIC_RELEASES));
}

void tile_emu_fence(struct emulator_thread *thread) {
  shadow_fence(thread);
}

uint64_t tile_emu_atomic(struct emulator_thread *thread, void *address, uint32_t operation,
                         uint32_t number, uint64_t value, uint64_t compare, uint32_t order,
                         uint32_t predicate, const char *location) {
  static bool (*const exchange[])(void *, uint64_t, uint64_t) = {
      [2] = exchange_16, [4] = exchange_32, [8] = exchange_64};
  uint32_t bytes = bytes_of(number), whole = order >> ATOMIC_ALIGNMENT_SHIFT;
  uint64_t old = UINT64_C(0x0101010101010101) * EMULATOR_POISON, new;
  void *checked =
      predicate ? (order & ATOMIC_SHARED ? device_shared_atomic_address : device_atomic_address)(
                      thread, address, bytes, whole ? whole : bytes, location)
                : NULL;
  if (checked != address || !predicate)
    return bytes == 8 ? old : old & ((UINT64_C(1) << 8 * bytes) - 1);
  do {
    old = read_memory(address, bytes);
    new = combine(operation, number, old, value, compare);
  } while (!exchange[bytes](address, old, new));
  bool failed = operation == ATOMIC_CAS && old != compare;
  put_in_order(thread, address, order, failed);
  if (!(order & ATOMIC_SHARED))
    spin_note(thread, address, digest_of(operation, value, compare, old), old != new, SPIN_ATOMIC,
              location);
  return old;
}
