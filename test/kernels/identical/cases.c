/* SPDX-License-Identifier: MIT */
/* The kernels of the tutorials, with arguments small enough for the emulator: edges that masks cut
 * off, several programs. */
#include "identical.h"

#define NORM_FORWARD(b, mean)                                                                      \
  "*fp16:16, *fp16:16, *fp16:16, " b                                                               \
  ", None, None, None, None, None, None, None, None, None, None, " mean                            \
  ", *fp32:16, i32:16, i32:16, i32, i32, i32, i32, i32, i32, fp32, fp32, i1"
#define NORM_FORWARD_CONSTANTS(rms, bias)                                                          \
  "IS_RMS=" rms " BLOCK_N=256 HAS_RESIDUAL=False STORE_SUM=False HAS_WEIGHT=True HAS_BIAS=" bias   \
  " HAS_DROPOUT=False STORE_KEPT=False HAS_ROWSCALE=False"
#define NORM_FORWARD_SIZES                                                                         \
  " stride_x=i32:208 stride_y=i32:208 stride_res=i32:0 stride_sum=i32:0 stride_x1=i32:0 "          \
  "stride_y1=i32:0 M=i32:3 N=i32:200"                                                              \
  " eps=fp32:1e-5 dropout_p=fp32:0 weight_is_zero_centered=i1:0"

#define NORM_BACKWARD(b, db, mean)                                                                 \
  "*fp16:16, *fp16:16, " b ", None, *fp16:16, *fp16:16, *fp32:16, " db                             \
  ", None, None, None, None, None, None, None, None, None, " mean                                  \
  ", *fp32:16, i32:16, i32, i32:16, i32:16, i32, i32, i32, i32, i32, i32, fp32, fp32, i1, i32"
#define NORM_BACKWARD_CONSTANTS(rms, bias)                                                         \
  "IS_RMS=" rms " BLOCK_N=256 HAS_DSUM=False STORE_DRESIDUAL=False HAS_WEIGHT=True HAS_BIAS=" bias \
  " HAS_DROPOUT=False"
#define NORM_BACKWARD_SIZES                                                                        \
  " stride_x=i32:208 stride_y=i32:0 stride_dy=i32:208 stride_dx=i32:208 stride_dsum=i32:0 "        \
  "stride_dy1=i32:0"                                                                               \
  " stride_dx1=i32:0 stride_dres=i32:0 M=i32:5 N=i32:200 eps=fp32:1e-5 dropout_p=fp32:0 "          \
  "weight_is_zero_centered=i1:0"                                                                   \
  " rows_a_program=i32:3"

#define ATTENTION                                                                                  \
  "*fp16:16, *fp16:16, *fp16:16, fp32, *fp32:16, *fp16:16, i32:16, i32:16, i32:16, 1, i32:16, "    \
  "i32:16, i32:16, 1, "                                                                            \
  "i32:16, i32:16, i32:16, 1, i32:16, i32:16, i32:16, 1, i32, i32, i32:16"
#define HEAD_STRIDES(x) " stride_" x "z=i32:16384 stride_" x "h=i32:8192"
#define ATTENTION_ARGUMENTS                                                                        \
  "Q=fp16[1,2,128,64]:rand K=fp16[1,2,128,64]:rand V=fp16[1,2,128,64]:rand scale=fp32:0.125 "      \
  "Lse=fp32[1,2,128]:poison"                                                                       \
  " Out=fp16[1,2,128,64]:poison" HEAD_STRIDES("q") " stride_qm=i32:64" HEAD_STRIDES(               \
      "k") " stride_kn=i32:64" HEAD_STRIDES("v") " stride_vk=i32:64" HEAD_STRIDES("o") " stride_"  \
                                                                                       "om=i32:"   \
                                                                                       "64 "       \
                                                                                       "Z=i32:1 "  \
                                                                                       "H=i32:2 "  \
                                                                                       "N_CTX="    \
                                                                                       "i32:128"

#define MATMUL "*fp16:16, *fp16:16, *fp16:16, i32, i32, i32, i32:16, 1, i32:16, 1, i32:16, 1"
#define MATMUL_ARGUMENTS                                                                           \
  "a_ptr=fp16[96,80]:rand b_ptr=fp16[80,112]:rand c_ptr=fp16[96,112]:poison M=i32:96 N=i32:112 "   \
  "K=i32:72"                                                                                       \
  " stride_am=i32:80 stride_bk=i32:112 stride_cm=i32:112"

/* What autotune_configs() of layer_norm.py returns, which asks PyTorch. */
#define WARPS "1 2 4 8 16 32"

const struct identical_case identical_cases[] = {
    {"vector addition", "vector_add.py", "add_kernel", "*fp32:16, *fp32:16, *fp32:16, i32",
     "BLOCK_SIZE=1024", "cdiv(n_elements, BLOCK_SIZE)",
     "x_ptr=fp32[3000]:rand y_ptr=fp32[3000]:rand output_ptr=fp32[3000]:poison "
     "n_elements=i32:3000"},
    {"vector addition, several blocks", "vector_add.py", "add_blocks_kernel",
     "*fp32:16, *fp32:16, *fp32:16, i32, i32, 256", "", "cdiv(n_elements, 768)",
     "x_ptr=fp32[3000]:rand y_ptr=fp32[3000]:rand output_ptr=fp32[3000]:poison n_elements=i32:3000 "
     "num_blocks=i32:3"},
    {"softmax", "softmax.py", "softmax_row_kernel", "*fp32:16, *fp32:16, i32, i32, i32, 1024", "",
     "5",
     "out_ptr=fp32[5,781]:poison in_ptr=fp32[5,781]:rand in_stride=i32:781 out_stride=i32:781 "
     "width=i32:781"},
    {"softmax, 8 warps, fp16", "softmax.py", "softmax_row_kernel",
     "*fp16:16, *fp16:16, i32:16, i32:16, i32, 2048", "", "3",
     "out_ptr=fp16[3,1808]:poison in_ptr=fp16[3,1808]:rand in_stride=i32:1808 out_stride=i32:1808 "
     "width=i32:1801",
     .warps = "8"},
    {"softmax, persistent", "softmax.py", "softmax_persistent_kernel",
     "*fp32:16, *fp32:16, i32, i32, i32, i32, 1024, 4", "", "2",
     "out_ptr=fp32[5,781]:poison in_ptr=fp32[5,781]:rand in_stride=i32:781 out_stride=i32:781 "
     "height=i32:5 width=i32:781"},
    {"product", "matmul.py", "matmul_kernel", MATMUL, "ACTIVATION=''",
     "cdiv(M, BLOCK_SIZE_M) * cdiv(N, BLOCK_SIZE_N)", MATMUL_ARGUMENTS, .tuned = true},
    {"product, leaky ReLU", "matmul.py", "matmul_kernel", MATMUL, "ACTIVATION='leaky_relu'",
     "cdiv(M, BLOCK_SIZE_M) * cdiv(N, BLOCK_SIZE_N)", MATMUL_ARGUMENTS, .tuned = true},
    {"product, masks", "matmul.py", "matmul_masked_kernel", MATMUL,
     "BLOCK_M=32 BLOCK_N=32 BLOCK_K=32", "cdiv(M, BLOCK_M), cdiv(N, BLOCK_N)", MATMUL_ARGUMENTS},
    {"product, block pointers", "matmul.py", "matmul_block_pointer_kernel",
     "*fp16:16, *fp16:16, *fp16:16, *fp16:16, i32, i32, i32, i32:16, 1, i32:16, 1, i32:16, 1",
     "HAS_BIAS=True", "cdiv(M, BLOCK_M), cdiv(N, BLOCK_N)",
     "a_ptr=fp16[96,80]:rand b_ptr=fp16[80,112]:rand bias_ptr=fp16[112]:rand "
     "c_ptr=fp16[96,112]:poison M=i32:96 N=i32:112"
     " K=i32:72 stride_am=i32:80 stride_bk=i32:112 stride_cm=i32:112",
     .tuned = true},
    {"LayerNorm", "layer_norm.py", "norm_fwd_kernel", NORM_FORWARD("*fp16:16", "*fp32:16"),
     NORM_FORWARD_CONSTANTS("False", "True"), "M",
     "X=fp16[3,208]:rand Y=fp16[3,208]:poison W=fp16[200]:rand B=fp16[200]:rand "
     "Mean=fp32[3]:poison Rstd=fp32[3]:poison" NORM_FORWARD_SIZES,
     .warps = WARPS},
    {"LayerNorm, backward", "layer_norm.py", "norm_bwd_kernel",
     NORM_BACKWARD("*fp16:16", "*fp32:16", "*fp32:16"), NORM_BACKWARD_CONSTANTS("False", "True"),
     "cdiv(M, rows_a_program)",
     "X=fp16[5,208]:rand W=fp16[200]:rand B=fp16[200]:rand DY=fp16[5,208]:rand "
     "DX=fp16[5,208]:poison DW=fp32[2,200]:poison"
     " DB=fp32[2,200]:poison Mean=fp32[5]:rand Rstd=fp32[5]:rand" NORM_BACKWARD_SIZES,
     .warps = WARPS},
    {"LayerNorm, loops", "layer_norm.py", "layer_norm_loop_kernel",
     "*fp32, *fp32, *fp32, *fp32, *fp32, *fp32, i32, i32, fp32, 128", "", "4",
     "X=fp32[4,300]:rand Y=fp32[4,300]:poison W=fp32[300]:rand B=fp32[300]:rand "
     "Mean=fp32[4]:poison Rstd=fp32[4]:poison"
     " stride=i32:300 N=i32:300 eps=fp32:1e-5"},
    /* a slot for each row: the order of the sums would be the GPU's choice */
    {"LayerNorm, backward with locks", "layer_norm.py", "layer_norm_bwd_locked_kernel",
     "*fp32:16, *fp32:16, *fp32:16, *fp32:16, *fp32:16, *fp32:16, *fp32:16, *fp32:16, *i32:16, "
     "i32, i32, 4, 256",
     "", "4",
     "DX=fp32[4,200]:poison DY=fp32[4,200]:rand DW=fp32[4,200]:zeros DB=fp32[4,200]:zeros "
     "X=fp32[4,200]:rand W=fp32[200]:rand"
     " Mean=fp32[4]:rand Rstd=fp32[4]:rand Lock=i32[8]:zeros stride=i32:200 N=i32:200"},
    {"LayerNorm, sums of columns", "layer_norm.py", "column_sums_kernel",
     "*fp32:16, *fp32:16, *fp32:16, *fp32:16, i32, i32", "BLOCK_M=8 BLOCK_N=64", "cdiv(N, BLOCK_N)",
     "DW=fp32[13,200]:rand DB=fp32[13,200]:rand OUT_DW=fp32[200]:poison OUT_DB=fp32[200]:poison "
     "M=i32:13 N=i32:200"},
    {"RMSNorm", "layer_norm.py", "norm_fwd_kernel", NORM_FORWARD("None", "None"),
     NORM_FORWARD_CONSTANTS("True", "False"), "M",
     "X=fp16[3,208]:rand Y=fp16[3,208]:poison W=fp16[200]:rand "
     "Rstd=fp32[3]:poison" NORM_FORWARD_SIZES,
     .warps = WARPS},
    {"RMSNorm, backward", "layer_norm.py", "norm_bwd_kernel", NORM_BACKWARD("None", "None", "None"),
     NORM_BACKWARD_CONSTANTS("True", "False"), "cdiv(M, rows_a_program)",
     "X=fp16[5,208]:rand W=fp16[200]:rand DY=fp16[5,208]:rand DX=fp16[5,208]:poison "
     "DW=fp32[2,200]:poison Rstd=fp32[5]:rand" NORM_BACKWARD_SIZES,
     .warps = WARPS},
    {"RoPE", "rotary.py", "rope_heads_kernel",
     "*fp16:16, i32:16, *fp32:16, i32:16, *fp32:16, i32:16, i32, 32, 6, False, 16", "", "4, 2",
     "X=fp16[4,192]:rand row_stride=i32:192 cos=fp32[2,16]:rand cos_stride=i32:16 "
     "sin=fp32[2,16]:rand sin_stride=i32:16"
     " positions=i32:2"},
    {"RoPE, backward", "rotary.py", "rope_heads_kernel",
     "*fp16:16, i32:16, *fp32:16, i32:16, *fp32:16, i32:16, i32, 32, 6, True, 16", "", "4, 2",
     "X=fp16[4,192]:rand row_stride=i32:192 cos=fp32[2,16]:rand cos_stride=i32:16 "
     "sin=fp32[2,16]:rand sin_stride=i32:16"
     " positions=i32:2"},
    {"RoPE, queries and keys", "rotary.py", "rope_qk_kernel",
     "*fp16:16, i32:16, *fp16:16, i32:16, *fp32:16, i32:16, *fp32:16, i32:16, i32, 1, 5, 2, 32, 8, "
     "2, 32, False",
     "", "4",
     "q_ptr=fp16[4,160]:rand q_stride=i32:160 k_ptr=fp16[4,64]:rand k_stride=i32:64 "
     "cos=fp32[4,16]:rand cos_stride=i32:16"
     " sin=fp32[4,16]:rand sin_stride=i32:16 seq_len=i32:4"},
    {"dropout, mask", "dropout.py", "masked_dropout_kernel",
     "*fp32:16, *i32:16, *fp32:16, i32, fp32", "BLOCK=1024", "cdiv(n, BLOCK)",
     "x_ptr=fp32[2500]:rand keep_ptr=i32[2500]:bits out_ptr=fp32[2500]:poison n=i32:2500 "
     "p=fp32:0.5"},
    {"dropout, seed", "dropout.py", "seeded_dropout_kernel", "*fp32:16, *fp32:16, i32, fp32, i32",
     "BLOCK=1024", "cdiv(n, BLOCK)",
     "x_ptr=fp32[2500]:rand out_ptr=fp32[2500]:poison n=i32:2500 p=fp32:0.25 seed=i32:123"},
    {"dropout, four at a time", "dropout.py", "seeded_dropout_4x_kernel",
     "*fp32:16, *fp32:16, i32, fp32, i32", "BLOCK=1024", "cdiv(n, BLOCK)",
     "x_ptr=fp32[2500]:rand out_ptr=fp32[2500]:poison n=i32:2500 p=fp32:0.25 seed=i32:123"},
    {"attention", "attention.py", "attention_fwd_kernel", ATTENTION, "HEAD_DIM=64 CAUSAL=True",
     "cdiv(N_CTX, BLOCK_M), Z * H", ATTENTION_ARGUMENTS, .tuned = true},
    {"attention, all keys", "attention.py", "attention_fwd_kernel", ATTENTION,
     "HEAD_DIM=64 CAUSAL=False", "cdiv(N_CTX, BLOCK_M), Z * H", ATTENTION_ARGUMENTS, .tuned = true},
};
const size_t identical_case_count = sizeof identical_cases / sizeof *identical_cases;
