// SPDX-License-Identifier: GPL-2.0
/* A function can do without the stack protector (6.4 and some stable kernels). */
#include <linux/compiler.h>

int probe(void);
__no_stack_protector int probe(void)
{
	return 0;
}
