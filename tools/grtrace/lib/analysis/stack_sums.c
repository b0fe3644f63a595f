// SPDX-License-Identifier: LGPL-2.1
#include "stack_sums.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

/* Jobs of one process row from the same two stacks, as a job has them. */
struct stack_row {
	uint32_t process, kernel_stack, user_stack;
	struct grt_stack_sum sum;
};

int grt_stack_weight_find(const char *name)
{
	static const char *const names[] = {
#define GRT_X(NAME, name, text) #name,
		GRT_STACK_WEIGHTS(GRT_X)
#undef GRT_X
	};

	for (int i = 0; i < GRT_NR_STACK_WEIGHTS; i++)
		if (!strcmp(names[i], name))
			return i;
	return -1;
}

/*
 * Sets *@n to what the job adds.  Returns whether that is known: as in other tables, a job that is cut by
 * an end of the trace has no times.
 */
static bool weight_of(const struct grt_job *job, enum grt_stack_weight weight, uint64_t *n)
{
	*n = 1;
	if (weight == GRT_STACK_JOBS)
		return true;
	if (job->flags & GRT_JOB_CUT)
		return false;
	*n = job->stage_ns[GRT_STAGE_EXEC];
	if (weight == GRT_STACK_GPU)
		return grt_job_measures(job, GRT_STAGE_EXEC);
	*n = job->stage_ns[GRT_STAGE_SUBMIT_HOST];
	if (grt_job_knows(job, GRT_STAGE_QUEUE))
		*n += job->stage_ns[GRT_STAGE_QUEUE];
	return grt_job_knows(job, GRT_STAGE_SUBMIT_HOST);
}

static void add_up(uint64_t *sum, uint64_t more)
{
	/* Only a damaged trace has such times. */
	if (__builtin_add_overflow(*sum, more, sum))
		*sum = UINT64_MAX;
}

static struct stack_row *row_of(struct grt_stack_sums *s, const struct grt_job *job)
{
	uint64_t stacks = (uint64_t)job->kernel_stack << 32 | job->user_stack;
	uint32_t i = grt_keymap_get(&s->index, stacks, job->process);
	struct stack_row *row;

	if (i != GRT_NONE)
		return grt_vec_at(&s->rows, struct stack_row, i);
	i = grt_vec_count(&s->rows, struct stack_row);
	row = grt_vec_grow(&s->rows, sizeof(*row));
	if (!row || grt_keymap_put(&s->index, stacks, job->process, i))
		return NULL;
	*row = (struct stack_row){
		.process = job->process, .kernel_stack = job->kernel_stack,
		.user_stack = job->user_stack,
	};
	return row;
}

int grt_stack_sums_add(struct grt_stack_sums *s, const struct grt_job *job)
{
	struct stack_row *row = row_of(s, job);
	uint64_t n;

	if (!row)
		return grt_fail_memory();
	row->sum.jobs++;
	for (int i = 0; i < GRT_NR_STACK_WEIGHTS; i++) {
		if (!weight_of(job, i, &n))
			continue;
		row->sum.known[i]++;
		add_up(&row->sum.sum[i], n);
	}
	return 0;
}

static void merge(struct grt_stack_sum *to, const struct grt_stack_sum *from)
{
	to->jobs += from->jobs;
	for (int i = 0; i < GRT_NR_STACK_WEIGHTS; i++) {
		to->known[i] += from->known[i];
		add_up(&to->sum[i], from->sum[i]);
	}
}

static const char *text_of(const struct grt_names *names, uint32_t stack)
{
	return stack && stack != GRT_NONE ? grt_stack_names_text(&names->stacks, stack - 1) : NULL;
}

static int append(struct grt_vec *to, const char *text)
{
	if (to->bytes && grt_vec_append(to, ";", 1))
		return -1;
	return grt_vec_append(to, text, strlen(text));
}

int grt_stack_text(struct grt_vec *to, const struct grt_names *names, uint32_t kernel_stack,
		   uint32_t user_stack)
{
	const char *kernel = text_of(names, kernel_stack), *user = text_of(names, user_stack);
	int err = 0;

	to->bytes = 0;
	if (!kernel && !user)
		err = append(to, "[unknown]");
	else if (user_stack)
		err = append(to, user ? user : "[unknown]");
	if (!err && user && kernel_stack && !kernel)
		err = append(to, "[unknown]_[k]");
	if (!err && kernel)
		err = append(to, kernel);
	return err || grt_vec_append(to, "", 1) ? grt_fail_memory() : 0;
}

static int compare_lines(const void *a, const void *b)
{
	const struct grt_stack_line *x = a, *y = b;
	int comm = strcmp(x->comm, y->comm);

	return comm ? comm : strcmp(x->stack, y->stack);
}

static int add_line(struct grt_stack_sums *s, const struct grt_names *names,
		    const struct stack_row *row, struct grt_vec *text)
{
	struct grt_stack_line line = { .comm = "", .sum = row->sum };
	int err = grt_stack_text(text, names, row->kernel_stack, row->user_stack);

	if (row->process != GRT_NONE)
		line.comm = grt_names_process_at(names, row->process)->comm;
	line.stack = err ? NULL : strdup(text->data);
	if (line.stack && !grt_vec_append(&s->lines, &line, sizeof(line)))
		return 0;
	free(line.stack);
	return grt_fail_memory();
}

/* Processes with the same name, and stacks with other numbers, may have the same texts. */
static void merge_lines(struct grt_stack_sums *s)
{
	size_t count = grt_vec_count(&s->lines, struct grt_stack_line), kept = 0;
	struct grt_stack_line *lines = s->lines.data;

	if (!count)
		return;
	qsort(lines, count, sizeof(*lines), compare_lines);
	for (size_t i = 1; i < count; i++) {
		if (compare_lines(&lines[kept], &lines[i])) {
			lines[++kept] = lines[i];
			continue;
		}
		merge(&lines[kept].sum, &lines[i].sum);
		free(lines[i].stack);
	}
	s->lines.bytes = (kept + 1) * sizeof(*lines);
}

int grt_stack_sums_close(struct grt_stack_sums *s, const struct grt_names *names)
{
	struct grt_vec text = { 0 };
	int err = 0;

	for (size_t i = 0; !err && i < grt_vec_count(&s->rows, struct stack_row); i++)
		err = add_line(s, names, grt_vec_at(&s->rows, struct stack_row, i), &text);
	grt_vec_free(&text);
	if (!err)
		merge_lines(s);
	return err;
}

void grt_stack_sums_free(struct grt_stack_sums *s)
{
	for (size_t i = 0; i < grt_vec_count(&s->lines, struct grt_stack_line); i++)
		free(grt_vec_at(&s->lines, struct grt_stack_line, i)->stack);
	grt_vec_free(&s->lines);
	grt_vec_free(&s->rows);
	grt_keymap_free(&s->index);
}

struct grt_stack_sum grt_stack_sums_all(const struct grt_stack_sums *s)
{
	struct grt_stack_sum all = { 0 };

	for (size_t i = 0; i < grt_vec_count(&s->lines, struct grt_stack_line); i++)
		merge(&all, &grt_vec_at(&s->lines, struct grt_stack_line, i)->sum);
	return all;
}
