/* SPDX-License-Identifier: MIT */
/* Which code runs on which GPU. A target is sm_ and a compute capability, with a suffix or without.
   On a device of capability M.m runs

     target     cubin                       PTX
     sm_Nn      N = M and n <= m            Nn <= Mm
     sm_Nnf     N = M and n <= m            N = M and n <= m        (features of the family)
     sm_Nna     N = M and n = m             N = M and n = m         (features of this one alone)

   (CUDA Programming Guide, "Compute Capabilities"; PTX ISA, ".target"). Of what runs, a cubin goes
   before PTX, which the driver would have to assemble; a target with more features before one with
   fewer; a later capability before an earlier one. In a header, because the runtime chooses by it
   and the compiler tells of it. */
#ifndef TILE_RUNTIME_GPU_CODE_H
#define TILE_RUNTIME_GPU_CODE_H

#include <stdbool.h>
#include <string.h>

struct gpu_code {
  unsigned version;  /* 90 */
  unsigned features; /* 0, 1 for 'f', 2 for 'a' */
};

/* "sm_90a"; false when it is no such name. */
static inline bool gpu_code_parse(const char *target, struct gpu_code *out) {
  unsigned length = 0;
  if (strncmp(target, "sm_", 3) != 0)
    return false;
  out->version = 0;
  for (target += 3; *target >= '0' && *target <= '9' && length < 4; target++, length++)
    out->version = out->version * 10 + (unsigned)(*target - '0');
  out->features = *target == 'a' ? 2 : *target == 'f' ? 1 : 0;
  return length >= 2 && target[out->features != 0] == 0;
}

/* `device` as 90 for 9.0. */
static inline bool gpu_code_runs(const struct gpu_code *code, bool cubin, unsigned device) {
  bool same_family = code->version / 10 == device / 10;
  if (code->features == 2)
    return code->version == device;
  return code->version <= device && (same_family || (!cubin && code->features == 0));
}

/* Of two that run on one device the one with more is taken. */
static inline unsigned gpu_code_rank(const struct gpu_code *code, bool cubin) {
  return (cubin * 4u + code->features) * 10000 + code->version;
}

#endif
