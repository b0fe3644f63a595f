// SPDX-License-Identifier: GPL-2.0
/*
 * A connection to grtrace listen, from the hello to the end of its stream.  The bytes come in pieces of any size.  What
 * is in the file in the end must be a sound trace with each event that was counted.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "error.h"
#include "fuzz.h"
#include "listen_peer.h"
#include "mutate.h"
#include "verify.h"

#define MOST_PIECES	64

static char folder[] = "/tmp/fuzz-listen-XXXXXX";

static void remove_folder(void)
{
	rmdir(folder);
}

static bool is_taken(const void *arg, const char *path)
{
	(void)arg;
	(void)path;
	return false;
}

static void check_file(struct listen_peer *p)
{
	static const enum grt_check_id sound[] = {
		GRT_CHECK_RECORDS, GRT_CHECK_CHECKSUMS, GRT_CHECK_CHUNKS, GRT_CHECK_INDEX,
	};
	char *path = p->file.path;
	struct grt_verify *v;

	/* A stream of a later version is kept for those who can read it. */
	if (grt_verify_files(&v, 1, &path, 0)) {
		FUZZ_EXPECT(strstr(grt_cause(), "format version"));
	} else {
		FUZZ_EXPECT(grt_verify_sums(v).events == p->file.tally.events);
		for (size_t i = 0; i < sizeof(sound) / sizeof(*sound); i++)
			FUZZ_EXPECT(!grt_verify_check(v, sound[i])->violations);
		grt_verify_free(v);
	}
	FUZZ_EXPECT(!unlink(path));
}

/* Sends all of @data; the peer reads each piece.  False: the peer is done. */
static bool talk(struct listen_peer *p, int fd, const uint8_t *data, size_t bytes)
{
	struct mutation m = { bytes ? data[bytes / 2] : 0 };
	size_t most = bytes / (1 + mutation_below(&m, MOST_PIECES)) + 1;
	bool goes_on = true;

	for (size_t at = 0; goes_on && at < bytes; ) {
		size_t piece = 1 + mutation_below(&m, most);
		ssize_t sent = send(fd, data + at, piece < bytes - at ? piece : bytes - at, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (sent > 0)
			at += sent;
		else
			FUZZ_EXPECT(errno == EAGAIN);
		goes_on = peer_read(p) && peer_pass(p);
	}
	return goes_on;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static bool has_folder;
	struct listen_rules rules = {
		.folder = folder, .most_streams = 1, .is_taken = is_taken, .uid = getuid(), .gid = getgid(),
	};
	FILE *shown = stdout;
	struct listen_peer *p;
	int fds[2];

	if (!has_folder) {
		FUZZ_EXPECT(mkdtemp(folder));
		atexit(remove_folder);
		has_folder = true;
	}
	FUZZ_EXPECT(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds));
	p = peer_create(&rules, fds[0]);
	FUZZ_EXPECT(p);
	stdout = fuzz_nowhere();
	if (talk(p, fds[1], data, bytes)) {
		shutdown(fds[1], SHUT_WR);
		while (peer_read(p))
			;
	}
	stdout = shown;
	close(fds[1]);
	FUZZ_EXPECT(rules.begun == rules.ended && rules.begun == p->has_begun);
	if (p->has_begun)
		check_file(p);
	peer_destroy(p);
	return 0;
}

/* Mostly keeps the line before the stream.  Records are mutated in a block of their own, where they are aligned. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t bytes, size_t room, unsigned int seed)
{
	struct mutation m = { seed };
	const uint8_t *end = bytes && *data == 'g' ? memchr(data, '\n', bytes) : NULL;
	size_t hello = end ? end + 1 - data : 0;
	uint8_t *stream;

	if (!mutation_below(&m, 4) || hello == room)
		return LLVMFuzzerMutate(data, bytes, room);
	stream = malloc(room - hello);
	FUZZ_EXPECT(stream);
	memcpy(stream, data + hello, bytes - hello);
	bytes = mutate_records(&m, stream, bytes - hello, room - hello);
	memcpy(data + hello, stream, bytes);
	free(stream);
	return hello + bytes;
}
