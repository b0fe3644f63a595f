// SPDX-License-Identifier: GPL-2.0
/* Text of ftrace, trace-cmd and perf: an import of it must be a valid trace. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "error.h"
#include "fuzz.h"
#include "import.h"
#include "reader.h"
#include "verify.h"

#define SLACK_NS	1

/* Checks that the output follows the rules of the format. */
static void check_sound(char *path)
{
	struct grt_verify *v;

	FUZZ_EXPECT(!grt_verify_files(&v, 1, &path, SLACK_NS));
	for (int i = 0; i < GRT_NR_CHECKS; i++) {
		const struct grt_check *c = grt_verify_check(v, i);

		if (c->violations)
			fprintf(stderr, "%s: %s\n", c->name, c->first);
		FUZZ_EXPECT(!c->violations);
	}
	grt_verify_free(v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	const struct grt_import_options options = {
		.keeps_marks = bytes % 2, .to_name = "output", .tick_hz = bytes % 8 ? 0 : 3000000000,
	};
	struct grt_import_sums sums;
	char path[64];
	int fd = fuzz_file(data, bytes), to, err;

	/* The target "dat" reads those. */
	if (grt_is_dat(data, bytes))
		return 0;
	snprintf(path, sizeof(path), "/dev/shm/fuzz-text-%d", getpid());
	to = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	FUZZ_EXPECT(to >= 0);
	err = grt_import_file(fd, "input", to, &options, &sums);
	close(to);
	FUZZ_EXPECT(!err || (err == -EBADMSG && *grt_cause()));
	if (!err) {
		check_sound(path);
		fuzz_analyse(path);
	}
	unlink(path);
	return 0;
}
