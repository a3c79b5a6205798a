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
    return __builtin_convertvector(*(const halves_at *)from, words);
}

static inline void store_halves(uint8_t *to, words value)
{
    *(halves_at *)to = __builtin_convertvector(value, halves);
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

static inline bytes least_bytes(bytes a, bytes b)
{
#if defined __AVX2__
    return (bytes)_mm256_min_epu8((__m256i)a, (__m256i)b);
#elif defined __SSE2__
    return (bytes)_mm_min_epu8((__m128i)a, (__m128i)b);
#else
    return choose_bytes((bytes)(a < b), a, b);
#endif
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

/* Of numbers that are not NaN. */
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

#endif
