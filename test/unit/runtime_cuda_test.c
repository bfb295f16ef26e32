/* SPDX-License-Identifier: MIT */
/* The CUDA driver without a GPU: the conformance suite over fake_cuda.c, which is strict about the
   protocol, and machines on which something is missing. Each such machine is a child process, since
   libcuda is opened once per process. Needs nothing of the compiler: the thread-sanitized build of
   it has the runtime alone. */
#include "runtime_conformance.h"
#include "runtime_plain_kernel.h"

#include <sys/wait.h>
#include <unistd.h>

static const struct subject null = {.name = "null", .driver = tile_null_driver, .load = load_plain};
static const struct subject fake = {.name = "fake", .driver = tile_cuda_driver, .load = load_plain};

CONFORMANCE_TESTS(DEFINE_ROW, null)
CONFORMANCE_TESTS(DEFINE_ROW, fake)

/* Runs `test` in a child with NAME=VALUE in its environment; its failures count here. */
static void in_child(const char *name, const char *value, void (*test)(void)) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    if (name)
      setenv(name, value, 1);
    check_failures_ = 0;
    test();
    fflush(stdout);
    _exit(check_failures_ != 0);
  }
  int state = 1;
  waitpid(child, &state, 0);
  CHECK_EQUAL(state, 0);
}

static void expect_open(tile_code code, const char *words) {
  tile_device *device = NULL;
  int count = -1;
  EXPECT(tile_driver_device_count(tile_cuda_driver(), &count), code, words);
  EXPECT(tile_device_open(tile_cuda_driver(), 0, &device), code, words);
  EXPECT(tile_device_open(tile_cuda_driver(), 0, &device), code, words); /* and stays so */
  CHECK(!device);
}

static void expect_no_library(void) {
  expect_open(TILE_NO_DEVICE, "no CUDA driver: ");
}

static void expect_old_library(void) {
  expect_open(TILE_DRIVER_TOO_OLD, "it has no cuLaunchKernel");
}

static void expect_no_gpu(void) {
  expect_open(TILE_NO_DEVICE, "finds no GPU");
}

static void expect_no_start(void) {
  expect_open(TILE_NO_DEVICE, "does not start: CUDA_ERROR_");
}

static void expect_mismatch(void) {
  expect_open(TILE_DRIVER_TOO_OLD, "do not match");
}

static void no_driver(void) {
  in_child("TILE_LIBCUDA", "/nowhere/libcuda.so.1", expect_no_library);
}

static void library_too_old(void) {
  in_child("TILE_LIBCUDA", FAKE_CUDA_OLD_LIBRARY, expect_old_library);
}

static void no_device(void) {
  in_child("FAKE_CUDA_INIT", "100", expect_no_gpu);
  in_child("FAKE_CUDA_DEVICES", "0", expect_no_gpu);
}

static void driver_that_does_not_start(void) {
  in_child("FAKE_CUDA_INIT", "999", expect_no_start);
  in_child("FAKE_CUDA_INIT", "803", expect_mismatch);
}

static void expect_driver_too_old(void) {
  tile_device *device = open_device(&fake);
  tile_module *module = NULL;
  struct plain_image plain = plain_image("k", PLAIN_PTX);
  plain.section.minimum_driver = 12000;
  plain.section.target = "sm_90a";
  plain.section.ptx_isa = "8.0";
  EXPECT(
      plain_load(&plain, device, &module), TILE_DRIVER_TOO_OLD,
      "kernel 'k' (sm_90a, PTX ISA 8.0) needs a driver for CUDA 12.0, this one is for CUDA 11.4");
  tile_device_close(device);
}

static void driver_too_old(void) {
  in_child("FAKE_CUDA_DRIVER", "11040", expect_driver_too_old);
}

static tile_status load_for(tile_device *device, tile_image_format format, const char *target) {
  struct plain_image plain = plain_image("add_kernel", PLAIN_PTX);
  tile_module *module = NULL;
  plain.section.format = format;
  plain.section.target = target;
  tile_status status = plain_load(&plain, device, &module);
  tile_module_unload(module);
  return status;
}

static void expect_targets_of_89(void) {
  tile_device *device = open_device(&fake);
  CHECK_TEXT(tile_device_get_properties(device)->target, "sm_89");
  FINE(load_for(device, TILE_IMAGE_PTX, "sm_80"));
  FINE(load_for(device, TILE_IMAGE_PTX, "sm_89"));
  FINE(load_for(device, TILE_IMAGE_CUBIN, "sm_86"));
  EXPECT(load_for(device, TILE_IMAGE_PTX, "sm_90a"), TILE_WRONG_TARGET,
         "compiled for sm_90a, fake GPU 0 has compute capability 8.9; compile it for sm_89");
  tile_device_close(device);
}

static void expect_targets_of_103(void) {
  tile_device *device = open_device(&fake);
  CHECK_TEXT(tile_device_get_properties(device)->target,
             "sm_89"); /* what runs on everything later */
  FINE(load_for(device, TILE_IMAGE_PTX, "sm_89"));
  EXPECT(load_for(device, TILE_IMAGE_PTX, "sm_100a"), TILE_WRONG_TARGET, "10.3");
  EXPECT(load_for(device, TILE_IMAGE_CUBIN, "sm_89"), TILE_WRONG_TARGET, "10.3");
  tile_device_close(device);
}

static void targets(void) {
  in_child("FAKE_CUDA_CAPABILITY", "89", expect_targets_of_89);
  in_child("FAKE_CUDA_CAPABILITY", "103", expect_targets_of_103);
  tile_device *device = open_device(&fake);
  CHECK_TEXT(tile_device_get_properties(device)->target, "sm_90a");
  tile_device_close(device);
}

/* The driver's log is in the message. */
static void bad_ptx(void) {
  tile_device *device = open_device(&fake);
  tile_module *module = NULL;
  struct plain_image plain = plain_image("k", ".version 8.0 nonsense");
  EXPECT(plain_load(&plain, device, &module), TILE_BAD_IMAGE, "syntax error near nonsense");
  plain = plain_image("k", PLAIN_PTX);
  EXPECT(plain_load(&plain, device, &module), TILE_BAD_IMAGE, "the image has no kernel 'k'");
  plain = plain_image("k", "\x7F"
                           "ELF");
  plain.section.format = TILE_IMAGE_CUBIN;
  EXPECT(plain_load(&plain, device, &module), TILE_WRONG_TARGET, "cuModuleLoadDataEx");
  tile_device_close(device);
}

/* More than 48 KiB of shared memory is asked for when the kernel is loaded. */
static void much_shared_memory(void) {
  tile_device *device = open_device(&fake);
  tile_module *module = NULL;
  struct plain_image plain = plain_image("add_kernel", PLAIN_PTX);
  plain.version.shared_bytes = 200000;
  FINE(plain_load(&plain, device, &module));
  FINE(tile_launch(tile_module_kernel_at(module, 0), adder_grid, NULL, NULL, 0));
  tile_module_unload(module);
  tile_device_close(device);
}

/* A kernel that breaks down takes the context with it: every later call says so. */
static void expect_breakdown(void) {
  struct adder a = adder_open(&fake);
  struct plain_image plain = plain_image("breaks", ".version .entry breaks(");
  tile_module *module = NULL;
  FINE(plain_load(&plain, a.device, &module));
  FINE(tile_launch(tile_module_kernel_at(module, 0), adder_grid, NULL, NULL, 0));
  EXPECT(tile_device_synchronize(a.device), TILE_DEVICE_FAILED, "illegal memory access");
  EXPECT(tile_launch(a.kernel, adder_grid, NULL, a.arguments, 4), TILE_DEVICE_FAILED,
         "run it under compute-sanitizer");
  float value;
  EXPECT(tile_buffer_read(a.out, 0, &value, 4, NULL), TILE_DEVICE_FAILED, "cuMemcpyDtoHAsync");
  tile_module_unload(module);
  adder_close(&a);
}

static void breakdown(void) {
  in_child(NULL, NULL, expect_breakdown);
}

/* Two devices used in turn from one thread: each call finds its own context. */
static void expect_two_devices(void) {
  tile_device *one = NULL, *two = NULL;
  FINE(tile_device_open(tile_cuda_driver(), 0, &one));
  FINE(tile_device_open(tile_cuda_driver(), 1, &two));
  struct adder a = adder_on(one, &fake), b = adder_on(two, &fake);
  uint64_t free_one, free_two;
  tile_buffer *extra = make_buffer(two, 1 << 20);
  FINE(tile_device_free_memory(one, &free_one));
  FINE(tile_device_free_memory(two, &free_two));
  CHECK_EQUAL(free_one - free_two, 1 << 20);
  for (int turn = 0; turn < 3; turn++) {
    adder_works(&a, &fake);
    adder_works(&b, &fake);
  }
  EXPECT(tile_buffer_copy(a.x, 0, b.x, 0, 4, NULL), TILE_INVALID_ARGUMENT, "two devices");
  tile_buffer_destroy(extra);
  adder_close(&a);
  adder_works(&b, &fake);
  adder_close(&b);
}

static void two_devices(void) {
  in_child("FAKE_CUDA_DEVICES", "2", expect_two_devices);
}

int main(int argc, char **argv) {
  setenv("TILE_LIBCUDA", FAKE_CUDA_LIBRARY, 1);
  /* The children come first: forking is for processes without threads. */
  static const struct test_row rows[] = {{"no driver", no_driver},
                                         {"library too old", library_too_old},
                                         {"no device", no_device},
                                         {"driver that does not start", driver_that_does_not_start},
                                         {"driver too old", driver_too_old},
                                         {"breakdown", breakdown},
                                         {"two devices", two_devices},
                                         {"targets", targets},
                                         {"bad PTX", bad_ptx},
                                         {"much shared memory", much_shared_memory},
                                         CONFORMANCE_TESTS(ROW, null) CONFORMANCE_TESTS(ROW, fake)};
  return run_tests_(argc, argv, rows, sizeof rows / sizeof *rows);
}
