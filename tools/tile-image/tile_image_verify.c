/* SPDX-License-Identifier: MIT */
/* tile-image verify: what reading does not look at. Does the code have the functions that the
   metadata names, is it for the target that it names, and is there a launch for each version? */
#include <ctype.h>
#include <elf.h>
#include "emulator/object.h"
#include "emulator/program.h"
#include "runtime/image.h"
#include "runtime/versions.h"
#include "tile_image.h"

/* --- PTX -------------------------------------------------------------------------------------- */

static bool is_name_character(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* The rest of the text after the next `word` that is a word of its own; its data are NULL where
 * there is none. */
static struct slice after_word(struct slice text, const char *word) {
  size_t length = strlen(word);
  for (size_t at = 0; at + length < text.length; at++)
    if (memcmp(text.data + at, word, length) == 0 && isspace((unsigned char)text.data[at + length]))
      return slice_trim((struct slice){text.data + at + length, text.length - at - length});
  return (struct slice){NULL, 0};
}

static struct slice name_at(struct slice text) {
  size_t length = 0;
  while (length < text.length && is_name_character(text.data[length]))
    length++;
  return (struct slice){text.data, length};
}

static bool ptx_has(const tile_section *section, const char *symbol) {
  struct slice rest = after_word((struct slice){section->data, section->size}, ".entry");
  for (; rest.data; rest = after_word(rest, ".entry"))
    if (slice_equals(name_at(rest), symbol))
      return true;
  return false;
}

static bool ptx_is_for(const tile_section *section, const char *target) {
  struct slice rest = after_word((struct slice){section->data, section->size}, ".target");
  return rest.data && slice_equals(name_at(rest), target);
}

/* --- Cubins ----------------------------------------------------------------------------------- */

/* An ELF file of any bytes. */
struct elf {
  const char *bytes;
  size_t size;
  Elf64_Ehdr header;
};

/* Copies `length` bytes at `offset`; false when they are not all there. */
static bool elf_read(const struct elf *elf, uint64_t offset, void *out, size_t length) {
  if (offset > elf->size || length > elf->size - offset)
    return false;
  memcpy(out, elf->bytes + offset, length);
  return true;
}

static bool elf_section(const struct elf *elf, size_t index, Elf64_Shdr *out) {
  uint64_t at = elf->header.e_shoff + (uint64_t)index * sizeof *out;
  return index < elf->header.e_shnum && at >= elf->header.e_shoff &&
         elf_read(elf, at, out, sizeof *out);
}

static bool elf_open(const tile_section *section, struct elf *out) {
  *out = (struct elf){.bytes = section->data, .size = section->size};
  return elf_read(out, 0, &out->header, sizeof out->header) &&
         out->header.e_ident[EI_CLASS] == ELFCLASS64 &&
         out->header.e_ident[EI_DATA] == ELFDATA2LSB && out->header.e_machine == EM_CUDA &&
         out->header.e_shentsize == sizeof(Elf64_Shdr);
}

/* Whether the section's name is `prefix` and then `name`. */
static bool elf_is_named(const struct elf *elf, const Elf64_Shdr *section, const char *prefix,
                         const char *name) {
  Elf64_Shdr names;
  size_t length = strlen(prefix), rest = strlen(name) + 1;
  if (!elf_section(elf, elf->header.e_shstrndx, &names) || names.sh_offset > elf->size)
    return false;
  uint64_t at = names.sh_offset + section->sh_name;
  return at <= elf->size && length + rest <= elf->size - at &&
         memcmp(elf->bytes + at, prefix, length) == 0 &&
         memcmp(elf->bytes + at + length, name, rest) == 0;
}

static bool cubin_has(const struct elf *elf, const char *symbol) {
  Elf64_Shdr section;
  for (size_t i = 0; elf_section(elf, i, &section); i++)
    if (elf_is_named(elf, &section, ".text.", symbol))
      return true;
  return false;
}

/* The compute capability, 90 for 9.0; 0 where the header says it in a way that is not known. ABI
   version 8 came with CUDA 13, 7 with CUDA 9. */
static unsigned cubin_capability(const struct elf *elf) {
  switch (elf->header.e_ident[EI_ABIVERSION]) {
  case 8:
    return elf->header.e_flags >> 8 & 0xFF;
  case 7:
    return elf->header.e_flags & 0xFF;
  default:
    return 0;
  }
}

static bool cubin_is_for(const struct elf *elf, const char *target) {
  unsigned capability = cubin_capability(elf), named = 0;
  for (const char *digit = target + (strncmp(target, "sm_", 3) == 0 ? 3 : 0);
       isdigit((unsigned char)*digit); digit++)
    named = named * 10 + (unsigned)(*digit - '0');
  return capability == 0 || capability == named;
}

/* --- Objects of the emulator ------------------------------------------------------------------ */

/* The object of a section, or NULL: it is for another architecture, or `reason` says what is wrong.
 */
static struct object *open_object(const tile_section *section, struct text *reason) {
  struct object *object = NULL;
  if (strcmp(section_target(section), OBJECT_HOST) != 0)
    return NULL;
  tile_status status = object_load(section->data, section->size, &object);
  if (status)
    text_puts(reason, tile_status_message(status));
  tile_status_free(status);
  return object;
}

static void verify_object(const tile_section *section, size_t index, struct text *problems) {
  struct text reason = {0};
  object_destroy(open_object(section, &reason));
  if (reason.length)
    text_printf(problems, "section %zu: %s\n", index, text_string(&reason));
  text_free(&reason);
}

/* Also true where it cannot be known. */
static bool object_has(const tile_section *section, const char *symbol) {
  struct text reason = {0}, name = {0};
  struct object *object = open_object(section, &reason);
  text_printf(&name, EMULATOR_SYMBOL, symbol);
  bool has = !object || object_find(object, text_string(&name));
  object_destroy(object);
  text_free(&reason);
  text_free(&name);
  return has;
}

/* --- All of it -------------------------------------------------------------------------------- */

static void verify_section(const tile_image *image, size_t index, struct text *problems) {
  const tile_section *section = &image->sections[index];
  const char *target = section_target(section);
  struct elf elf;
  bool cubin = section->format == TILE_IMAGE_CUBIN;
  if (section->format == TILE_IMAGE_OBJECT)
    verify_object(section, index, problems);
  else if (cubin && !elf_open(section, &elf))
    text_printf(problems, "section %zu is not a cubin: its ELF header is no CUDA program's\n",
                index);
  else if (target[0] && !(cubin ? cubin_is_for(&elf, target) : ptx_is_for(section, target)))
    text_printf(problems, "section %zu is not for %s, which the metadata names\n", index, target);
}

/* Also true where the section is no cubin at all, which is said before. */
static bool section_has(const tile_section *section, const char *symbol) {
  struct elf elf;
  switch (section->format) {
  case TILE_IMAGE_PTX:
    return ptx_has(section, symbol);
  case TILE_IMAGE_CUBIN:
    return !elf_open(section, &elf) || cubin_has(&elf, symbol);
  case TILE_IMAGE_OBJECT:
  case TILE_IMAGE_EMULATOR:
    break;
  }
  return object_has(section, symbol);
}

static void verify_version(const tile_image *image, const tile_kernel_info *kernel,
                           const tile_kernel_version *version, struct text *problems) {
  if (!section_has(version->section, version->symbol))
    text_printf(problems, "kernel %s, version %u: section %zu has no function %s\n", kernel->name,
                (unsigned)version->index, version_section_index(image, version), version->symbol);
}

/* Sections of one target rank alike on every device, so the order among them is that of the image.
 */
static void note_covered(const tile_kernel_info *kernel, const tile_kernel_version *later,
                         struct text *notes) {
  for (const tile_kernel_version *first = kernel->versions; first < later; first++)
    if (first->section->format == later->section->format &&
        strcmp(section_target(first->section), section_target(later->section)) == 0 &&
        version_covers(first, later)) {
      text_printf(notes,
                  "kernel %s: version %u is never launched, version %u takes all that it takes\n",
                  kernel->name, (unsigned)later->index, (unsigned)first->index);
      return;
    }
}

/* Of what was read from a file. */
static void verify_checksum(const tile_image *image, struct text *problems, struct text *notes) {
  const struct owned_image *owned = (const struct owned_image *)image;
  if (owned->is_changed)
    text_puts(problems, "section 0 was changed after it was written, its checksum is another one; "
                        "it is read and run as it is\n");
  if (owned->is_unchecked)
    text_puts(
        notes,
        "section 0 has no checksum, an older toolkit wrote it: a change of it is not found\n");
}

void image_verify(const tile_image *image, struct text *problems, struct text *notes) {
  verify_checksum(image, problems, notes);
  for (size_t i = 0; i < image->section_count; i++)
    verify_section(image, i, problems);
  for (size_t i = 0; i < image->kernel_count; i++)
    for (size_t v = 0; v < image->kernels[i].version_count; v++) {
      verify_version(image, &image->kernels[i], &image->kernels[i].versions[v], problems);
      note_covered(&image->kernels[i], &image->kernels[i].versions[v], notes);
    }
}
