// SPDX-License-Identifier: GPL-2.0
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RINGS	3
#define TGID		7

/* The words with numbers, in the order of enum word. */
static const struct {
	const char *name;
	uint64_t value;
} defaults[] = {
	{ "jobs", 1000 }, { "exec", 1000 }, { "rings", 1 }, { "wait", 50 }, { "seed", 1 },
	{ "gap", 100 }, { "device", 11 }, { "lose", 0 }, { "slow", 0 },
};

enum word { JOBS, EXEC, RINGS, WAIT, SEED, GAP, DEVICE, LOSE, SLOW, NR_WORDS };

struct load {
	uint64_t value[NR_WORDS];
	const char *comm;
	uint64_t state;
};

static bool take_word(struct load *l, const char *word)
{
	for (int i = 0; i < NR_WORDS; i++) {
		size_t len = strlen(defaults[i].name);

		if (!strncmp(word, defaults[i].name, len) && word[len] == '=') {
			l->value[i] = strtoull(word + len + 1, NULL, 10);
			return true;
		}
	}
	if (strncmp(word, "comm=", 5))
		return false;
	l->comm = word + 5;
	return true;
}

static uint64_t chance(struct load *l, uint64_t n)
{
	l->state = l->state * 6364136223846793005ull + 1442695040888963407ull;
	return (l->state >> 33) % n;
}

/* This many us, in ns, plus or minus 20 %. */
static uint64_t about(struct load *l, uint64_t us)
{
	return us * (800 + chance(l, 401));
}

static void define(struct synth *s, const struct load *l)
{
	static const char *const names[MAX_RINGS] = { "gfx", "copy", "compute" };

	synth_begin(s, 0);
	for (uint64_t i = 0; i < l->value[RINGS] && i < MAX_RINGS; i++) {
		struct grtrace_ring *ring;

		synth_ring(s, i + 1, names[i], SYNTH_START);
		ring = synth_find(s, GRTRACE_RING, i);
		ring->engine = i;
		snprintf(ring->device, sizeof(ring->device), "0000:%02x:00.0",
			 (unsigned int)l->value[DEVICE] & 0xff);
	}
	synth_process(s, TGID, l->comm, SYNTH_START);
	synth_subbuf(s, SYNTH_START);
}

static void *put(struct synth *s, uint16_t type, uint64_t ring, uint64_t seqno, uint64_t ns)
{
	struct grtrace_job_key *key = synth_event(s, type, ns);

	key->ctx = ring;
	key->seqno = seqno;
	key->ring = ring;
	return key;
}

/* One job after another, so each has the ring to itself.  Returns the end of the job. */
static uint64_t put_job(struct synth *s, struct load *l, uint64_t ring, uint64_t seqno, uint64_t ns)
{
	uint64_t exec_ns = about(l, l->value[EXEC]);

	((struct grtrace_submit *)put(s, GRTRACE_SUBMIT, ring, seqno, ns))->tgid = TGID;
	ns += about(l, l->value[WAIT]);
	put(s, GRTRACE_COMMIT, ring, seqno, ns);
	ns += chance(l, 100) < l->value[SLOW] ? 10 * exec_ns : exec_ns;
	put(s, GRTRACE_END, ring, seqno, ns);
	ns += 5000 + chance(l, 10000);
	put(s, GRTRACE_COMPLETE, ring, seqno, ns);
	return ns;
}

bool load_write(struct synth *s, int count, char **words)
{
	struct load l = { .comm = "game" };
	uint64_t ns = SYNTH_START + 1000;

	for (int i = 0; i < NR_WORDS; i++)
		l.value[i] = defaults[i].value;
	for (int i = 0; i < count; i++)
		if (!take_word(&l, words[i]))
			return false;
	l.state = l.value[SEED];
	define(s, &l);
	for (uint64_t i = 0; i < l.value[JOBS]; i++) {
		for (uint64_t ring = 1; ring <= l.value[RINGS] && ring <= MAX_RINGS; ring++)
			ns = put_job(s, &l, ring, i + 1, ns) + about(&l, l.value[GAP]);
		if (l.value[LOSE] && i == l.value[JOBS] / 2) {
			synth_lose(s, GRTRACE_FATE_BUFFER_FULL, l.value[LOSE]);
			synth_subbuf(s, ns);
		}
	}
	synth_end(s, ns);
	return true;
}
