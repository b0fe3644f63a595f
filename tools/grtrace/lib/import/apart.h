/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Runs code in a child process that a damaged file may crash or keep busy for ever: libtracecmd
 * and libtraceevent trust what they read.
 */
#ifndef GRT_APART_H
#define GRT_APART_H

struct grt_apart {
	const char *name;		/* of the file, for messages */
	void *arg;
	int (*work)(void *arg);		/* in the child: 0, or -errno with a cause */
	/*
	 * In the parent, until the child is done: 0, or -errno with a cause.  After a failure, and
	 * after 1, the result of the child does not count.  May be NULL.
	 */
	int (*meanwhile)(void *arg);
};

/* 0, or -errno with a cause: that of the work, or that it crashed or got stuck. */
int grt_apart_run(const struct grt_apart *a);

/* The work calls this now and then, or it is taken for stuck. */
void grt_apart_alive(void);

#endif /* GRT_APART_H */
