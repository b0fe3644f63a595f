// SPDX-License-Identifier: GPL-2.0
/* Reads the head of a trace.dat, up to its options. */
#include "dat_head.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct grt_vec options = { 0 };
	int fd = fuzz_file(data, bytes);

	if (grt_dat_options(fd, &options))
		for (size_t i = 0; i < grt_vec_count(&options, struct grt_dat_option); i++) {
			const struct grt_dat_option *o =
				grt_vec_at(&options, struct grt_dat_option, i);

			FUZZ_EXPECT(o->at + 6 <= bytes);
			/*
			 * A size must never make a reader read or allocate more than the file has.
			 */
			FUZZ_EXPECT(!grt_dat_is_stray(o) || o->bytes <= bytes - o->at - 6);
		}
	grt_vec_free(&options);
	return 0;
}
