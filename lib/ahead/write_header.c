/* SPDX-License-Identifier: MIT */
/* NAME.h: a comment, the constants and the functions of each kernel. */
#include <limits.h>
#include <string.h>
#include "ahead/c_file.h"
#include "ahead/names.h"
#include "runtime/gpu_code.h"
#include "tile/version.h"

const char *c_parameter_type(const struct c_parameter *parameter) {
  bool u = parameter->is_unsigned;
  switch (parameter->kind) {
  case TILE_ARGUMENT_POINTER:
    return "uint64_t";
  case TILE_ARGUMENT_I1:
    return "bool";
  case TILE_ARGUMENT_I8:
    return u ? "uint8_t" : "int8_t";
  case TILE_ARGUMENT_I16:
    return u ? "uint16_t" : "int16_t";
  case TILE_ARGUMENT_I32:
    return u ? "uint32_t" : "int32_t";
  case TILE_ARGUMENT_I64:
    return u ? "uint64_t" : "int64_t";
  case TILE_ARGUMENT_F16:
  case TILE_ARGUMENT_BF16:
    return "uint16_t";
  case TILE_ARGUMENT_F32:
    return "float";
  case TILE_ARGUMENT_F64:
    return "double";
  }
  return "int";
}

void c_print_prototype(struct text *out, const struct c_kernel *kernel) {
  size_t start = out->length;
  text_printf(out, "tile_status %s(", kernel->function);
  int indent = (int)(out->length - start);
  text_puts(out, "tile_device *device, tile_stream *stream");
  if (!kernel->grid)
    text_printf(out, ",\n%*suint32_t grid_x, uint32_t grid_y, uint32_t grid_z", indent, "");
  for (size_t i = 0; i < kernel->parameter_count; i++) {
    const struct c_parameter *parameter = &kernel->parameters[i];
    text_printf(out, ",\n%*s%s %s", indent, "", c_parameter_type(parameter), parameter->c_name);
  }
  text_puts(out, ")");
}

/* --- The comment ------------------------------------------------------------------------------ */

static void print_parameter(struct text *out, const struct c_parameter *parameter) {
  text_printf(out, "     %-16s ", parameter->c_name);
  if (strcmp(parameter->name, parameter->c_name) != 0) {
    text_puts(out, "('");
    c_print_comment(out, parameter->name);
    text_puts(out, "') ");
  }
  bool pointer = parameter->kind == TILE_ARGUMENT_POINTER;
  bool half = parameter->kind == TILE_ARGUMENT_F16 || parameter->kind == TILE_ARGUMENT_BF16;
  text_puts(out, pointer ? "device memory, " : "");
  c_print_comment(out, parameter->type);
  text_puts(out, half ? ", the bits of it" : "");
  if (parameter->divisibility > 1)
    text_printf(out, "; %s a multiple of %u", pointer ? "the address is" : "is",
                (unsigned)parameter->divisibility);
  text_puts(out, "\n");
}

static void print_constants(struct text *out, const struct c_version *version) {
  for (size_t i = 0; i < version->constant_count; i++) {
    text_puts(out, i ? ", " : "\n       ");
    c_print_comment(out, version->constants[i].name);
    text_puts(out, " = ");
    c_print_comment(out, version->constants[i].text);
  }
}

/* " (compute capability 9.0 alone)"; nothing for the emulator. */
static void print_devices(struct text *out, const struct c_version *version) {
  struct gpu_code code;
  bool cubin = strcmp(version->code, "cubin") == 0;
  if (!gpu_code_parse(version->target, &code))
    return;
  unsigned major = code.version / 10, minor = code.version % 10;
  const char *others = !gpu_code_runs(&code, cubin, code.version + 1) ? " alone"
                       : !gpu_code_runs(&code, cubin, code.version + 10)
                           ? " and later minor versions"
                           : " and everything later";
  text_printf(out, " (compute capability %u.%u%s)", major, minor, others);
}

static void print_version(struct text *out, const struct c_version *version, size_t number) {
  text_printf(out, "   %2zu. %s for ", number, version->code);
  c_print_comment(out, version->target);
  print_devices(out, version);
  if (version->emulates[0])
    text_printf(out, ", with the code for %s", version->emulates);
  text_printf(out, ": %u threads, %u bytes of shared memory", (unsigned)version->threads,
              (unsigned)version->shared_bytes);
  if (version->programs_per_block > 1)
    text_printf(out, ", up to %u programs in a block", (unsigned)version->programs_per_block);
  if (version->resident_blocks)
    text_printf(out, ", up to %u block%s for each multiprocessor, which take programs in turn",
                (unsigned)version->resident_blocks, version->resident_blocks == 1 ? "" : "s");
  if (version->cluster_blocks)
    text_printf(out, ", in clusters of %u", (unsigned)version->cluster_blocks);
  if (version->conditions[0]) {
    text_puts(out, "\n       where ");
    c_print_comment(out, version->conditions);
  }
  print_constants(out, version);
  text_puts(out, "\n");
}

/* What the runtime tries first, of that which runs on one device. */
static unsigned rank(const struct c_version *version) {
  struct gpu_code code;
  return gpu_code_parse(version->target, &code)
             ? gpu_code_rank(&code, strcmp(version->code, "cubin") == 0)
             : 0;
}

static unsigned next_rank(const struct c_kernel *kernel, unsigned below) {
  unsigned most = 0;
  for (size_t i = 0; i < kernel->version_count; i++)
    if (rank(&kernel->versions[i]) < below && rank(&kernel->versions[i]) > most)
      most = rank(&kernel->versions[i]);
  return most;
}

/* In the order in which the runtime tries them: by rank, those of one rank as they were given. */
static void print_versions(struct text *out, const struct c_kernel *kernel) {
  size_t number = 0;
  for (unsigned here = UINT_MAX; number < kernel->version_count;) {
    here = next_rank(kernel, here);
    for (size_t i = 0; i < kernel->version_count; i++)
      if (rank(&kernel->versions[i]) == here)
        print_version(out, &kernel->versions[i], ++number);
  }
}

/* What was tuned, a line each, and how a launch chooses. */
static void print_tuned(struct text *out, const char *lines) {
  for (const char *at = lines; *at;) {
    size_t length = strcspn(at, "\n");
    struct text line = {0};
    text_append(&line, at, length);
    bool title = length && at[length - 1] == ':';
    text_puts(out, title ? "   " : "     ");
    c_print_comment(out, text_string(&line));
    text_puts(out, "\n");
    text_free(&line);
    at += length + (at[length] == '\n');
  }
  text_puts(out, "   Of these winners a launch takes that of the nearest values, by ratio: its "
                 "arguments are compared with the tuned ones\n"
                 "   one after the other, in this order.\n");
}

static void print_comment(struct text *out, const struct c_file *file,
                          const struct c_kernel *kernel) {
  text_puts(out, "/* Starts the kernel '");
  c_print_comment(out, kernel->name);
  text_puts(out, "' of ");
  c_print_comment(out, file->from);
  text_puts(out, " on `stream`, a stream of `device`; NULL is the device's default stream.\n");
  for (size_t i = 0; i < kernel->parameter_count; i++)
    print_parameter(out, &kernel->parameters[i]);
  if (kernel->grid) {
    text_puts(out, "   Its grid is ");
    c_print_comment(out, kernel->grid);
    text_puts(out, ".\n");
  }
  if (kernel->tuned)
    print_tuned(out, kernel->tuned);
  text_puts(
      out,
      kernel->version_count > 1
          ? "   Of these versions the first is taken that the device runs and the launch fits:\n"
          : "   Compiled as:\n");
  print_versions(out, kernel);
  text_puts(out, "   Errors: those of tile_launch; at the first launch on a device those of "
                 "tile_module_load.\n"
                 "   Threads: any number may call it at one time. */\n");
}

/* --- Constants -------------------------------------------------------------------------------- */

static const struct c_constant *find_constant(const struct c_version *version, const char *name) {
  for (size_t i = 0; i < version->constant_count; i++)
    if (strcmp(version->constants[i].name, name) == 0)
      return &version->constants[i];
  return NULL;
}

/* True when all versions have the constant with the same value. */
static bool is_common(const struct c_kernel *kernel, const struct c_constant *constant) {
  for (size_t i = 1; i < kernel->version_count; i++) {
    const struct c_constant *other = find_constant(&kernel->versions[i], constant->name);
    if (!other || strcmp(other->text, constant->text) != 0)
      return false;
  }
  return true;
}

/* Whether KERNEL_CONSTANT is the name of a function. */
static bool is_function(const struct c_file *file, const char *name) {
  size_t length = strlen(file->identifier);
  for (size_t i = 0; i < file->kernel_count; i++) {
    size_t own = strlen(file->kernels[i].function);
    if (strcmp(name, file->kernels[i].function) == 0 ||
        (strncmp(name, file->kernels[i].function, own) == 0 && strcmp(name + own, "_kernel") == 0))
      return true;
  }
  return strncmp(name, file->identifier, length) == 0 && strcmp(name + length, "_unload") == 0;
}

static void print_defines(struct text *out, const struct c_file *file,
                          const struct c_kernel *kernel) {
  const struct c_version *version = &kernel->versions[0];
  for (size_t i = 0; i < version->constant_count; i++) {
    const struct c_constant *constant = &version->constants[i];
    struct text name = {0};
    text_printf(&name, "%s_%s", kernel->function, constant->name);
    if (constant->c && c_is_identifier(constant->name) && is_common(kernel, constant) &&
        !is_function(file, text_string(&name)))
      text_printf(out, "#define %s %s\n", text_string(&name), constant->c);
    text_free(&name);
  }
}

/* --- The file --------------------------------------------------------------------------------- */

static void print_kernel(struct text *out, const struct c_file *file,
                         const struct c_kernel *kernel) {
  print_comment(out, file, kernel);
  text_puts(out, "TILE_CHECKED\n");
  c_print_prototype(out, kernel);
  text_puts(out, ";\n");
  text_printf(out,
              "/* The kernel on a device, loaded if it has not been: for tile_kernel_get_info, and "
              "to load it before the\n"
              "   first launch. Borrowed from the device. */\n"
              "TILE_CHECKED tile_status %s_kernel(tile_device *device, tile_kernel **out);\n",
              kernel->function);
  print_defines(out, file, kernel);
  text_puts(out, "\n");
}

void c_write_header(struct text *out, const struct c_file *file) {
  text_puts(out, "/* Kernels of ");
  c_print_comment(out, file->from);
  text_printf(out, ", compiled ahead of time. Written by tile-translate %s; do not edit.\n\n",
              tile_version()->text);
  text_puts(
      out,
      "   Pointers are addresses in device memory: tile_buffer_address(buffer), a CUdeviceptr, or\n"
      "   (uint64_t)p of what cudaMalloc gave. A status other than NULL is an error "
      "(tile/status.h).\n"
      "   The first launch on a device loads the code, which goes when the device goes. */\n");
  text_printf(out, "#ifndef TILE_KERNELS_%s_H\n#define TILE_KERNELS_%s_H\n\n", file->identifier,
              file->identifier);
  text_puts(out, "#include <stdbool.h>\n#include <stdint.h>\n#include \"tile/runtime.h\"\n\n"
                 "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
  for (size_t i = 0; i < file->kernel_count; i++)
    print_kernel(out, file, &file->kernels[i]);
  text_printf(out,
              "/* Unloads the kernels of this file from a device on which no launch of theirs is "
              "in progress; the next launch\n"
              "   loads them again. Closing the device does so, too. */\n"
              "void %s_unload(tile_device *device);\n\n",
              file->identifier);
  text_puts(out, "#ifdef __cplusplus\n}\n#endif\n#endif\n");
}
