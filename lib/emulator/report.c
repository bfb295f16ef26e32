/* SPDX-License-Identifier: MIT */
/* Recording hazards and putting them into words. */
#include "emulator/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/machine.h"
#include "base/text.h"

static const char *const hazard_names[] = {
    [TILE_EMULATOR_OUT_OF_BOUNDS] = "out-of-bounds",
    [TILE_EMULATOR_MISALIGNED] = "misaligned",
    [TILE_EMULATOR_READ_ONLY] = "read-only",
    [TILE_EMULATOR_WRITE_WRITE_RACE] = "write-write race",
    [TILE_EMULATOR_READ_WRITE_RACE] = "read-write race",
    [TILE_EMULATOR_BARRIER_DIVERGENCE] = "barrier divergence",
    [TILE_EMULATOR_TRAP] = "trap",
    [TILE_EMULATOR_UNINITIALISED] = "uninitialised load",
    [TILE_EMULATOR_SHUFFLE_DIVERGENCE] = "shuffle divergence",
    [TILE_EMULATOR_OPERAND_OVERWRITE] = "overwritten operand",
    [TILE_EMULATOR_PROXY_FENCE] = "missing proxy fence",
    [TILE_EMULATOR_WGMMA_MISUSE] = "misused wgmma",
    [TILE_EMULATOR_IN_FLIGHT] = "access of data in flight",
    [TILE_EMULATOR_DEADLOCK] = "deadlock",
    [TILE_EMULATOR_LANE_MASK] = "lane mask",
    [TILE_EMULATOR_ENDLESS] = "endless loop",
    [TILE_EMULATOR_MBARRIER_MISUSE] = "misused barrier",
};

_Static_assert(sizeof hazard_names / sizeof *hazard_names == TILE_EMULATOR_MBARRIER_MISUSE + 1,
               "every kind has a name");

const char *tile_emulator_hazard_name(tile_emulator_hazard_kind kind) {
  return (unsigned)kind <= TILE_EMULATOR_MBARRIER_MISUSE ? hazard_names[kind] : "unknown hazard";
}

static const char *copy(struct tile_emulator_report *report, const char *text) {
  return text ? arena_copy_string(&report->arena, text, strlen(text)) : "";
}

static bool same_site(const struct tile_emulator_report *report, size_t index,
                      const tile_emulator_hazard *hazard) {
  const tile_emulator_hazard *known = &report->hazards[index];
  const char *location = hazard->site.location;
  if (known->kind != hazard->kind || known->is_store != hazard->is_store)
    return false;
  return report->origins[index] == location ||
         strcmp(known->site.location, location ? location : "") == 0;
}

static tile_emulator_hazard *find(struct tile_emulator_report *report,
                                  const tile_emulator_hazard *hazard) {
  for (size_t i = 0; i < report->count; i++)
    if (same_site(report, i, hazard))
      return &report->hazards[i];
  return NULL;
}

void report_add(struct tile_emulator_report *report, const tile_emulator_hazard *hazard) {
  tile_emulator_hazard *known = find(report, hazard);
  if (known) {
    known->repeats++;
    return;
  }
  if (report->count == REPORT_CAPACITY) {
    report->dropped++;
    return;
  }
  report->origins[report->count] = hazard->site.location;
  tile_emulator_hazard *added = &report->hazards[report->count++];
  *added = *hazard;
  added->site.location = copy(report, hazard->site.location);
  added->other.location = copy(report, hazard->other.location);
  added->buffer = hazard->buffer ? copy(report, hazard->buffer) : NULL;
  added->message = copy(report, hazard->message);
  added->repeats = 0;
  added->text = "";
}

/* "add.py:3:5, thread 7 of block (1, 0, 0)" */
static void put_site(struct text *text, const tile_emulator_site *site) {
  text_printf(text, "%s, ", site->location[0] ? site->location : "unknown location");
  if (site->thread == TILE_EMULATOR_UNKNOWN_THREAD)
    text_puts(text, "another thread");
  else
    text_printf(text, "thread %" PRIu32, site->thread);
  text_printf(text, " of block (%" PRIu32 ", %" PRIu32 ", %" PRIu32 ")", site->block[0],
              site->block[1], site->block[2]);
}

/* "reaches 4 bytes past the end of buffer 'out' (offset 256 of 256 bytes)" */
static void put_overrun(struct text *text, const tile_emulator_hazard *hazard) {
  bool before = hazard->distance < 0;
  uint64_t distance = before ? -(uint64_t)hazard->distance : (uint64_t)hazard->distance;
  text_printf(
      text, "reaches %" PRIu64 " byte%s %s buffer '%s' (offset %" PRId64 " of %" PRIu64 " bytes)",
      distance, distance == 1 ? "" : "s", before ? "before the start of" : "past the end of",
      hazard->buffer, hazard->offset, hazard->buffer_bytes);
}

/* "; a null pointer was passed for out_ptr" */
static void put_argument(struct text *text, const tile_emulator_hazard *hazard) {
  uint64_t value = hazard->address - (uint64_t)hazard->offset;
  if (!value)
    text_printf(text, "; a null pointer was passed for %s", hazard->buffer);
  else
    text_printf(text,
                "; '%s' is 0x%" PRIx64
                ", which is in no buffer of the device: create one, or make memory that is "
                "there known by tile_buffer_wrap",
                hazard->buffer, value);
}

static void put_access(struct text *text, const tile_emulator_hazard *hazard) {
  text_printf(text, ": the %s of %" PRIu32 " bytes at address 0x%" PRIx64 " ",
              hazard->is_store ? "store" : "load", hazard->bytes, hazard->address);
  if (hazard->kind == TILE_EMULATOR_OUT_OF_BOUNDS && hazard->buffer && !hazard->dangling)
    put_overrun(text, hazard);
  else if (hazard->kind == TILE_EMULATOR_OUT_OF_BOUNDS)
    text_puts(text, "belongs to no buffer");
  else if (hazard->kind == TILE_EMULATOR_MISALIGNED)
    text_printf(text, "(offset %" PRId64 " of buffer '%s') needs an alignment of %" PRIu32 " bytes",
                hazard->offset, hazard->buffer, hazard->alignment);
  else
    text_printf(text, "(offset %" PRId64 ") goes to buffer '%s', which is read-only",
                hazard->offset, hazard->buffer);
  if (hazard->dangling)
    put_argument(text, hazard);
}

static void put_race(struct text *text, const tile_emulator_hazard *hazard) {
  text_printf(text, " %s byte %" PRId64 " of buffer '%s' (address 0x%" PRIx64 "), which was %s at ",
              hazard->is_store ? "stores to" : "loads", hazard->offset, hazard->buffer,
              hazard->address, hazard->other_is_store ? "stored to" : "loaded");
  put_site(text, &hazard->other);
  text_puts(text, ", and nothing orders the two");
}

/* What a bulk store reads or writes at any time. */
static void put_bulk_store(struct text *text, const tile_emulator_hazard *hazard) {
  text_printf(text, " %s byte %" PRId64 " of %s, which the bulk store started at ",
              hazard->is_store ? "stores to" : "loads", hazard->offset,
              hazard->buffer ? hazard->buffer : "memory");
  put_site(text, &hazard->other);
  text_printf(text, " %s; no wait of that thread covers it", hazard->message);
}

static void put_in_flight(struct text *text, const tile_emulator_hazard *hazard) {
  if (hazard->other_is_store) {
    put_bulk_store(text, hazard);
    return;
  }
  text_printf(text, " %s byte %" PRId64 " of shared memory, which the copy started at ",
              hazard->is_store ? "stores to" : "loads", hazard->offset);
  put_site(text, &hazard->other);
  bool bulk = hazard->message[0] != 0;
  text_printf(text, " still writes; %s",
              bulk ? hazard->message : "no wait of that thread covers it");
}

static void put_overwrite(struct text *text, const tile_emulator_hazard *hazard) {
  text_printf(text, " stores to byte %" PRId64 " of shared memory, which the wgmma issued at ",
              hazard->offset);
  put_site(text, &hazard->other);
  text_puts(text, " still reads; wait for it first");
}

static void put_proxy(struct text *text, const tile_emulator_hazard *hazard) {
  text_printf(text, ": the %s byte %" PRId64 " of shared memory, which was stored to at ",
              hazard->message, hazard->offset);
  put_site(text, &hazard->other);
  text_puts(text, ", with no fence_async_shared between");
}

static void put_divergence(struct text *text, const tile_emulator_hazard *hazard) {
  bool shuffle = hazard->kind == TILE_EMULATOR_SHUFFLE_DIVERGENCE;
  const char *place = shuffle ? hazard->message : "a barrier";
  if (!hazard->other_exited) {
    text_printf(text, " waits at %s while ", place);
    text_puts(text, !shuffle                          ? "another barrier is waited at by "
                    : hazard->other_at_barrier        ? "a barrier is waited at by "
                    : strcmp(place, "a shuffle") == 0 ? "another shuffle is waited at by "
                                                      : "something else is waited at by ");
    put_site(text, &hazard->other);
    return;
  }
  const char *last = hazard->other.location;
  text_printf(text, " waits at %s while thread %" PRIu32 " has exited; ", place,
              hazard->other.thread);
  text_printf(
      text, last[0] ? "the last barrier it passed is at %s" : "it passed no known barrier%s", last);
}

static void put_deadlock(struct text *text, const tile_emulator_hazard *hazard) {
  if (!hazard->address) { /* a barrier in shared memory: the words say all of it */
    text_printf(text, ": %s", hazard->message);
    return;
  }
  text_puts(text, " waits for ");
  if (hazard->buffer)
    text_printf(text, "byte %" PRId64 " of buffer '%s'", hazard->offset, hazard->buffer);
  else
    text_printf(text, "address 0x%" PRIx64, hazard->address);
  text_puts(text, " to change");
  if (hazard->other.location[0]) {
    text_puts(text, ", while one waits at ");
    put_site(text, &hazard->other);
  }
  text_printf(text, "; %s", hazard->message);
}

static void put_mask(struct text *text, const tile_emulator_hazard *hazard) {
  bool own = hazard->lane == hazard->site.thread % MACHINE_LANES;
  text_printf(text, " %s lane %" PRIu32 ", which the member mask 0x%08" PRIx32 " does not name",
              own ? "executes a shuffle as" : "reads by a shuffle from", hazard->lane,
              hazard->mask);
}

static void put_hazard(struct text *text, const tile_emulator_hazard *hazard) {
  text_printf(text, "%s at ", tile_emulator_hazard_name(hazard->kind));
  put_site(text, &hazard->site);
  switch (hazard->kind) {
  case TILE_EMULATOR_OUT_OF_BOUNDS:
  case TILE_EMULATOR_MISALIGNED:
  case TILE_EMULATOR_READ_ONLY:
    put_access(text, hazard);
    break;
  case TILE_EMULATOR_WRITE_WRITE_RACE:
  case TILE_EMULATOR_READ_WRITE_RACE:
    put_race(text, hazard);
    break;
  case TILE_EMULATOR_UNINITIALISED:
    text_printf(text,
                " loads byte %" PRId64 " of shared memory, which this block has not stored to",
                hazard->offset);
    break;
  case TILE_EMULATOR_IN_FLIGHT:
    put_in_flight(text, hazard);
    break;
  case TILE_EMULATOR_OPERAND_OVERWRITE:
    put_overwrite(text, hazard);
    break;
  case TILE_EMULATOR_PROXY_FENCE:
    put_proxy(text, hazard);
    break;
  case TILE_EMULATOR_WGMMA_MISUSE:
  case TILE_EMULATOR_ENDLESS:
  case TILE_EMULATOR_MBARRIER_MISUSE:
    text_printf(text, ": %s", hazard->message);
    break;
  case TILE_EMULATOR_BARRIER_DIVERGENCE:
  case TILE_EMULATOR_SHUFFLE_DIVERGENCE:
    put_divergence(text, hazard);
    break;
  case TILE_EMULATOR_DEADLOCK:
    put_deadlock(text, hazard);
    break;
  case TILE_EMULATOR_LANE_MASK:
    put_mask(text, hazard);
    break;
  case TILE_EMULATOR_TRAP:
    text_printf(text, ": %s", hazard->message[0] ? hazard->message : "the kernel stopped itself");
    break;
  }
  if (hazard->repeats)
    text_printf(text, " (repeated %" PRIu64 " time%s)", hazard->repeats,
                hazard->repeats == 1 ? "" : "s");
}

void report_finish(struct tile_emulator_report *report) {
  for (size_t i = 0; i < report->count; i++) {
    struct text text = {0};
    put_hazard(&text, &report->hazards[i]);
    report->hazards[i].text = arena_copy_string(&report->arena, text.data, text.length);
    text_free(&text);
  }
}

size_t tile_emulator_report_count(const tile_emulator_report *report) {
  return report ? report->count : 0;
}

const tile_emulator_hazard *tile_emulator_report_hazard(const tile_emulator_report *report,
                                                        size_t index) {
  return report && index < report->count ? &report->hazards[index] : NULL;
}

uint64_t tile_emulator_report_dropped(const tile_emulator_report *report) {
  return report ? report->dropped : 0;
}

const char *tile_emulator_report_incomplete(const tile_emulator_report *report) {
  return report ? report->incomplete : NULL;
}

void tile_emulator_report_free(tile_emulator_report *report) {
  if (!report)
    return;
  arena_destroy(&report->arena);
  free(report);
}
