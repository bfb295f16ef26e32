/* SPDX-License-Identifier: MIT */
/* See launch_options.h. */
#include "runtime/launch_options.h"

#include <inttypes.h>
#include "base/machine.h"
#include "base/status.h"
#include "runtime/objects.h"

static tile_status check_cluster(const struct runtime_launch *launch, const uint32_t cluster[3]) {
  uint64_t blocks = (uint64_t)cluster[0] * cluster[1];
  if (blocks > MACHINE_CLUSTER_BLOCKS || blocks * cluster[2] > MACHINE_CLUSTER_BLOCKS)
    return FAIL(TILE_INVALID_ARGUMENT,
                "kernel '%s': a cluster of %u x %u x %u blocks; it has at most %d in all",
                launch->version->kernel, (unsigned)cluster[0], (unsigned)cluster[1],
                (unsigned)cluster[2], MACHINE_CLUSTER_BLOCKS);
  for (int axis = 0; axis < 3; axis++)
    if (launch->grid[axis] % cluster[axis] != 0)
      return FAIL(TILE_INVALID_ARGUMENT,
                  "kernel '%s': %u blocks along %c are no multiple of the cluster's %u; make the "
                  "grid larger",
                  launch->version->kernel, (unsigned)launch->grid[axis], "xyz"[axis],
                  (unsigned)cluster[axis]);
  return NULL;
}

/* The emulator has no compute capability. What it can do it says itself. */
static tile_status need(const tile_device *device, const struct runtime_launch *launch,
                        enum machine_feature feature, const char *what) {
  const tile_device_properties *properties = &device->properties;
  int capability = properties->compute_major * 10 + properties->compute_minor,
      first = machine_first_with(feature)->capability;
  if (!capability || machine_capability_has(capability, feature))
    return NULL;
  return FAIL(TILE_UNSUPPORTED, "kernel '%s': %s need compute capability %d.%d, %s has %d.%d",
              launch->version->kernel, what, first / 10, first % 10, properties->name,
              properties->compute_major, properties->compute_minor);
}

tile_status launch_options_check(const tile_device *device, const tile_launch_options *options,
                                 struct runtime_launch *launch, tile_launch_options *out) {
  *out = *options;
  for (int axis = 0; axis < 3; axis++)
    if (!out->cluster[axis])
      out->cluster[axis] = 1;
  TRY(check_cluster(launch, out->cluster));
  bool clusters = out->cluster[0] * out->cluster[1] * out->cluster[2] > 1;
  if (clusters)
    TRY(need(device, launch, FEATURE_CLUSTERS, "clusters"));
  else
    for (int axis = 0; axis < 3; axis++)
      out->cluster[axis] = 0;
  if (out->programmatic)
    TRY(need(device, launch, FEATURE_GRID_DEPENDENCY, "programmatic dependent launches"));
  launch->options = clusters || out->cooperative || out->programmatic ? out : NULL;
  return NULL;
}

tile_status runtime_not_resident(const struct runtime_launch *launch, const char *device,
                                 uint64_t resident) {
  const uint32_t *grid = launch->grid;
  return FAIL(TILE_INVALID_ARGUMENT,
              "kernel '%s': a cooperative launch of %" PRIu64 " blocks, of which %s runs %" PRIu64
              " at one time; launch no more (tile_kernel_get_resources)",
              launch->version->kernel, (uint64_t)grid[0] * grid[1] * grid[2], device, resident);
}
