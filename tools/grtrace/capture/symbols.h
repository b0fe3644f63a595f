/* SPDX-License-Identifier: GPL-2.0 */
/* Addresses of the running kernel. */
#ifndef GRT_CAPTURE_SYMBOLS_H
#define GRT_CAPTURE_SYMBOLS_H

#include <stdint.h>

/*
 * Where the symbol @name of the kernel itself begins, and in *@end where the next one does; @end
 * may be NULL.  0: there is none, or it is not for us.
 */
uint64_t grt_capture_symbol(const char *name, uint64_t *end);

/* Likewise, where the symbol @name of a module begins. */
uint64_t grt_capture_module_symbol(const char *module, const char *name);

#endif /* GRT_CAPTURE_SYMBOLS_H */
