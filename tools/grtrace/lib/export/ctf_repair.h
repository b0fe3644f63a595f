/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Recovers a CTF trace of grtrace export whose files were cut, as by a full disk or a broken copy.
 * Readers refuse a trace in which one stream ends within a packet.
 */
#ifndef GRT_CTF_REPAIR_H
#define GRT_CTF_REPAIR_H

#include <stdbool.h>
#include <stdint.h>

struct ctf_repair {
	/* Filled in by the caller; may be NULL: told of each file with bytes that are left out. */
	void (*found)(void *arg, const char *file, uint64_t offset, uint64_t bytes);
	void *arg;

	uint64_t streams, packets, bytes;	/* kept */
	uint64_t lost_bytes;
};

/* Whether @path is a folder. */
bool ctf_repair_takes(const char *path);

/*
 * Copies the whole packets at the start of each stream to the new folder @to.  0, or -errno with a
 * cause and no folder; -EBADMSG if @from is no CTF trace of grtrace.
 */
int ctf_repair_folder(struct ctf_repair *r, const char *from, const char *to);

#endif /* GRT_CTF_REPAIR_H */
