/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A spinlock in bit 0 of a word, for the hot path.
 *
 * It is taken and given back inline, so the caller makes no call for it: that saves 20
 * to 34 instructions per event against a raw_spinlock_t.  It is not fair, so it is for locks
 * that are held for a few dozen instructions.  Interrupts are off.  Lockdep does not see it:
 * who takes a lock inside tells lockdep (jobs.h).
 */
#ifndef _GRTRACE_BITLOCK_H
#define _GRTRACE_BITLOCK_H

#include <linux/bitops.h>
#include <linux/processor.h>

static __always_inline bool grt_bit_trylock(unsigned long *word)
{
	return likely(!test_and_set_bit_lock(0, word));
}

static __always_inline void grt_bit_lock(unsigned long *word)
{
	while (!grt_bit_trylock(word))
		cpu_relax();
}

static __always_inline void grt_bit_unlock(unsigned long *word)
{
	clear_bit_unlock(0, word);
}

#endif
