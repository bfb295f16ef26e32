/* SPDX-License-Identifier: MIT */
/* --verify-diagnostics and --split-input-file: what tests of messages need, shared by the tools.

   Expected diagnostics are written in the input as comments, of MLIR (//) or of Python (#):
     // expected-error @+1 {{part of the message}}
   with @+N, @-N, @above, @below or @N for another line, a count before the text (expected-remark 2
   {{...}}), `expected-error-re` with {{regular expressions in double braces}}, and @unknown for
   messages without a place. A column may stand after the line: @+1:14, @:14. */
#ifndef TILE_DRIVER_EXPECTATIONS_H
#define TILE_DRIVER_EXPECTATIONS_H

#include "ir/diagnostics.h"
#include "tile/status.h"

/* `file` is borrowed, the text is not kept. */
struct expectations;
struct expectations *expectations_read(const char *file, const char *text);
/* The handler of a session's diagnostics; `data` is the expectations. */
void expectations_receive(const struct diagnostic *diagnostic, void *data);
/* Reports what was expected and not seen, or seen and not expected; true when all is right. */
bool expectations_check(struct expectations *expectations);
void expectations_destroy(struct expectations *expectations);

/* One piece of a split file. Its lines keep the numbers they have in the file: `text` begins with
   as many empty lines as stand before the piece. */
typedef tile_status piece_fn(const char *text, size_t length, bool is_first, void *data);

/* Cuts `text` at lines that are `separator` ("// -----", "# -----"; spaces after are allowed) and
   calls `piece` for each stretch. All are done; the first error is returned. */
tile_status split_pieces(const char *text, const char *separator, piece_fn *piece, void *data);

#endif
