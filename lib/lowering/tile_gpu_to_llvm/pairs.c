/* SPDX-License-Identifier: MIT */
/* Accumulators of f16 in pairs: what wgmma takes and gives, two elements in 32 bits.

   A register of 16 bits would be taken out of its word and put back in every iteration, and between
   a wgmma and its wait nobody may touch the word at all. So a tile that has the layout of such
   accumulators keeps its words, from dot to dot and around loops; its elements are taken out for
   whoever wants them, and LLVM drops what nobody does. Word i holds registers 2 i and 2 i + 1:
   neighbours along a row (layout/mma.h). A tile of one element that is computed with such
   accumulators has their layout, too, but no word.

   All tiles of f16, bf16 and i16 go through branches and loops in such words. Where ptxas (12.8 to
   13.3) has no register for a half of a word that a branch may change, it stores the lower half in
   the upper one's place. Tiles of fp8 do with four elements a word: they would be taken apart and
   put together again in each iteration. Tiles that loops load ahead element by element have a word
   for each, the rest of which is nobody's: to put them together would wait for the loads. */
#include "lowering/tile_gpu_to_llvm/lowering.h"

bool kept_in_pairs(struct lowering *lw, MlirType old_type) {
  const struct layout_info *info = NULL;
  if (!type_is_tensor(old_type) || !mlirTypeIsAF16(type_element(old_type)))
    return false;
  tile_status_free(layout_decode(&lw->session->layouts, type_layout(old_type), &info));
  return info && info->kind == LAYOUT_KIND_MMA && info->mma.version == 3 &&
         register_count(lw, old_type) > 1;
}

int crosses_together(struct lowering *lw, MlirType old_type) {
  if (!type_is_tensor(old_type))
    return 1;
  MlirType element = type_element(old_type);
  bool half = mlirTypeIsAF16(element) || mlirTypeIsABF16(element) || type_is_integer(element, 16);
  int together = half ? 2 : type_is_fp8(element) ? 4 : 1;
  return register_count(lw, old_type) % together == 0 ? together : 1;
}

MlirValue pack_word(struct lowering *lw, const MlirValue *elements, int count) {
  bool float_word = count == 1 && mlirTypeIsAF32(mlirValueGetType(elements[0]));
  return BUILD(&lw->b, float_word ? "arith.bitcast" : "llvm.bitcast",
               IN(build_vector(lw, elements, count)), OUT(integer_type(&lw->b, 32)));
}

MlirValue *pairs_of(struct lowering *lw, const struct lowered *registers) {
  if (registers->pairs)
    return registers->pairs;
  MlirValue *pairs = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)registers->count / 2 + 1);
  for (int i = 0; i < registers->count / 2; i++) {
    MlirValue elements[] = {register_value(lw, registers, 2 * i),
                            register_value(lw, registers, 2 * i + 1)};
    pairs[i] = pack_word(lw, elements, 2);
  }
  return pairs;
}

struct lowered *lowered_from_pairs(struct lowering *lw, MlirType old_type, const MlirValue *pairs) {
  struct lowered *registers = lowered_create(lw, old_type);
  registers->pairs = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)registers->count / 2 + 1);
  MlirType vector = mlirVectorTypeGet(1, &(int64_t){2}, registers->type);
  for (int i = 0; i < registers->count / 2; i++) {
    registers->pairs[i] = pairs[i];
    MlirValue both = BUILD(&lw->b, "llvm.bitcast", IN(pairs[i]), OUT(vector));
    split_vector(lw, both, registers->base + 2 * i, 2);
  }
  return registers;
}

MlirValue *crossing_words(struct lowering *lw, const struct lowered *registers, int together) {
  if (together == 2)
    return pairs_of(lw, registers);
  MlirValue *words = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)(registers->count / together));
  for (int i = 0; i < registers->count / together; i++) {
    MlirValue elements[4];
    for (int k = 0; k < together; k++)
      elements[k] = register_value(lw, registers, together * i + k);
    words[i] = pack_word(lw, elements, together);
  }
  return words;
}

struct lowered *lowered_from_crossing(struct lowering *lw, MlirType old_type,
                                      const MlirValue *words, int together) {
  if (together == 2)
    return lowered_from_pairs(lw, old_type, words);
  struct lowered *registers = lowered_create(lw, old_type);
  MlirType vector = mlirVectorTypeGet(1, &(int64_t){together}, registers->type);
  for (int i = 0; i < registers->count / together; i++) {
    MlirValue all = BUILD(&lw->b, "llvm.bitcast", IN(words[i]), OUT(vector));
    split_vector(lw, all, registers->base + together * i, together);
  }
  return registers;
}

MlirValue word_of_part(struct lowering *lw, MlirValue part, int together) {
  MlirType vector = mlirVectorTypeGet(1, &(int64_t){together}, mlirValueGetType(part));
  MlirValue all = BUILD(&lw->b, "llvm.mlir.undef", OUT(vector));
  all =
      BUILD(&lw->b, "llvm.insertelement", IN(all, part, constant_integer(lw, 32, 0)), OUT(vector));
  return BUILD(&lw->b, "llvm.bitcast", IN(all), OUT(integer_type(&lw->b, 32)));
}

struct lowered *lowered_from_parts(struct lowering *lw, MlirType old_type, const MlirValue *words,
                                   int together) {
  struct lowered *registers = lowered_create(lw, old_type);
  MlirType vector = mlirVectorTypeGet(1, &(int64_t){together}, registers->type);
  for (int i = 0; i < registers->count; i++) {
    MlirValue both = BUILD(&lw->b, "llvm.bitcast", IN(words[i]), OUT(vector));
    registers->base[i] = BUILD(&lw->b, "llvm.extractelement", IN(both, constant_integer(lw, 32, 0)),
                               OUT(registers->type));
  }
  return registers;
}
