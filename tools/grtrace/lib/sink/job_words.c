// SPDX-License-Identifier: LGPL-2.1
#include "job_words.h"

#include <inttypes.h>
#include <string.h>

#include "column.h"
#include "command.h"
#include "domain.h"
#include "key_names.h"
#include "number.h"
#include "quote.h"
#include "ring_name.h"

const char *grt_word_end(const struct grt_job_out *o)
{
	return grt_model_totals(o->summary->model)->ends_at_snapshot ? "the snapshot was taken" :
	       "the trace ends";
}

const char *grt_word_process(char *buf, const struct grt_names *names, uint32_t row)
{
	const struct grt_process *p;
	char comm[GRT_WORD_MAX / 2];

	if (row == GRT_NONE)
		return "-";
	p = grt_names_process_at(names, row);
	if (!p->tgid)
		return "kernel";
	snprintf(buf, GRT_WORD_MAX, "%s[%u]", grt_quote_text(comm, sizeof(comm), p->comm),
		 p->tgid);
	return buf;
}

/* Whether rings of two GPUs have this name, as is common. */
static bool is_ambiguous(const struct grt_names *names, uint32_t row)
{
	const char *name = grt_names_ring_at(names, row)->name;

	return *name && grt_namemap_get(&names->rings_called, name) > 1;
}

const char *grt_word_ring(char *buf, const struct grt_names *names, uint32_t row)
{
	char name[GRT_RING_NAME_MAX + sizeof(((struct grt_ring *)0)->device) + 1];
	const struct grt_ring *ring;

	if (row == GRT_NONE)
		return "-";
	ring = grt_names_ring_at(names, row);
	if (!is_ambiguous(names, row))
		return grt_quote_text(buf, GRT_WORD_MAX, grt_ring_name(ring, name));
	snprintf(name, sizeof(name), "%s@%s", ring->name, ring->device);
	return grt_quote_text(buf, GRT_WORD_MAX, name);
}

const char *grt_word_busy(char *buf, const struct grt_ring_use *use)
{
	uint64_t span_ns = grt_use_span_ns(use);
	char least[16], most[16];

	snprintf(least, sizeof(least), "%.1f", 100.0 * use->busy_ns / span_ns);
	snprintf(most, sizeof(most), "%.1f", 100.0 * (use->busy_ns + grt_use_unsure_ns(use)) / span_ns);
	if (!use->busy_ns)
		snprintf(least, sizeof(least), "0");
	if (!grt_use_unsure_ns(use) || !strcmp(least, most))
		snprintf(buf, GRT_WORD_MAX, "%s%%", least);
	else
		snprintf(buf, GRT_WORD_MAX, "%s..%s%%", least, most);
	return buf;
}

const char *grt_word_crtc(char *buf, uint32_t crtc, uint32_t gpu)
{
	char name[GRT_PCI_NAME_MAX];

	snprintf(buf, GRT_WORD_MAX, "CRTC %" PRIu32 "%s%s", crtc, gpu ? " of " : "", grt_pci_name(name, gpu));
	return buf;
}

const char *grt_word_command(const struct grt_names *names, const struct grt_job *job)
{
	if (!job->command || job->ring == GRT_NONE)
		return NULL;
	return grt_command_name(grt_names_ring_at(names, job->ring)->driver, job->command);
}

const char *grt_word_device(char *buf, const char *device)
{
	if (!grt_ring_is_named(device))
		return "unnamed GPU";
	return grt_quote_text(buf, GRT_WORD_MAX, device);
}

const char *grt_word_ns(char *buf, uint64_t ns, bool is_bound)
{
	char word[GRT_NUMBER_MAX];

	snprintf(buf, GRT_WORD_MAX, "%s%s", is_bound ? GRT_AT_MOST : "", grt_format_ns(word, ns));
	return buf;
}

const char *grt_word_stage(char *buf, const struct grt_job_out *o, const struct grt_job *job,
			   enum grt_stage stage)
{
	return grt_job_knows(job, stage) ?
	       grt_word_ns(buf, job->stage_ns[stage], grt_flags_bound(job->flags, stage)) : grt_na(o);
}

const char *grt_word_status(char *buf, const struct grt_job *job)
{
	return job->has_status ? grt_status_name(job->status, buf) : "-";
}

const char *grt_word_share(char *buf, const struct grt_job_out *o, uint64_t part, uint64_t whole)
{
	double percent = whole ? 100.0 * part / whole : 0;

	if (!whole)
		return grt_na(o);
	if (part && percent < 0.5)
		return "<1%";
	if (part < whole && percent >= 99.5)
		return ">99%";
	snprintf(buf, GRT_WORD_MAX, "%.0f%%", percent);
	return buf;
}

const char *grt_word_client(char *buf, const struct grt_model *m, uint32_t client)
{
	const struct grt_names *names = grt_model_names(m);
	char process[GRT_WORD_MAX], ring[GRT_WORD_MAX];
	const struct grt_client *p;

	if (client == GRT_NONE)
		return "-";
	p = grt_model_client(m, client);
	snprintf(buf, GRT_CLIENT_MAX, "%s %s", grt_word_process(process, names, p->process),
		 grt_word_ring(ring, names, p->ring));
	return buf;
}

const char *grt_word_culprit(char *buf, const struct grt_model *m, const struct grt_charge *c)
{
	const struct grt_names *names = grt_model_names(m);
	char process[GRT_WORD_MAX], ring[GRT_WORD_MAX], key[48] = "a job";
	const struct grt_client *p;

	if (c->reason == GRT_BLAME_SCHEDULER)
		return "the scheduler";
	if (c->reason == GRT_BLAME_UNKNOWN)
		return "what is not known";
	if (c->reason == GRT_BLAME_RECOVERY && !c->ctx)
		return "a reset of the ring";
	if (c->ctx)
		snprintf(key, sizeof(key), "%" PRIu64 ":%" PRIu64, c->ctx, c->seqno);
	if (c->client == GRT_NONE) {
		snprintf(buf, GRT_CULPRIT_MAX, c->ctx ? "the fence %s of no job" :
			 "a fence of no job", key);
		return buf;
	}
	p = grt_model_client(m, c->client);
	snprintf(buf, GRT_CULPRIT_MAX, "%s (%s, %s)", key,
		 grt_word_process(process, names, p->process),
		 grt_word_ring(ring, names, p->ring));
	return buf;
}

const char *grt_bar(char *buf, const struct grt_job_out *o, uint64_t part, uint64_t whole)
{
	static const char *const eighths[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
	unsigned int steps = whole ? (double)part / whole * GRT_BAR_CELLS * 8 + 0.5 : 0;
	char *to = buf;

	*to = '\0';
	if (o->is_ascii)
		return buf;
	if (steps > GRT_BAR_CELLS * 8)
		steps = GRT_BAR_CELLS * 8;
	for (; steps >= 8; steps -= 8)
		to = stpcpy(to, "█");
	stpcpy(to, eighths[steps]);
	return buf;
}

const char *grt_word_culprits(char *buf, const struct grt_model *m, const struct grt_charge *c)
{
	const struct grt_names *names = grt_model_names(m);
	char process[GRT_WORD_MAX], ring[GRT_WORD_MAX];
	const struct grt_client *p;

	if (c->client == GRT_NONE)
		return grt_word_culprit(buf, m, c);
	p = grt_model_client(m, c->client);
	snprintf(buf, GRT_CULPRIT_MAX, "%s on %s (%" PRIu64 ":%" PRIu64 " first)",
		 grt_word_process(process, names, p->process),
		 grt_word_ring(ring, names, p->ring), c->ctx, c->seqno);
	return buf;
}
