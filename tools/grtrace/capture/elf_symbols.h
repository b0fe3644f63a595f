/* SPDX-License-Identifier: GPL-2.0 */
/* The functions of programs and libraries, found by their build ids. */
#ifndef GRT_CAPTURE_ELF_SYMBOLS_H
#define GRT_CAPTURE_ELF_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "keymap.h"
#include "vec.h"

#define GRT_BUILD_ID	20	/* bytes; shorter ones end in zeros */

/* A program or library. */
struct grt_elf {
	uint8_t id[GRT_BUILD_ID];
	char *path;			/* as its process saw it; NULL: not known */
	char *open_path;		/* how to open it while that process lives */
	uint32_t searched_for;		/* the last process in whose memory it was looked for */
	int is_read;			/* the rest is filled in */
	struct grt_vec parts;		/* of its code: struct elf_part */
	struct grt_vec symbols;		/* struct elf_symbol, by address */
	struct grt_vec names;		/* texts, each with its NUL */
};

/* Zeroed memory is empty. */
struct grt_elfs {
	struct grt_vec all;		/* struct grt_elf *, owned */
	struct grt_keymap by_id;	/* the first 16 bytes of the build id */
	struct grt_keymap by_inode;	/* files that were looked at */
};

void grt_elfs_free(struct grt_elfs *e);

/*
 * The file with that build id, which process @tgid has in its memory.  It may have no path and no
 * symbols.  NULL without memory.
 */
struct grt_elf *grt_elfs_find(struct grt_elfs *e, const uint8_t id[GRT_BUILD_ID], uint32_t tgid);

/* The function at @offset of the file; NULL: not known.  Valid as long as @elf. */
const char *grt_elf_symbol(struct grt_elf *elf, uint64_t offset);

/*
 * Calls @each for every function of the program or library, in the order of their places in the file, until
 * it does not return 0.  Two names may have the same place.  Returns what @each did; or -errno with a cause.
 */
int grt_elf_functions(const char *path, int (*each)(void *arg, const char *name, uint64_t offset),
		      void *arg);

/* Writes the build id as hexadecimal digits, two for each byte, without zeros at its end. */
#define GRT_BUILD_ID_TEXT	(2 * GRT_BUILD_ID + 1)
const char *grt_build_id_text(char to[GRT_BUILD_ID_TEXT], const uint8_t id[GRT_BUILD_ID]);

#endif /* GRT_CAPTURE_ELF_SYMBOLS_H */
