/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What fuzz targets are made of.  A target is a file with LLVMFuzzerTestOneInput() and a
 * row in the Makefile: with libFuzzer it is a fuzzer, with replay.c a program that takes
 * what is kept in corpus/ once more.
 */
#ifndef GRT_FUZZ_H
#define GRT_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct grt_view;

/* A target's own two, the second where a blind one would not get past checksums. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t bytes, size_t room, unsigned int seed);

/* libFuzzer's. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t bytes, size_t room);

/* What must hold whatever comes in. */
#define FUZZ_EXPECT(condition) \
	((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #condition))
void fuzz_fail(const char *file, int line, const char *condition) __attribute__((noreturn));

/* A file with these bytes, until the next call: its descriptor, and its path, static. */
int fuzz_file(const uint8_t *data, size_t bytes);
const char *fuzz_path(void);

/* Where output goes that nobody reads. */
FILE *fuzz_nowhere(void);

/* Reads the trace @path in every way there is, and checks what must hold. */
void fuzz_analyse(const char *path);

/* Jobs that differ in what is known of them; NULL past the last. */
const struct grt_view *fuzz_view(size_t i);

#endif /* GRT_FUZZ_H */
