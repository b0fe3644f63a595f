// SPDX-License-Identifier: GPL-2.0
#include "lockdown.h"

#include <stdio.h>
#include <string.h>

bool grt_capture_is_confidential(void)
{
	char text[64] = "";
	FILE *f = fopen("/sys/kernel/security/lockdown", "r");

	if (!f)
		return false;
	if (!fgets(text, sizeof(text), f))
		*text = '\0';
	fclose(f);
	return strstr(text, "[confidentiality]");
}
