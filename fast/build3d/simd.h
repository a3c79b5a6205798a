/* SPDX-License-Identifier: MIT */
/* Vectors of the width that the level of the processor has, for the kernels. */
#ifndef VX_FAST_SIMD_H
#define VX_FAST_SIMD_H

#include "fast.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

#if defined __AVX512BW__
#define VECTOR 64
#elif defined __AVX2__
#define VECTOR 32
#else
#define VECTOR 16
#endif

/* Numbers with a sign of 16 bits, and as many of 8. */
typedef int16_t words __attribute__((vector_size(VECTOR)));
typedef int16_t words_at __attribute__((vector_size(VECTOR), aligned(2), may_alias));
typedef int8_t halves __attribute__((vector_size(VECTOR / 2)));
typedef int8_t halves_at __attribute__((vector_size(VECTOR / 2), aligned(1), may_alias));
/* Bytes, at most the 32 of a layer. */
enum { WORDS = VECTOR / 2, BYTES = VECTOR < 32 ? VECTOR : 32 };
typedef uint8_t bytes __attribute__((vector_size(BYTES)));
typedef uint8_t bytes_at __attribute__((vector_size(BYTES), aligned(1), may_alias));

static inline words load_words(const uint16_t *from)
{
    return *(const words_at *)from;
}

static inline void store_words(uint16_t *to, words value)
{
    *(words_at *)to = value;
}

static inline words load_halves(const uint8_t *from)
{
#if defined __AVX512BW__
    /* What gcc makes of this takes five instructions. */
    return (words)_mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i *)(const void *)from));
#elif defined __AVX2__
    return (words)_mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)from));
#else
    return __builtin_convertvector(*(const halves_at *)from, words);
#endif
}

static inline void store_halves(uint8_t *to, words value)
{
#if defined __AVX512BW__
    _mm256_storeu_si256((__m256i *)(void *)to, _mm512_cvtepi16_epi8((__m512i)value));
#else
    *(halves_at *)to = __builtin_convertvector(value, halves);
#endif
}

static inline words all_words(int32_t value)
{
    return (words){0} + (int16_t)value;
}

static inline words choose_words(words mask, words yes, words no)
{
    return (mask & yes) | (~mask & no);
}

static inline words least_words(words a, words b)
{
#if defined __AVX512BW__
    return (words)_mm512_min_epi16((__m512i)a, (__m512i)b);
#elif defined __AVX2__
    return (words)_mm256_min_epi16((__m256i)a, (__m256i)b);
#elif defined __SSE2__
    return (words)_mm_min_epi16((__m128i)a, (__m128i)b);
#else
    return choose_words(a < b, a, b);
#endif
}

static inline words most_words(words a, words b)
{
#if defined __AVX512BW__
    return (words)_mm512_max_epi16((__m512i)a, (__m512i)b);
#elif defined __AVX2__
    return (words)_mm256_max_epi16((__m256i)a, (__m256i)b);
#elif defined __SSE2__
    return (words)_mm_max_epi16((__m128i)a, (__m128i)b);
#else
    return choose_words(a < b, b, a);
#endif
}

/* Whether any lane of a mask is set. */
static inline bool any_words(words mask)
{
#if defined __AVX512BW__
    return _mm512_movepi16_mask((__m512i)mask) != 0;
#elif defined __AVX2__
    return _mm256_movemask_epi8((__m256i)mask) != 0;
#elif defined __SSE2__
    return _mm_movemask_epi8((__m128i)mask) != 0;
#else
    int16_t set = 0;
    for (int i = 0; i < WORDS; i++) {
        set |= mask[i];
    }
    return set != 0;
#endif
}

/* The lanes of a mask as bits. */
static inline uint32_t bits_of_words(words mask)
{
#if defined __AVX512BW__
    return _mm512_movepi16_mask((__m512i)mask);
#elif defined __AVX2__
    uint32_t bits =
        (uint32_t)_mm256_movemask_epi8(_mm256_packs_epi16((__m256i)mask, _mm256_setzero_si256()));
    return (bits & 0xFF) | (bits >> 8 & 0xFF00);
#elif defined __SSE2__
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16((__m128i)mask, _mm_setzero_si128()));
#else
    uint32_t bits = 0;
    for (int i = 0; i < WORDS; i++) {
        bits |= (uint32_t)(mask[i] != 0) << i;
    }
    return bits;
#endif
}

/* What a comparison of words says of each lane: a bit at AVX-512, else all bits of the lane. Masks
 * combine by &, | and ~. */
#if defined __AVX512BW__
typedef __mmask32 word_mask;
#else
typedef words word_mask;
#endif

static inline word_mask above_words(words a, words b)
{
#if defined __AVX512BW__
    return _mm512_cmpgt_epi16_mask((__m512i)a, (__m512i)b);
#else
    return a > b;
#endif
}

static inline words pick_words(word_mask mask, words yes, words no)
{
#if defined __AVX512BW__
    return (words)_mm512_mask_blend_epi16(mask, (__m512i)no, (__m512i)yes);
#elif defined __AVX2__
    return (words)_mm256_blendv_epi8((__m256i)no, (__m256i)yes, (__m256i)mask);
#else
    return choose_words(mask, yes, no);
#endif
}

/* The lanes of a mask as bits, and as words that are 1 or 0. */
static inline uint32_t bits_of_mask(word_mask mask)
{
#if defined __AVX512BW__
    return mask;
#else
    return bits_of_words(mask);
#endif
}

static inline words ones_of_mask(word_mask mask)
{
#if defined __AVX512BW__
    return (words)_mm512_maskz_set1_epi16(mask, 1);
#else
    return -mask;
#endif
}

/* The value where the mask is set, elsewhere 0. */
static inline words keep_words(word_mask mask, words value)
{
#if defined __AVX512BW__
    return (words)_mm512_maskz_mov_epi16(mask, (__m512i)value);
#else
    return mask & value;
#endif
}

static inline bool any_mask(word_mask mask)
{
#if defined __AVX512BW__
    return mask != 0;
#else
    return any_words(mask);
#endif
}

/* Parts the lower and the upper halves of as many numbers of 32 bits, none of which reaches 2^15.
 */
static inline void load_pairs(const uint32_t *from, words *low, words *high)
{
#if defined __AVX512BW__
    words a = *(const words_at *)from;
    words b = *(const words_at *)(from + 16);
    *low = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30,
                                   32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62);
    *high = __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31,
                                    33, 35, 37, 39, 41, 43, 45, 47, 49, 51, 53, 55, 57, 59, 61, 63);
#elif defined __AVX2__
    __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)from);
    __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(from + 8));
    __m256i lower = _mm256_set1_epi32(0xFFFF);
    __m256i parted = _mm256_packs_epi32(_mm256_and_si256(a, lower), _mm256_and_si256(b, lower));
    *low = (words)_mm256_permute4x64_epi64(parted, 0xD8);
    parted = _mm256_packs_epi32(_mm256_srli_epi32(a, 16), _mm256_srli_epi32(b, 16));
    *high = (words)_mm256_permute4x64_epi64(parted, 0xD8);
#elif defined __SSE2__
    __m128i a = _mm_loadu_si128((const __m128i *)(const void *)from);
    __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(from + 4));
    __m128i lower = _mm_set1_epi32(0xFFFF);
    *low = (words)_mm_packs_epi32(_mm_and_si128(a, lower), _mm_and_si128(b, lower));
    *high = (words)_mm_packs_epi32(_mm_srli_epi32(a, 16), _mm_srli_epi32(b, 16));
#else
    for (int i = 0; i < WORDS; i++) {
        (*low)[i] = (int16_t)(from[i] & 0xFFFF);
        (*high)[i] = (int16_t)(from[i] >> 16);
    }
#endif
}

/* The lanes moved one up, behind first, and one down, before last. */
static inline words raise_words(words of, uint16_t first)
{
#if defined __AVX512BW__
    const words from = {0,  0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,
                        15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30};
    return (words)_mm512_mask_permutexvar_epi16((__m512i)all_words(first), ~UINT32_C(1),
                                                (__m512i)from, (__m512i)of);
#elif defined __AVX2__
    __m256i below = _mm256_permute2x128_si256((__m256i)of, (__m256i)of, 0x08);
    return (words)_mm256_insert_epi16(_mm256_alignr_epi8((__m256i)of, below, 14), (int16_t)first,
                                      0);
#elif defined __SSE2__
    return (words)_mm_insert_epi16(_mm_slli_si128((__m128i)of, 2), (int16_t)first, 0);
#else
    words raised;
    for (int i = 0; i < WORDS; i++) {
        raised[i] = i > 0 ? of[i - 1] : (int16_t)first;
    }
    return raised;
#endif
}

static inline words lower_words(words of, uint16_t last)
{
#if defined __AVX512BW__
    const words from = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
                        17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 31};
    return (words)_mm512_mask_permutexvar_epi16((__m512i)all_words(last), UINT32_MAX >> 1,
                                                (__m512i)from, (__m512i)of);
#elif defined __AVX2__
    __m256i above = _mm256_permute2x128_si256((__m256i)of, (__m256i)of, 0x81);
    return (words)_mm256_insert_epi16(_mm256_alignr_epi8(above, (__m256i)of, 2), (int16_t)last,
                                      WORDS - 1);
#elif defined __SSE2__
    return (words)_mm_insert_epi16(_mm_srli_si128((__m128i)of, 2), (int16_t)last, WORDS - 1);
#else
    words lowered;
    for (int i = 0; i < WORDS; i++) {
        lowered[i] = i + 1 < WORDS ? of[i + 1] : (int16_t)last;
    }
    return lowered;
#endif
}

static inline bytes load_bytes(const uint8_t *from)
{
    return *(const bytes_at *)from;
}

static inline void store_bytes(uint8_t *to, bytes value)
{
    *(bytes_at *)to = value;
}

static inline bytes all_bytes(uint32_t value)
{
    return (bytes){0} + (uint8_t)value;
}

static inline bytes choose_bytes(bytes mask, bytes yes, bytes no)
{
    return (mask & yes) | (~mask & no);
}

/* The lanes of a mask as bits. */
static inline uint32_t bits_of_bytes(bytes mask)
{
#if defined __AVX2__
    return (uint32_t)_mm256_movemask_epi8((__m256i)mask);
#elif defined __SSE2__
    return (uint32_t)_mm_movemask_epi8((__m128i)mask);
#else
    uint32_t bits = 0;
    for (int i = 0; i < BYTES; i++) {
        bits |= (uint32_t)(mask[i] != 0) << i;
    }
    return bits;
#endif
}

/* The lowest bits as a mask. */
static inline bytes bytes_of_bits(uint32_t bits)
{
#if defined __AVX512BW__
    return (bytes)_mm256_movm_epi8(bits);
#elif defined __AVX2__
    const bytes from = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1,
                        2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3};
    __m256i each = _mm256_set1_epi64x((int64_t)0x8040201008040201);
    __m256i spread = _mm256_shuffle_epi8(_mm256_set1_epi32((int32_t)bits), (__m256i)from);
    return (bytes)_mm256_cmpeq_epi8(_mm256_and_si256(spread, each), each);
#elif defined __SSE2__
    __m128i each = _mm_set1_epi64x((int64_t)0x8040201008040201);
    __m128i spread = _mm_cvtsi32_si128((int32_t)bits);
    spread = _mm_unpacklo_epi8(spread, spread);
    spread = _mm_shuffle_epi32(_mm_shufflelo_epi16(spread, 0x50), 0x50);
    return (bytes)_mm_cmpeq_epi8(_mm_and_si128(spread, each), each);
#else
    bytes mask;
    for (int i = 0; i < BYTES; i++) {
        mask[i] = (uint8_t) - (bits >> i & 1);
    }
    return mask;
#endif
}

/* binary32 numbers, and integers and masks of their width. */
enum { LANES = VECTOR / 4 };
typedef float floats __attribute__((vector_size(VECTOR)));
typedef int32_t ints __attribute__((vector_size(VECTOR)));
typedef float floats_at __attribute__((vector_size(VECTOR), aligned(4), may_alias));
typedef int32_t ints_at __attribute__((vector_size(VECTOR), aligned(4), may_alias));

static inline floats load_floats(const float *from)
{
    return *(const floats_at *)from;
}

static inline void store_floats(float *to, floats value)
{
    *(floats_at *)to = value;
}

static inline ints load_ints(const int32_t *from)
{
    return *(const ints_at *)from;
}

static inline void store_ints(int32_t *to, ints value)
{
    *(ints_at *)to = value;
}

static inline floats all_floats(float value)
{
    return (floats){0} + value;
}

static inline ints all_ints(int32_t value)
{
    return (ints){0} + value;
}

static inline floats choose_floats(ints mask, floats yes, floats no)
{
    return (floats)((mask & (ints)yes) | (~mask & (ints)no));
}

static inline ints choose_ints(ints mask, ints yes, ints no)
{
    return (mask & yes) | (~mask & no);
}

/* b where a is NaN. */
static inline floats least_floats(floats a, floats b)
{
#if defined __AVX512BW__
    return (floats)_mm512_min_ps((__m512)a, (__m512)b);
#elif defined __AVX2__
    return (floats)_mm256_min_ps((__m256)a, (__m256)b);
#elif defined __SSE2__
    return (floats)_mm_min_ps((__m128)a, (__m128)b);
#else
    return choose_floats(a < b, a, b);
#endif
}

static inline floats most_floats(floats a, floats b)
{
#if defined __AVX512BW__
    return (floats)_mm512_max_ps((__m512)a, (__m512)b);
#elif defined __AVX2__
    return (floats)_mm256_max_ps((__m256)a, (__m256)b);
#elif defined __SSE2__
    return (floats)_mm_max_ps((__m128)a, (__m128)b);
#else
    return choose_floats(a > b, a, b);
#endif
}

/* The integers next below and above numbers that are within their range. */
static inline ints floors(floats of)
{
#if defined __AVX512BW__
    return (ints)_mm512_cvt_roundps_epi32((__m512)of, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
#elif defined __AVX2__
    return (ints)_mm256_cvtps_epi32(_mm256_floor_ps((__m256)of));
#else
    ints cut = __builtin_convertvector(of, ints);
    return cut + (__builtin_convertvector(cut, floats) > of);
#endif
}

static inline ints ceilings(floats of)
{
#if defined __AVX512BW__
    return (ints)_mm512_cvt_roundps_epi32((__m512)of, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
#elif defined __AVX2__
    return (ints)_mm256_cvtps_epi32(_mm256_ceil_ps((__m256)of));
#else
    ints cut = __builtin_convertvector(of, ints);
    return cut - (__builtin_convertvector(cut, floats) < of);
#endif
}

/* Both. */
typedef struct whole {
    ints below, above;
} whole;

static inline whole whole_of(floats of)
{
    return (whole){floors(of), ceilings(of)};
}

static inline ints least_ints(ints a, ints b)
{
#if defined __AVX512BW__
    return (ints)_mm512_min_epi32((__m512i)a, (__m512i)b);
#elif defined __AVX2__
    return (ints)_mm256_min_epi32((__m256i)a, (__m256i)b);
#else
    return choose_ints(a < b, a, b);
#endif
}

static inline ints most_ints(ints a, ints b)
{
#if defined __AVX512BW__
    return (ints)_mm512_max_epi32((__m512i)a, (__m512i)b);
#elif defined __AVX2__
    return (ints)_mm256_max_epi32((__m256i)a, (__m256i)b);
#else
    return choose_ints(a > b, a, b);
#endif
}

static inline floats roots(floats of)
{
#if defined __AVX512BW__
    return (floats)_mm512_sqrt_ps((__m512)of);
#elif defined __AVX2__
    return (floats)_mm256_sqrt_ps((__m256)of);
#elif defined __SSE2__
    return (floats)_mm_sqrt_ps((__m128)of);
#else
    for (int i = 0; i < LANES; i++) {
        of[i] = sqrtf(of[i]);
    }
    return of;
#endif
}

/* As word_mask, for numbers of 32 bits. */
#if defined __AVX512BW__
typedef __mmask16 lane_mask;
#else
typedef ints lane_mask;
#endif

/* The lanes of a that are not among b's. */
static inline lane_mask and_not(lane_mask a, lane_mask b)
{
#if defined __AVX512BW__
    return _kandn_mask16(b, a);
#else
    return a & ~b;
#endif
}

static inline lane_mask below_floats(floats a, floats b)
{
#if defined __AVX512BW__
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ);
#else
    return a < b;
#endif
}

static inline lane_mask at_most_floats(floats a, floats b)
{
#if defined __AVX512BW__
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LE_OQ);
#else
    return a <= b;
#endif
}

static inline lane_mask equal_floats(floats a, floats b)
{
#if defined __AVX512BW__
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_EQ_OQ);
#else
    return a == b;
#endif
}

static inline lane_mask below_ints(ints a, ints b)
{
#if defined __AVX512BW__
    return _mm512_cmplt_epi32_mask((__m512i)a, (__m512i)b);
#else
    return a < b;
#endif
}

static inline lane_mask equal_ints(ints a, ints b)
{
#if defined __AVX512BW__
    return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
#else
    return a == b;
#endif
}

static inline floats pick_floats(lane_mask mask, floats yes, floats no)
{
#if defined __AVX512BW__
    return (floats)_mm512_mask_blend_ps((__mmask16)mask, (__m512)no, (__m512)yes);
#elif defined __AVX2__
    return (floats)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)mask);
#else
    return choose_floats(mask, yes, no);
#endif
}

static inline ints pick_ints(lane_mask mask, ints yes, ints no)
{
    return (ints)pick_floats(mask, (floats)yes, (floats)no);
}

/* Two vectors interleaved: a0, b0, a1, b1, … */
static inline void zip_ints(ints a, ints b, ints *low, ints *high)
{
#if VECTOR == 64
    *low = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    *high =
        __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
#elif VECTOR == 32
    *low = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
    *high = __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
#else
    *low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    *high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
#endif
}

/* The value where the mask is set, elsewhere 0. */
static inline ints keep_ints(lane_mask mask, ints value)
{
#if defined __AVX512BW__
    return (ints)_mm512_maskz_mov_epi32((__mmask16)mask, (__m512i)value);
#else
    return mask & value;
#endif
}

/* The value, by one more or less where the mask is set. */
static inline ints more_where(lane_mask mask, ints value)
{
#if defined __AVX512BW__
    return (ints)_mm512_mask_add_epi32((__m512i)value, mask, (__m512i)value, _mm512_set1_epi32(1));
#else
    return value - mask;
#endif
}

static inline ints less_where(lane_mask mask, ints value)
{
#if defined __AVX512BW__
    return (ints)_mm512_mask_sub_epi32((__m512i)value, mask, (__m512i)value, _mm512_set1_epi32(1));
#else
    return value + mask;
#endif
}

static inline floats keep_floats(lane_mask mask, floats value)
{
    return (floats)keep_ints(mask, (ints)value);
}

/* One of some values, each where its mask is set; in lanes without one, anything. */
static inline floats first_of(lane_mask mask, floats value)
{
#if defined __AVX512BW__
    (void)mask;
    return value;
#else
    return keep_floats(mask, value);
#endif
}

static inline floats next_of(floats before, lane_mask mask, floats value)
{
#if defined __AVX512BW__
    return pick_floats(mask, value, before);
#else
    return (floats)((ints)before | (mask & (ints)value));
#endif
}

/* The value where the mask is set, elsewhere NaN, which no comparison holds for. */
static inline floats nan_unless(lane_mask mask, floats value)
{
#if defined __AVX512BW__
    return pick_floats(mask, value, (floats)all_ints(-1));
#else
    return (floats)((ints)value | ~mask);
#endif
}

/* Numbers without their signs. */
static inline floats sizes(floats of)
{
    return (floats)((ints)of & INT32_MAX);
}

/* a, or unless the mask is set the lesser, or the greater, of a and b. */
static inline floats least_unless(lane_mask mask, floats a, floats b)
{
#if defined __AVX512BW__
    return (floats)_mm512_mask_min_ps((__m512)a, (__mmask16)~mask, (__m512)a, (__m512)b);
#else
    return least_floats((floats)((ints)b | mask), a);
#endif
}

static inline floats most_unless(lane_mask mask, floats a, floats b)
{
#if defined __AVX512BW__
    return (floats)_mm512_mask_max_ps((__m512)a, (__mmask16)~mask, (__m512)a, (__m512)b);
#else
    return most_floats((floats)((ints)b | mask), a);
#endif
}

static inline lane_mask all_lanes(void)
{
#if defined __AVX512BW__
    return 0xFFFF;
#else
    return all_ints(-1);
#endif
}

static inline lane_mask no_lanes(void)
{
    return ~all_lanes();
}

/* The lanes of a mask as bits. */
static inline uint32_t bits_of_ints(ints mask)
{
#if defined __AVX512BW__
    return _mm512_movepi32_mask((__m512i)mask);
#elif defined __AVX2__
    return (uint32_t)_mm256_movemask_ps((__m256)mask);
#elif defined __SSE2__
    return (uint32_t)_mm_movemask_ps((__m128)mask);
#else
    uint32_t bits = 0;
    for (int i = 0; i < LANES; i++) {
        bits |= (uint32_t)(mask[i] != 0) << i;
    }
    return bits;
#endif
}

/* The lanes of a mask as bits. */
static inline uint32_t bits_of_lanes(lane_mask mask)
{
#if defined __AVX512BW__
    return mask & 0xFFFF;
#else
    return bits_of_ints(mask);
#endif
}

/* Numbers of 64 bits, or pairs of numbers of 32, where such can be gathered. */
#if defined __AVX2__
#define HAS_LONGS 1
enum { LONGS = VECTOR / 8 };
typedef uint64_t longs __attribute__((vector_size(VECTOR)));
#if defined __AVX512BW__
typedef __mmask8 long_mask;
#else
typedef longs long_mask;
#endif

/* Numbers of 32 bits, each as the lower half of one of 64; the second one stores lower halves. */
static inline longs load_lower(const uint32_t *from)
{
#if defined __AVX512BW__
    return (longs)_mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)(const void *)from));
#else
    return (longs)_mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)(const void *)from));
#endif
}

static inline void store_lower(uint32_t *to, longs of)
{
#if defined __AVX512BW__
    _mm256_storeu_si256((__m256i *)(void *)to, _mm512_cvtepi64_epi32((__m512i)of));
#else
    __m256i lower =
        _mm256_permutevar8x32_epi32((__m256i)of, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
    _mm_storeu_si128((__m128i *)(void *)to, _mm256_castsi256_si128(lower));
#endif
}

#pragma GCC diagnostic push
/* Without optimisation gcc's gathers are macros, which pass a mask as a signed number. */
#pragma GCC diagnostic ignored "-Wsign-conversion"

/* The number from[i], as a lower half, for each i of at. */
static inline longs gather_lower(const uint32_t *from, longs at)
{
#if defined __AVX512BW__
    return (longs)_mm512_cvtepu32_epi64(_mm512_i64gather_epi32((__m512i)at, from, 4));
#else
    const int *ints_from = (const int *)from;
    return (longs)_mm256_cvtepu32_epi64(_mm256_i64gather_epi32(ints_from, (__m256i)at, 4));
#endif
}

/* The i-th number behind from, for each i of at; where the mask is not set, 0, and nothing is read.
 */
static inline longs gather_longs(const void *from, longs at, long_mask mask)
{
#if defined __AVX512BW__
    return (longs)_mm512_mask_i64gather_epi64(_mm512_setzero_si512(), mask, (__m512i)at, from, 8);
#else
    return (longs)_mm256_mask_i64gather_epi64(_mm256_setzero_si256(), from, (__m256i)at,
                                              (__m256i)mask, 8);
#endif
}

static inline longs gather_all(const void *from, longs at)
{
#if defined __AVX512BW__
    return (longs)_mm512_i64gather_epi64((__m512i)at, from, 8);
#else
    return (longs)_mm256_i64gather_epi64(from, (__m256i)at, 8);
#endif
}

#pragma GCC diagnostic pop

/* Numbers below 2^63. */
static inline long_mask above_longs(longs a, longs b)
{
#if defined __AVX512BW__
    return _mm512_cmpgt_epi64_mask((__m512i)a, (__m512i)b);
#else
    return (longs)_mm256_cmpgt_epi64((__m256i)a, (__m256i)b);
#endif
}

static inline bool any_longs(long_mask mask)
{
#if defined __AVX512BW__
    return mask != 0;
#else
    return _mm256_testz_si256((__m256i)mask, (__m256i)mask) == 0;
#endif
}

/* Which longs are not 0, a bit each. */
static inline uint32_t bits_of_longs(longs of)
{
#if defined __AVX512BW__
    return _mm512_test_epi64_mask((__m512i)of, (__m512i)of);
#else
    return (uint32_t)_mm256_movemask_pd((__m256d)(of != 0));
#endif
}

/* One more where the mask is set. */
static inline longs more_longs(long_mask mask, longs of)
{
#if defined __AVX512BW__
    return (longs)_mm512_mask_add_epi64((__m512i)of, mask, (__m512i)of, _mm512_set1_epi64(1));
#else
    return of - mask;
#endif
}

/* Turned to the left, by the lowest 6 bits of by. */
static inline longs turn_longs(longs of, longs by)
{
#if defined __AVX512BW__
    return (longs)_mm512_rolv_epi64((__m512i)of, (__m512i)by);
#else
    by &= 63;
    return (longs)_mm256_or_si256(_mm256_sllv_epi64((__m256i)of, (__m256i)by),
                                  _mm256_srlv_epi64((__m256i)of, (__m256i)(64 - by)));
#endif
}

/* The lower halves in both halves. */
static inline longs lower_twice(longs of)
{
#if defined __AVX512BW__
    return (longs)_mm512_shuffle_epi32((__m512i)of, _MM_PERM_CCAA);
#else
    return (longs)_mm256_shuffle_epi32((__m256i)of, 0xA0);
#endif
}

/* a0 and b0, a2 and b2, …; a1 and b1, a3 and b3, … */
static inline void store_zipped(void *to, longs a, longs b)
{
#if defined __AVX512BW__
    _mm512_storeu_si512(to, _mm512_unpacklo_epi64((__m512i)a, (__m512i)b));
    _mm512_storeu_si512((uint8_t *)to + VECTOR, _mm512_unpackhi_epi64((__m512i)a, (__m512i)b));
#else
    _mm256_storeu_si256((__m256i *)to, _mm256_unpacklo_epi64((__m256i)a, (__m256i)b));
    _mm256_storeu_si256((__m256i *)to + 1, _mm256_unpackhi_epi64((__m256i)a, (__m256i)b));
#endif
}
#endif

/* At every level: four binary32 numbers, two of binary64, and what comparisons of these say. */
typedef float four __attribute__((vector_size(16)));
typedef double pair __attribute__((vector_size(16)));
typedef int64_t pair_mask __attribute__((vector_size(16)));

static inline four load_four(const float *from)
{
    four value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline pair load_pair(const double *from)
{
    pair value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline four narrow(pair low, pair high)
{
#ifdef __SSE2__
    return (four)_mm_movelh_ps(_mm_cvtpd_ps((__m128d)low), _mm_cvtpd_ps((__m128d)high));
#else
    return (four){(float)low[0], (float)low[1], (float)high[0], (float)high[1]};
#endif
}

#endif
