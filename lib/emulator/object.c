/* SPDX-License-Identifier: MIT */
/* See object.h. Every offset and count of the file is checked before it is used; code is not run
   before all of it is loaded. What the code does when it runs is another matter: an image with an
   object is a program. */
#include "emulator/object.h"

#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/arena.h"
#include "base/status.h"
#include "emulator/symbols.h"

enum { MAX_BYTES = 1 << 28 };

/* Where a section lies in memory. */
struct place {
  Elf64_Shdr header;
  size_t offset; /* in the mapping */
  bool loaded;
};

struct object {
  unsigned char *memory; /* a mapping */
  size_t mapped, code;   /* bytes; those of code stand first */
  const char *bytes;     /* the file, while it is being loaded */
  size_t size;
  struct arena arena; /* owns what follows */
  struct place *places;
  size_t place_count;
  Elf64_Sym *symbols;
  size_t symbol_count;
  const char *names; /* of the symbols, with a zero after them */
  size_t name_bytes;
};

static tile_status bad(const char *what) {
  return FAIL(TILE_BAD_IMAGE, "the emulator's object is damaged: %s; compile it anew", what);
}

/* --- The file --------------------------------------------------------------------------------- */

static bool inside(const struct object *object, uint64_t offset, uint64_t length) {
  return offset <= object->size && length <= object->size - offset;
}

static tile_status read_header(const struct object *object, Elf64_Ehdr *out) {
  if (!inside(object, 0, sizeof *out))
    return bad("it has no header");
  memcpy(out, object->bytes, sizeof *out);
  if (memcmp(out->e_ident, ELFMAG, SELFMAG) != 0 || out->e_ident[EI_CLASS] != ELFCLASS64 ||
      out->e_ident[EI_DATA] != ELFDATA2LSB || out->e_type != ET_REL ||
      out->e_shentsize != sizeof(Elf64_Shdr))
    return bad("it is no relocatable ELF file of 64 bits");
  if (!OBJECT_HOST[0] || out->e_machine != EM_X86_64)
    return FAIL(TILE_WRONG_TARGET, "the emulator's object is for machine %d, this one is %s",
                (int)out->e_machine,
                OBJECT_HOST[0] ? OBJECT_HOST : "one that objects are not written for");
  return NULL;
}

static tile_status read_sections(struct object *object) {
  Elf64_Ehdr header;
  TRY(read_header(object, &header));
  if (!inside(object, header.e_shoff, (uint64_t)header.e_shnum * sizeof(Elf64_Shdr)))
    return bad("its sections lie outside the file");
  object->place_count = header.e_shnum;
  object->places = ARENA_ARRAY(&object->arena, struct place, object->place_count);
  for (size_t i = 0; i < object->place_count; i++) {
    Elf64_Shdr *section = &object->places[i].header;
    memcpy(section, object->bytes + header.e_shoff + i * sizeof *section, sizeof *section);
    if (section->sh_type != SHT_NOBITS && section->sh_type != SHT_NULL &&
        !inside(object, section->sh_offset, section->sh_size))
      return bad("a section lies outside the file");
  }
  return NULL;
}

/* The symbols, and their names with a zero after the last one. */
static tile_status read_symbols(struct object *object) {
  const Elf64_Shdr *table = NULL, *names = NULL;
  for (size_t i = 0; i < object->place_count; i++)
    if (object->places[i].header.sh_type == SHT_SYMTAB)
      table = &object->places[i].header;
  if (table && table->sh_link < object->place_count)
    names = &object->places[table->sh_link].header;
  if (!names || names->sh_type != SHT_STRTAB || table->sh_entsize != sizeof(Elf64_Sym))
    return bad("it has no symbols");
  object->names =
      arena_copy_string(&object->arena, object->bytes + names->sh_offset, names->sh_size);
  object->name_bytes = names->sh_size;
  object->symbol_count = table->sh_size / sizeof(Elf64_Sym);
  object->symbols = ARENA_ARRAY(&object->arena, Elf64_Sym, object->symbol_count);
  memcpy(object->symbols, object->bytes + table->sh_offset,
         object->symbol_count * sizeof(Elf64_Sym));
  for (size_t i = 0; i < object->symbol_count; i++)
    if (object->symbols[i].st_name > object->name_bytes)
      return bad("a symbol has no name");
  return NULL;
}

/* --- Memory ----------------------------------------------------------------------------------- */

/* Unwinding tables are of no use here: nothing throws. */
static bool is_loaded(const Elf64_Shdr *section) {
  return section->sh_flags & SHF_ALLOC && section->sh_size &&
         (section->sh_type == SHT_PROGBITS || section->sh_type == SHT_NOBITS);
}

/* Gives places to the sections that are code, or to the others. */
static tile_status place_sections(struct object *object, bool code, size_t *at) {
  for (size_t i = 0; i < object->place_count; i++) {
    struct place *place = &object->places[i];
    const Elf64_Shdr *section = &place->header;
    uint64_t alignment = section->sh_addralign ? section->sh_addralign : 1;
    if (!is_loaded(section) || !(section->sh_flags & SHF_EXECINSTR) != !code)
      continue;
    if (alignment > 4096 || (alignment & (alignment - 1)))
      return bad("a section has an alignment that is none");
    *at = (*at + alignment - 1) & ~(size_t)(alignment - 1);
    if (section->sh_size > MAX_BYTES || *at > MAX_BYTES)
      return bad("it needs more memory than an object may");
    place->offset = *at;
    place->loaded = true;
    *at += section->sh_size;
  }
  return NULL;
}

static size_t whole_pages(size_t bytes) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  return (bytes + page - 1) / page * page;
}

static tile_status map(struct object *object) {
  size_t end = 0;
  TRY(place_sections(object, true, &end));
  object->code = end = whole_pages(end);
  TRY(place_sections(object, false, &end));
  object->mapped = whole_pages(end ? end : 1);
  void *memory =
      mmap(NULL, object->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for the emulator's object of %zu bytes",
                object->mapped);
  object->memory = memory;
  for (size_t i = 0; i < object->place_count; i++) {
    const struct place *place = &object->places[i];
    if (place->loaded && place->header.sh_type == SHT_PROGBITS)
      memcpy(object->memory + place->offset, object->bytes + place->header.sh_offset,
             place->header.sh_size);
  }
  return NULL;
}

/* --- Addresses -------------------------------------------------------------------------------- */

static const char *symbol_name(const struct object *object, const Elf64_Sym *symbol) {
  return object->names + symbol->st_name;
}

static tile_status find_external(const char *name, uint64_t *out) {
  size_t count;
  const struct emulator_symbol *symbols = emulator_symbols(&count);
  for (size_t i = 0; i < count; i++)
    if (strcmp(symbols[i].name, name) == 0) {
      *out = symbols[i].address;
      return NULL;
    }
  return FAIL(TILE_UNSUPPORTED,
              "the emulator has no function '%s': the object was compiled for another version",
              name);
}

/* Whether the symbol stands for a place in a loaded section, and where. */
static bool symbol_address(const struct object *object, const Elf64_Sym *symbol, uint64_t *out) {
  size_t index = symbol->st_shndx;
  if (index >= object->place_count || !object->places[index].loaded ||
      symbol->st_value > object->places[index].header.sh_size)
    return false;
  *out = (uint64_t)(uintptr_t)object->memory + object->places[index].offset + symbol->st_value;
  return true;
}

static tile_status relocate_one(struct object *object, const struct place *place,
                                const Elf64_Rela *relocation) {
  uint64_t index = ELF64_R_SYM(relocation->r_info), value;
  if (index >= object->symbol_count)
    return bad("a relocation is of no symbol");
  const Elf64_Sym *symbol = &object->symbols[index];
  if (symbol->st_shndx == SHN_UNDEF)
    TRY(find_external(symbol_name(object, symbol), &value));
  else if (!symbol_address(object, symbol, &value))
    return bad("a symbol lies outside its section");
  if (ELF64_R_TYPE(relocation->r_info) != R_X86_64_64)
    return FAIL(TILE_BAD_IMAGE,
                "the emulator's object has relocations of kind %d, which it should not have; "
                "compile it anew",
                (int)ELF64_R_TYPE(relocation->r_info));
  if (place->header.sh_size < sizeof value ||
      relocation->r_offset > place->header.sh_size - sizeof value)
    return bad("a relocation lies outside its section");
  value += (uint64_t)relocation->r_addend;
  memcpy(object->memory + place->offset + relocation->r_offset, &value, sizeof value);
  return NULL;
}

static tile_status relocate(struct object *object) {
  for (size_t i = 0; i < object->place_count; i++) {
    const Elf64_Shdr *section = &object->places[i].header;
    if (section->sh_type != SHT_RELA && section->sh_type != SHT_REL)
      continue;
    if (section->sh_info >= object->place_count)
      return bad("relocations are of no section");
    const struct place *place = &object->places[section->sh_info];
    if (!place->loaded)
      continue;
    if (section->sh_type == SHT_REL || section->sh_entsize != sizeof(Elf64_Rela) ||
        !inside(object, section->sh_offset, section->sh_size))
      return bad("its relocations are of another form");
    for (uint64_t at = 0; at + sizeof(Elf64_Rela) <= section->sh_size; at += sizeof(Elf64_Rela)) {
      Elf64_Rela relocation;
      memcpy(&relocation, object->bytes + section->sh_offset + at, sizeof relocation);
      TRY(relocate_one(object, place, &relocation));
    }
  }
  return NULL;
}

/* --- All of it -------------------------------------------------------------------------------- */

static tile_status load(struct object *object) {
  TRY(read_sections(object));
  TRY(read_symbols(object));
  TRY(map(object));
  TRY(relocate(object));
  if (object->code && mprotect(object->memory, object->code, PROT_READ | PROT_EXEC) != 0)
    return FAIL(TILE_UNSUPPORTED, "this system lets no program make code executable, so that the "
                                  "emulator's object cannot run");
  return NULL;
}

tile_status object_load(const void *bytes, size_t size, struct object **out) {
  struct object *object = tile_allocate(sizeof *object);
  *object = (struct object){.bytes = bytes, .size = size};
  tile_status status = load(object);
  object->bytes = NULL;
  if (status)
    object_destroy(object);
  else
    *out = object;
  return status;
}

void *object_find(const struct object *object, const char *name) {
  for (size_t i = 0; i < object->symbol_count; i++) {
    const Elf64_Sym *symbol = &object->symbols[i];
    uint64_t address;
    bool function = ELF64_ST_TYPE(symbol->st_info) == STT_FUNC &&
                    strcmp(symbol_name(object, symbol), name) == 0;
    if (function && symbol_address(object, symbol, &address) &&
        object->places[symbol->st_shndx].header.sh_flags & SHF_EXECINSTR)
      return (void *)(uintptr_t)address;
  }
  return NULL;
}

void object_destroy(struct object *object) {
  if (!object)
    return;
  if (object->memory)
    munmap(object->memory, object->mapped);
  arena_destroy(&object->arena);
  free(object);
}
