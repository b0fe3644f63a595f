// SPDX-License-Identifier: GPL-2.0
/* Files of rules, and the labels of their jobs. */
#include <string.h>

#include "column.h"
#include "error.h"
#include "fuzz.h"
#include "rules.h"

static void label(const struct grt_rules *rules)
{
	char names[GRT_CELL_MAX];

	for (size_t i = 0; fuzz_view(i); i++) {
		struct grt_view view = *fuzz_view(i);

		view.rules = rules;
		view.labels = grt_rules_labels(rules, &view);
		FUZZ_EXPECT(view.labels >> rules->count == 0);
		FUZZ_EXPECT(strlen(grt_rules_names(rules, view.labels, names)) < sizeof(names));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct grt_rules rules = { 0 };
	char *text = strndup((const char *)data, bytes);

	if (!text || grt_rules_read(&rules, grt_default_rules, "built-in"))
		abort();
	if (grt_rules_read(&rules, text, "input"))
		FUZZ_EXPECT(*grt_cause());
	FUZZ_EXPECT(rules.count <= GRT_MAX_RULES);
	label(&rules);
	for (unsigned int i = rules.count; i--; label(&rules))
		FUZZ_EXPECT(!grt_rules_off(&rules, rules.rules[i].name));
	grt_rules_free(&rules);
	free(text);
	return 0;
}
