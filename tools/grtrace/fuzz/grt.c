// SPDX-License-Identifier: GPL-2.0
/* A .grt file, from its bytes to all printed output. */
#include "fuzz.h"
#include "mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	fuzz_file(data, bytes);
	fuzz_analyse(fuzz_path());
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t bytes, size_t room, unsigned int seed)
{
	struct mutation m = { seed };

	return mutate_grt(&m, data, bytes, room);
}
