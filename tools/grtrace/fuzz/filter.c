// SPDX-License-Identifier: GPL-2.0
/* Filters as users type them: parsing, and their result for jobs. */
#include <string.h>

#include "error.h"
#include "filter.h"
#include "fuzz.h"
#include "rules.h"

/* A filter and its negation are never both true for a job. */
static void check_not(const struct grt_filter *f, const uint8_t *data, size_t bytes,
		      const struct grt_rules *rules)
{
	struct grt_filter *not_f;
	char *text = malloc(bytes + 3);

	if (!text)
		abort();
	memcpy(text, "!(", 2);
	memcpy(text + 2, data, bytes);
	text[2 + bytes] = ')';
	if (!grt_filter_create(&not_f, text, bytes + 3, rules)) {
		for (size_t i = 0; fuzz_view(i); i++)
			FUZZ_EXPECT(!grt_filter_matches(f, fuzz_view(i)) ||
				    !grt_filter_matches(not_f, fuzz_view(i)));
		grt_filter_destroy(not_f);
	}
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static struct grt_rules rules;
	struct grt_filter *f;

	if (!rules.count && grt_rules_read(&rules, grt_default_rules, "built-in"))
		abort();
	if (grt_filter_create_for_events(&f, (const char *)data, bytes))
		FUZZ_EXPECT(*grt_cause());
	else
		grt_filter_destroy(f);
	if (grt_filter_create(&f, (const char *)data, bytes, &rules)) {
		FUZZ_EXPECT(*grt_cause());
		return 0;
	}
	grt_filter_uses_labels(f);
	check_not(f, data, bytes, &rules);
	grt_filter_destroy(f);
	return 0;
}
