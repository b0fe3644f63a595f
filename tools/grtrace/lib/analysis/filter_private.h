/* SPDX-License-Identifier: LGPL-2.1 */
/* The inside of a filter: comparisons and the operators that join them, a tree in an array. */
#ifndef GRT_FILTER_PRIVATE_H
#define GRT_FILTER_PRIVATE_H

#include "column.h"

#define FILTER_MAX_NODES	256
#define FILTER_MAX_DEPTH	32	/* of brackets and ! */
#define FILTER_MAX_BYTES	4096
#define FILTER_WHOLE		1000000	/* 100 % */

enum filter_op {
	FILTER_EQ, FILTER_NE, FILTER_LT, FILTER_LE, FILTER_GT, FILTER_GE,
	FILTER_NOT, FILTER_AND, FILTER_OR,	/* these have children */
};

struct filter_node {
	uint8_t op;		/* enum filter_op */
	bool is_share;		/* @number is a share, FILTER_WHOLE at most */
	uint16_t left, right;
	const struct grt_column *column;
	union {
		uint64_t number;	/* also a bit mask */
		int64_t status;
	};
	char *text;		/* owned; NULL: a number */
};

struct grt_filter {
	unsigned int nr_nodes, root;
	struct filter_node nodes[FILTER_MAX_NODES];
};

#endif /* GRT_FILTER_PRIVATE_H */
