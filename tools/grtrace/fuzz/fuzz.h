/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the fuzz targets.  A target is a file with LLVMFuzzerTestOneInput() and a row in the
 * Makefile: with libFuzzer it is a fuzzer; with replay.c it is a program that reads the inputs in
 * corpus/ again.
 */
#ifndef GRT_FUZZ_H
#define GRT_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct grt_view;

/*
 * Every target defines LLVMFuzzerTestOneInput().  A target whose format has checksums also defines
 * LLVMFuzzerCustomMutator(), which renews them: otherwise the reader refuses every mutation.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t bytes, size_t room, unsigned int seed);

/* From libFuzzer. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t bytes, size_t room);

/* Must be true for any input. */
#define FUZZ_EXPECT(condition) \
	((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #condition))
void fuzz_fail(const char *file, int line, const char *condition) __attribute__((noreturn));

/*
 * Writes a file with these bytes, valid until the next call.  Returns its descriptor or its static
 * path.
 */
int fuzz_file(const uint8_t *data, size_t bytes);
const char *fuzz_path(void);

/* A file for output that nobody reads. */
FILE *fuzz_nowhere(void);

/* Reads the trace @path in every way, and checks the results. */
void fuzz_analyse(const char *path);

/* frames.c: for fuzz_analyse(). */
struct grt_trace_info;
void fuzz_frames(const char *path, const struct grt_trace_info *info);
/* memory.c */
void fuzz_memory(const char *path, const struct grt_trace_info *info);

/* Jobs with different known values; NULL after the last. */
const struct grt_view *fuzz_view(size_t i);

#endif /* GRT_FUZZ_H */
