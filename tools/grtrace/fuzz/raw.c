// SPDX-License-Identifier: GPL-2.0
/* Streams as read from eventsN, joined or single, to all printed output. */
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

	if (!mutation_below(&m, 4))
		return LLVMFuzzerMutate(data, bytes, room);
	return mutate_records(&m, data, bytes, room);
}
