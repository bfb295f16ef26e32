/* SPDX-License-Identifier: MIT */
/* Characters beyond ASCII in names, and characters that begin no token. */
#include "frontend/lexer_internal.h"

struct misfit {
  uint32_t character;
  const char *advice;
};

static const struct misfit misfits[] = {
    {'!', "write 'not' for negation, '!=' for inequality"},
    {'?', "a conditional expression is 'a if condition else b'"},
    {'$', "names have letters, digits and '_'"},
    {'`', "strings stand in ' or \""},
    {'\\', "a '\\' that continues a line must be its last character"},
    {0, "remove the zero byte"},
    {0xA0, "it looks like a space; write a space"},
    {0x201C, "write \""},
    {0x201D, "write \""},
    {0x2018, "write '"},
    {0x2019, "write '"},
    {0x2013, "write '-'"},
    {0x2014, "write '-'"},
    {0x2212, "write '-'"},
    {0xD7, "write '*'"},
    {0xF7, "write '/'"},
    {0x2264, "write '<='"},
    {0x2265, "write '>='"},
    {0x2260, "write '!='"},
    {0xFF08, "write '('"},
    {0xFF09, "write ')'"},
    {0xFF0C, "write ','"},
    {0xFF1A, "write ':'"},
    {0xFFFD, "the file is not UTF-8 here; save it as UTF-8"},
};

static const char *advice_for(uint32_t character) {
  for (size_t i = 0; i < sizeof misfits / sizeof *misfits; i++)
    if (misfits[i].character == character)
      return misfits[i].advice;
  return "remove it";
}

/* Not Unicode's whole table: spaces, punctuation, symbols and pictures are out, everything else is
   taken for a letter. */
bool lexer_is_letter(uint32_t c) {
  static const struct {
    uint32_t first, last;
  } others[] = {{0x80, 0xA9},     {0xAB, 0xB4},     {0xB6, 0xB6},       {0xB8, 0xB9},
                {0xBB, 0xBF},     {0xD7, 0xD7},     {0xF7, 0xF7},       {0x2000, 0x203E},
                {0x2041, 0x2053}, {0x2055, 0x206F}, {0x20A0, 0x20CF},   {0x2190, 0x2BFF},
                {0x3000, 0x3004}, {0x3008, 0x3020}, {0xFF00, 0xFF0F},   {0xFF1A, 0xFF20},
                {0xFFF0, 0xFFFF}, {0xD800, 0xF8FF}, {0x1F000, 0x1FAFF}, {0xFE10, 0xFE6F}};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (others[i].first <= c && c <= others[i].last)
      return false;
  return c >= 0x80;
}

struct token lexer_misfit(struct lexer *lexer) {
  size_t bytes;
  const char *at = source_at(lexer->source, lexer->position);
  uint32_t character = utf8_decode(at, lexer->end - lexer->position, &bytes);
  struct span span = {lexer->position, (uint32_t)bytes};
  if (character > 0x20 && character < 0x7F)
    lexer_error(lexer, span, "'%c' is no operator here; %s", (char)character,
                advice_for(character));
  else
    lexer_error(lexer, span, "the character U+%04X cannot stand here; %s", character,
                advice_for(character));
  return lexer_stop(lexer, span);
}
