// SPDX-License-Identifier: LGPL-2.1
#include "student.h"

#define STEPS	128	/* of an integral, an even number */
#define HALVINGS 60	/* of the place where the tail begins */

double grt_square_root(double x)
{
	double root = x > 1 ? x : 1;

	if (x <= 0)
		return 0;
	/* Newton's method comes from above, until it stops falling. */
	for (;;) {
		double next = (root + x / root) / 2;

		if (next >= root)
			return root;
		root = next;
	}
}

static double power(double x, unsigned int n)
{
	double product = 1;

	for (; n; n >>= 1, x *= x)
		if (n & 1)
			product *= x;
	return product;
}

/*
 * The density, with t = sqrt(df) s / sqrt(1 - s^2) and w = sqrt(1 - s), so that it is smooth
 * everywhere and the tail is what is left of w.
 */
static double density(unsigned int df, double w)
{
	double rest = 2 - w * w;

	/* rest to the power of df / 2 - 1 */
	return power(w, df - 1) * power(rest, df / 2) / rest *
	       (df & 1 ? grt_square_root(rest) : 1);
}

/* Simpson's rule from 0 to @w. */
static double area(unsigned int df, double w)
{
	double sum = density(df, 0) + density(df, w);

	for (int i = 1; i < STEPS; i++)
		sum += (i & 1 ? 4 : 2) * density(df, w * i / STEPS);
	return sum * w / (3 * STEPS);
}

double grt_student(unsigned int df, double tail)
{
	double low = 0, high = 1, half, s;

	if (df > GRT_STUDENT_MAX)
		df = GRT_STUDENT_MAX;
	half = area(df, 1);
	for (int i = 0; i < HALVINGS; i++) {
		double middle = (low + high) / 2;

		if (area(df, middle) < 2 * tail * half)
			low = middle;
		else
			high = middle;
	}
	s = 1 - low * low;
	return s * grt_square_root(df / ((1 - s) * (1 + s)));
}
