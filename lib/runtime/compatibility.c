/* SPDX-License-Identifier: MIT */
/* Which versions of a kernel are left on a device (gpu_code.h says which code runs there), and in
   which order. */
#include "base/machine.h"
#include "base/status.h"
#include "runtime/gpu_code.h"
#include "runtime/versions.h"

unsigned section_rank(const tile_device_properties *device, const tile_section *section) {
  struct gpu_code code;
  if (!(device->image_formats >> section->format & 1))
    return 0;
  if (section->format == TILE_IMAGE_OBJECT)
    return strcmp(section_target(section), RUNTIME_HOST) == 0;
  if (!section_target(section)[0] || !device->target[0])
    return 1;
  bool cubin = section->format == TILE_IMAGE_CUBIN;
  unsigned capability = (unsigned)(device->compute_major * 10 + device->compute_minor);
  if (!gpu_code_parse(section->target, &code) || !gpu_code_runs(&code, cubin, capability))
    return 0;
  return 2 + gpu_code_rank(&code, cubin);
}

/* --- The versions of a kernel ----------------------------------------------------------------- */

static tile_status check_driver(const tile_device_properties *device, const tile_kernel_info *info,
                                const tile_section *section) {
  int have = device->driver_version, need = section->minimum_driver;
  if (have == 0 || have >= need)
    return NULL;
  return FAIL(TILE_DRIVER_TOO_OLD,
              "kernel '%s' (%s, PTX ISA %s) needs a driver for CUDA %d.%d, this one is for CUDA "
              "%d.%d; update the NVIDIA driver",
              info->name, section_target(section), section->ptx_isa ? section->ptx_isa : "",
              need / 1000, need % 1000 / 10, have / 1000, have % 1000 / 10);
}

static tile_status check_block(const tile_device_properties *device, const tile_kernel_info *info,
                               const tile_kernel_version *version) {
  if (version->threads < 1 || version->threads > MACHINE_BLOCK_THREADS)
    return FAIL(TILE_INVALID_ARGUMENT, "kernel '%s': %u threads per block are not in 1..%d",
                info->name, (unsigned)version->threads, MACHINE_BLOCK_THREADS);
  if (version->programs_per_block > 1 && version->threads % version->programs_per_block != 0)
    return FAIL(TILE_INVALID_ARGUMENT, "kernel '%s': %u threads per block do not hold %u programs",
                info->name, (unsigned)version->threads, (unsigned)version->programs_per_block);
  if (version->shared_bytes > device->shared_bytes)
    return FAIL(TILE_INVALID_ARGUMENT,
                "kernel '%s' needs %u bytes of shared memory, %s has %u for a block", info->name,
                (unsigned)version->shared_bytes, device->name, (unsigned)device->shared_bytes);
  return NULL;
}

static tile_status check_maps(const tile_device_properties *device, const tile_kernel_info *info,
                              const tile_kernel_version *version) {
  if (!version->map_count || device->tensor_maps)
    return NULL;
  return FAIL(TILE_DRIVER_TOO_OLD,
              "kernel '%s' has tensor maps, which this driver does not make: CUDA 12.0 or later is "
              "needed; update the NVIDIA driver, or compile with --tensor-maps=off",
              info->name);
}

/* "sm_80 (PTX), sm_90a": the kernel's code of these formats, each once. */
static void list_targets(unsigned formats, const tile_kernel_info *kernel, struct text *out) {
  for (size_t i = 0; i < kernel->version_count; i++) {
    const tile_section *section = kernel->versions[i].section;
    bool seen = !(formats >> section->format & 1);
    for (size_t k = 0; k < i && !seen; k++)
      seen = kernel->versions[k].section == section;
    if (!seen)
      text_printf(out, "%s%s%s", out->length ? ", " : "",
                  section_target(section)[0] ? section_target(section) : "GPUs",
                  section->format == TILE_IMAGE_CUBIN ? " (cubin)" : "");
  }
}

static bool is_emulator(const tile_device_properties *device) {
  return device->image_formats >> TILE_IMAGE_OBJECT & 1;
}

/* Code for GPUs on the emulator, or the other way round. */
static tile_status check_format(const tile_device_properties *device,
                                const tile_kernel_info *kernel, const tile_section *section) {
  if (device->image_formats >> section->format & 1)
    return NULL;
  if (!is_emulator(device))
    return FAIL(TILE_WRONG_TARGET,
                "kernel '%s' is compiled for the emulator, not for %s; compile it for %s as well",
                kernel->name, device->name, device->target[0] ? device->target : "this device");
  struct text targets = {0};
  list_targets(~0u, kernel, &targets);
  tile_status status = FAIL(
      TILE_WRONG_TARGET,
      "kernel '%s' is compiled for %s, not for the emulator; compile it for the emulator as well "
      "(emulator in --embed or EMBED, TILE_IMAGE_OBJECT in C), or open a GPU",
      kernel->name, text_string(&targets));
  text_free(&targets);
  return status;
}

static tile_status wrong_target(const tile_device_properties *device,
                                const tile_kernel_info *kernel) {
  struct text targets = {0};
  list_targets(device->image_formats, kernel, &targets);
  struct gpu_code ignored;
  const char *only = section_target(kernel->versions[0].section);
  tile_status status =
      is_emulator(device)
          ? FAIL(TILE_WRONG_TARGET,
                 "kernel '%s' is compiled for the emulator on %s, this machine is %s; compile it "
                 "here",
                 kernel->name, text_string(&targets),
                 RUNTIME_HOST[0] ? RUNTIME_HOST : "another one")
      : kernel->version_count == 1 && !gpu_code_parse(only, &ignored)
          ? FAIL(TILE_WRONG_TARGET, "kernel '%s' is compiled for '%s', which names no GPU",
                 kernel->name, only)
          : FAIL(TILE_WRONG_TARGET,
                 "kernel '%s' is compiled for %s, %s has compute capability %d.%d; compile it for "
                 "%s",
                 kernel->name, text_string(&targets), device->name, device->compute_major,
                 device->compute_minor, device->target);
  text_free(&targets);
  return status;
}

/* Why the device does not take a version; how far it got says which of several reasons is told. */
static tile_status refuse(const tile_device_properties *device, const tile_kernel_info *kernel,
                          const tile_kernel_version *version, int *out_stage) {
  const tile_section *section = version->section;
  *out_stage = 1;
  TRY(check_format(device, kernel, section));
  *out_stage = 2;
  if (!section_rank(device, section))
    return wrong_target(device, kernel);
  *out_stage = 3;
  TRY(check_driver(device, kernel, section));
  *out_stage = 4;
  TRY(check_maps(device, kernel, version));
  *out_stage = 5;
  return check_block(device, kernel, version);
}

/* After those of the same rank. */
static void insert(const tile_device_properties *device, const tile_kernel_version *version,
                   const tile_kernel_version **list, size_t count) {
  unsigned rank = section_rank(device, version->section);
  size_t at = count;
  for (; at > 0 && section_rank(device, list[at - 1]->section) < rank; at--)
    list[at] = list[at - 1];
  list[at] = version;
}

static size_t drop_covered(const tile_kernel_version **list, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    bool covered = false;
    for (size_t k = 0; k < kept && !covered; k++)
      covered = version_covers(list[k], list[i]);
    if (!covered)
      list[kept++] = list[i];
  }
  return kept;
}

tile_status versions_for_device(const tile_device_properties *device,
                                const tile_kernel_info *kernel, const tile_kernel_version **out,
                                size_t *out_count) {
  tile_status reason = NULL;
  int best = 0, stage;
  size_t count = 0;
  for (size_t i = 0; i < kernel->version_count; i++) {
    tile_status refused = refuse(device, kernel, &kernel->versions[i], &stage);
    if (!refused) {
      insert(device, &kernel->versions[i], out, count++);
    } else if (stage > best) {
      tile_status_free(reason);
      reason = refused;
      best = stage;
    } else {
      tile_status_free(refused);
    }
  }
  *out_count = drop_covered(out, count);
  if (!count)
    return reason;
  tile_status_free(reason);
  return NULL;
}
