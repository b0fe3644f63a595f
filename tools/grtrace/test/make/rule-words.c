// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the words of the module's rules, one "KIND WORD" per line: metric, stage (known to
 * reports only), op, unit, action.
 */
#include <stdio.h>

#include "rule.c"

int main(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(metrics); i++)
		printf("metric %s\n", metrics[i].name);
	for (size_t i = 0; i < ARRAY_SIZE(elsewhere); i++)
		printf("stage %s\n", elsewhere[i]);
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
		printf("op %s\n", ops[i].sign);
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		printf("unit %s\n", units[i].unit);
	for (size_t i = 0; i < ARRAY_SIZE(actions); i++)
		printf("action %s\n", actions[i].name);
	return 0;
}
