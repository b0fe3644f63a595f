// SPDX-License-Identifier: GPL-2.0
#include "scene.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_JOBS	64
#define MAX_RINGS	8
#define FOLLOWED	50	/* the first thread that is */
#define TWO_RINGS	"R1=gfx,e0 R2=compute,e1 P7=game P8=llama P9=train "

const struct scene scenes[] = {
	/* Waits for the scheduler for half of its time, then has the ring to itself. */
	{ "single", "1:1", "R1=gfx,e0 P7=game S1.1@0 C1.1@100 E1.1@1100 D1.1@1110" },

	/* 3:1 on gfx waits for 2:1 on compute, which waits for 1:1 on gfx. */
	{ "chain", "3:1", TWO_RINGS
	  "S1.1@0 S2.1@10/2#8 W2.1@10>1.1d S3.1@20#9 W3.1@20>2.1d C1.1@50 W2.1@60>1.1b "
	  "W3.1@60>2.1b E1.1@1050 D1.1@1060 C2.1@1070/2 E2.1@3070/2 D2.1@3080/2 C3.1@3100 "
	  "E3.1@3600 D3.1@3610" },

	/* A = 1:1 waits for B = 2:1 on the other ring, B is behind C = 3:1; D = 1:2 behind A. */
	{ "blame", "1:2", TWO_RINGS
	  "S3.1@0/2#9 C3.1@10/2 S2.1@20/2#8 C2.1@30/2 S1.1@40 W1.1@40>2.1db S1.2@50 "
	  "E3.1@4010/2 D3.1@4020/2 E2.1@6010/2 D2.1@6020/2 C1.1@6040 C1.2@6050 E1.1@7040 "
	  "D1.1@7050 E1.2@8040 D1.2@8050" },

	/* Room for 2 credits: 3:1 needs both, and 4:1 may not pass it. */
	{ "credits", "4:1", "R1=gfx,e0,c2 P7=game P8=llama "
	  "S1.1@0 C1.1@10 S2.1@20 C2.1@30 S3.1@40^2#8 S4.1@50#8 E1.1@1010 D1.1@1020 E2.1@2010 "
	  "D2.1@2020 C3.1@2030 E3.1@3030 D3.1@3040 C4.1@3050 E4.1@3550 D4.1@3560" },

	/* 2:1 waits only until the COMMIT of 1:1, which is of the same scheduler. */
	{ "pipelined", "2:1", "R1=gfx,e0,c4 P7=game P8=llama "
	  "S3.1@0 S1.1@10 W1.1@10>3.1d S2.1@20#8 W2.1@20>1.1dlb C3.1@100 W1.1@110>3.1b E3.1@1100 "
	  "D3.1@1110 C1.1@1150 C2.1@1200 E1.1@2150 D1.1@2160 E2.1@2650 D2.1@2660" },

	/* The fence of a display, without a scheduler. */
	{ "foreign", "1:1", "R1=gfx,e0 P7=game "
	  "S1.1@0 W1.1@0>90.5dfb F90.5@16000 C1.1@16050 E1.1@18050 D1.1@18060 "
	  "S1.2@18100 W1.2@18100>90.6dfb F90.6@32000 C1.2@32040 E1.2@34040 D1.2@34050" },

	/* The second and third job die with their process before they run. */
	{ "kill", "1:2", "R1=gfx,e0,c1 P7=game "
	  "S1.1@0 C1.1@10 S1.2@20 S1.3@30 E1.1@5010 D1.1@5020 D1.2@5100=-3 D1.3@5110=-3" },

	/* 1:1 hangs, the ring is reset, 1:2 runs again afterwards. */
	{ "reset", "1:2", "R1=gfx,e0,c4 P7=game "
	  "S1.1@0 C1.1@10 S1.2@20 C1.2@30 X1.1@10000=1 X1.1@10100=2 E1.1@10200=-62 D1.1@10210=-62 "
	  "X0.0@12000=3 C1.2@12010 E1.2@13010 D1.2@13020 S1.3@14000 C1.3@14010 E1.3@15010 "
	  "D1.3@15020" },

	/* The events between 2000 and 3000 are missing. */
	{ "lossy", "1:3", TWO_RINGS
	  "S1.1@0 C1.1@10 E1.1@1010 D1.1@1020 L0@1500 S1.3@2000 L4@3000 C1.3@3100 E1.3@4100 "
	  "D1.3@4110 S1.4@5000 C1.4@5010 E1.4@6010 D1.4@6020 S2.1@6100/2#8 C2.1@6110/2 "
	  "E2.1@6510/2 D2.1@6520/2" },

	/* The first and the last jobs are cut. */
	{ "cut", "1:2", "R1=gfx,e0 P7=game "
	  "E1.1@10 D1.1@20 S1.2@100 C1.2@110 E1.2@1110 D1.2@1120 S1.3@1200 C1.3@1210 S1.4@1220" },

	/* A ring that is scheduled by firmware is occupied, never busy; a GPU with both kinds. */
	{ "firmware", "1:2", "R1=ccs0,e1,f R2=copy,e2 P7=game P8=llama "
	  "S1.1@0 C1.1@10 S1.2@20 C1.2@30 E1.2@1030 D1.2@1040 E1.1@2010 D1.1@2020 "
	  "S2.1@2100/2#8 C2.1@2110/2 E2.1@2610/2 D2.1@2620/2" },

	/* Two GPUs; the first has two rings, which are busy in turns and together. */
	{ "two-devices", "3:1", "R1=gfx,e0 R2=sdma0,e2 R3=gfx,e0,d1 P7=game P8=llama "
	  "S1.1@0 C1.1@10 S2.1@500/2 C2.1@510/2 S3.1@600/3#8~5 C3.1@610/3 E1.1@1010 D1.1@1020 "
	  "E2.1@1510/2 D2.1@1520/2 E3.1@2610/3 D3.1@2620/3 S3.2@2700/3#8~6 C3.2@2710/3 "
	  "E3.2@3010/3 D3.2@3020/3" },

	/* Jobs written by hand, and a real one. */
	{ "synthetic", "1:1", "R1=gfx,e0 P7=game "
	  "S1.1@0 C1.1@10 E1.1@1010 D1.1@1020 S9.1@1100!s C9.1@1110!s E9.1@2110!s D9.1@2120!s" },

	/* Only jobs written by hand: they count. */
	{ "by-hand", "9:1", "R1=gfx,e0 P7=game "
	  "S9.1@0!s C9.1@10!s E9.1@1010!s D9.1@1020!s" },

	/* Names with characters that could break the output. */
	{ "names", "1:1", "R1=a,\"b\"/\033[1m,e0 R2=,e1 P7=x\",\\\\ P10= P8=\xc3\xbc\xff "
	  "S1.1@0 C1.1@10 E1.1@1010 D1.1@1020 S2.1@1100/2#8 C2.1@1110/2 E2.1@1310/2 D2.1@1320/2 "
	  "S3.1@1400/2#10 C3.1@1410/2 E3.1@1510/2 D3.1@1520/2" },

	/* The machine sleeps for 100 ms between two jobs, while the clock stands still. */
	{ "suspend", "1:2", "R1=gfx,e0 P7=game "
	  "S1.1@0 C1.1@10 E1.1@1010 D1.1@1020 Z100000@1500 S1.2@2100 C1.2@2110 E1.2@3110 "
	  "D1.2@3120" },

	/* A ring that is always busy: all jobs wait behind each other. */
	{ "full", "4:1", "R1=gfx,e0,c2 P7=game P8=llama "
	  "S1.1@0 C1.1@5 S2.1@10 C2.1@15 S3.1@20 S4.1@30#8 S1.2@40 E1.1@1005 D1.1@1010 C3.1@1015 "
	  "E2.1@2005 D2.1@2010 C4.1@2015 E3.1@3005 D3.1@3010 C1.2@3015 E4.1@4005 D4.1@4010 "
	  "E1.2@5005 D1.2@5010" },

	/* Call stacks: of both kinds, of one, not known, not recorded; the last job is cut. */
	{ "stacks", "1:1", "R1=gfx,e0,c4 R2=copy,e2 P7=game P8=llama T1=main;draw;ioctl T2=do_syscall_[k];submit_[k] "
	  "T3=main;copy;ioctl S1.1@0 A1.1@1>1.2 C1.1@10 S1.2@20 A1.2@21>1.2 C1.2@30 S1.3@40 A1.3@41>3.2 "
	  "E1.1@1010 D1.1@1020 C1.3@1030 S1.4@1040 A1.4@1041>0.2u C1.4@1050 S1.5@1060 A1.5@1061>3.0k C1.5@1070 "
	  "S2.1@1080/2#8 A2.1@1081>0.2 C2.1@1090/2 S2.2@1100/2#8 C2.2@1110/2 S2.3@1120/2#8 A2.3@1121>0.0uk C2.3@1130/2 "
	  "E1.2@2010 D1.2@2020 E1.3@3010 D1.3@3020 E1.4@4010 D1.4@4020 E1.5@5010 D1.5@5020 E2.1@6010/2 "
	  "D2.1@6020/2 E2.2@7010/2 D2.2@7020/2 E2.3@8010/2 D2.3@8020/2 S1.6@8100 A1.6@8101>1.2" },

	/*
	 * Stories: what a user should read about the job, t-stories.sh says.  15:43 hangs; 15:45 is
	 * behind it on the ring, 17:9 waits for 15:45, and 9:3 finds the ring full.
	 */
	{ "story-hang", "17:9", "R1=gfx,e0,c2 R2=compute,e1,c2 R3=copy,e2,c2 P7=batch P8=copier P9=game "
	  "S15.43@0/2 C15.43@10/2 S15.45@100/2 C15.45@110/2 S17.9@200/3 W17.9@200>15.45d "
	  "W17.9@210>15.45b S9.3@300/2#9 S5.1@400/3#8 C5.1@410/3 E5.1@2410/3 D5.1@2420/3 "
	  "X15.43@500000/2=1 X15.43@500100/2=2 E15.43@500200/2=-62 D15.43@500210/2=-62 "
	  "X0.0@500300/2=3 C9.3@500320/2#9 E15.45@503300/2 D15.45@503310/2 C17.9@503330/3 "
	  "E9.3@504300/2#9 D9.3@504310/2#9 E17.9@505330/3 D17.9@505340/3" },

	/* A FIFO ring: a short job behind a long one of another process. */
	{ "story-fifo", "2:1", "R1=gfx,e0,c4 P7=game P8=llama "
	  "S1.1@0#8 C1.1@10#8 S2.1@100 C2.1@110 E1.1@16010#8 D1.1@16020#8 E2.1@17010 D2.1@17020" },

	/* No room on the ring: two jobs of another process have all of it. */
	{ "story-full", "2:1", "R1=gfx,e0,c2 P7=game P8=llama "
	  "S1.1@0#8 C1.1@10#8 S1.2@20#8 C1.2@30#8 S2.1@100 E1.1@9010#8 D1.1@9020#8 C2.1@9030 "
	  "E1.2@10010#8 D1.2@10020#8 E2.1@11010 D2.1@11020" },

	/* A chain over three rings: gfx waits for compute, compute for copy, and copy runs. */
	{ "story-chain", "3:1", "R1=gfx,e0,c2 R2=compute,e1,c2 R3=copy,e2,c2 P7=game P8=llama P9=train "
	  "S1.1@0/3#9 C1.1@10/3#9 S2.1@20/2#8 W2.1@20>1.1d W2.1@30>1.1b S3.1@40 W3.1@40>2.1d "
	  "W3.1@50>2.1b E1.1@20010/3#9 D1.1@20020/3#9 C2.1@20040/2#8 E2.1@21040/2#8 "
	  "D2.1@21050/2#8 C3.1@21070 E3.1@22070 D3.1@22080" },

	/* The scheduler's thread 50 is woken and does not get the CPU for 12 ms. */
	{ "story-late-cpu", "1:1", "R1=gfx,e0,c2 P7=game "
	  "K9s50@0 K50s9@5 S1.1@10 Y50@12 K9r50@12012 C1.1@12020 K50s9@12030 E1.1@13020 D1.1@13030" },

	/* The job that it depends on comes late. */
	{ "story-late-submit", "2:1", "R1=gfx,e0,c2 R2=compute,e1,c2 P7=game P8=llama "
	  "S2.1@0/2#8 W2.1@0>1.1d W2.1@10>1.1b S1.1@15000 C1.1@15010 E1.1@16010 D1.1@16020 "
	  "C2.1@16040/2#8 E2.1@17040/2#8 D2.1@17050/2#8" },

	/* The fence of a display. */
	{ "story-foreign", "1:1", "R1=gfx,e0,c2 P7=game "
	  "S1.1@0 W1.1@0>90.5dfb F90.5@16000 C1.1@16050 E1.1@18050 D1.1@18060" },

	/* A virtual machine, whose clock is 5 ms behind that of its host, and 5.5 ms in the second reading. */
	{ "guest", "1:11", "J0=host=guest-1;boot_id=11111111-0000-4000-8000-000000000000 "
	  "U100,5100,0,30=host=host-1;boot_id=22222222-0000-4000-8000-000000000000 "
	  "U900,6400,0,60=host=host-1;boot_id=22222222-0000-4000-8000-000000000000 "
	  "R1=control,v P7=kmscube "
	  "S1.11@100 C1.11@110 E1.11@400 S1.12@405 D1.11@410 C1.12@415 S2.1@420 C2.1@421 E2.1@430 "
	  "D2.1@430!i E1.12@800 D1.12@810 S1.13@820 C1.13@825 E1.13@950 D1.13@955" },

	/* Its host: the emulator's fences, and jobs of the emulator and of another process. */
	{ "host", "6:1", "J0=host=host-1;boot_id=22222222-0000-4000-8000-000000000000 "
	  "R1=virtio-gpu,q R2=gfx,e0,f P900=qemu P901=game "
	  "S5.10@5020#900 C5.10@5030 E5.10@5040 D5.10@5040 "
	  "S5.11@5200#900 C5.11@5250 S6.1@5260/2#900 C6.1@5262/2#900 B6.1@5265/2 S7.1@5270/2#901 C7.1@5275/2 "
	  "E6.1@5340/2 D6.1@5341/2 B7.1@5342/2 E7.1@5345/2 D7.1@5346/2 E5.11@5350 D5.11@5350 "
	  "S5.12@5500#900 C5.12@5520 S6.2@5530/2#900 C6.2@5532/2 E6.2@5600/2 D6.2@5601/2 E5.12@5700 D5.12@5700 "
	  "S5.13@5840#900 C5.13@5850 E5.13@5900 D5.13@5900" },
};

const size_t nr_scenes = sizeof(scenes) / sizeof(scenes[0]);

const struct scene *scene_find(const char *name)
{
	for (size_t i = 0; i < nr_scenes; i++)
		if (!strcmp(scenes[i].name, name))
			return &scenes[i];
	for (size_t i = 0; i < nr_frame_scenes; i++)
		if (!strcmp(frame_scenes[i].name, name))
			return &frame_scenes[i];
	for (size_t i = 0; i < nr_pod_scenes; i++)
		if (!strcmp(pod_scenes[i].name, name))
			return &pod_scenes[i];
	for (size_t i = 0; i < nr_memory_scenes; i++)
		if (!strcmp(memory_scenes[i].name, name))
			return &memory_scenes[i];
	for (size_t i = 0; i < nr_snapshot_scenes; i++)
		if (!strcmp(snapshot_scenes[i].name, name))
			return &snapshot_scenes[i];
	return NULL;
}

/* The options of a word. */
struct options {
	uint32_t ring, tgid, credits;
	uint64_t client_id;
	int32_t status;
	uint16_t flags;
};

/* A stream, and the credits that its jobs hold. */
struct stage {
	struct synth *s;
	uint32_t in_use[MAX_RINGS];
	struct {
		uint64_t ctx, seqno;
		uint32_t credits;
	} jobs[MAX_JOBS];
	unsigned int nr_jobs;
	uint32_t nr_processes;
};

static uint64_t us(const char *p, char **end)
{
	return SYNTH_START + 1000 * strtoull(p, end, 10);
}

static uint32_t *credits_of(struct stage *st, uint64_t ctx, uint64_t seqno)
{
	for (unsigned int i = 0; i < st->nr_jobs; i++)
		if (st->jobs[i].ctx == ctx && st->jobs[i].seqno == seqno)
			return &st->jobs[i].credits;
	if (st->nr_jobs == MAX_JOBS)
		abort();
	st->jobs[st->nr_jobs].ctx = ctx;
	st->jobs[st->nr_jobs].seqno = seqno;
	st->jobs[st->nr_jobs].credits = 1;
	return &st->jobs[st->nr_jobs++].credits;
}

static uint16_t letters(const char *p, const char *known, const uint16_t *bits)
{
	uint16_t flags = 0;

	for (; *p && *p != ' '; p++) {
		const char *letter = strchr(known, *p);

		if (!letter)
			abort();
		flags |= bits[letter - known];
	}
	return flags;
}

static struct options parse_options(char *p)
{
	static const uint16_t bits[] = {
		GRTRACE_F_NO_HW, GRTRACE_F_SYNTHETIC, GRTRACE_F_KERNEL_JOB, GRTRACE_F_INFERRED,
	};
	struct options o = { .ring = 1, .tgid = 7, .credits = 1 };

	while (*p) {
		switch (*p++) {
		case '/':
			o.ring = strtoul(p, &p, 10);
			break;
		case '#':
			o.tgid = strtoul(p, &p, 10);
			break;
		case '~':
			o.client_id = strtoull(p, &p, 10);
			break;
		case '^':
			o.credits = strtoul(p, &p, 10);
			break;
		case '=':
			o.status = strtol(p, &p, 10);
			break;
		case '!':
			o.flags = letters(p, "nski", bits);
			return o;
		default:
			abort();
		}
	}
	return o;
}

static void put_submit(struct stage *st, struct grtrace_submit *r, const struct options *o)
{
	r->tgid = o->tgid;
	r->tid = o->tgid + 1;
	r->client_id = o->client_id;
	r->credits = *credits_of(st, r->ctx, r->seqno) = o->credits;
	r->hw_credits = st->in_use[o->ring];
}

static void put_commit(struct stage *st, struct grtrace_commit *r, const struct options *o)
{
	r->credits = *credits_of(st, r->ctx, r->seqno);
	st->in_use[o->ring] += r->credits;
	r->hw_credits = st->in_use[o->ring];
}

static void put_end(struct stage *st, struct grtrace_end *r, const struct options *o)
{
	uint32_t credits = *credits_of(st, r->ctx, r->seqno);

	r->status = o->status;
	st->in_use[o->ring] -= credits < st->in_use[o->ring] ? credits : st->in_use[o->ring];
}

/* S C B E D X F: all begin with a job's key. */
static void put_job_event(struct stage *st, uint16_t type, uint64_t ctx, uint64_t seqno,
			  uint64_t ns, char *rest)
{
	struct options o = parse_options(rest);
	struct grtrace_job_key *key = synth_event(st->s, type, ns);

	key->ctx = ctx;
	key->seqno = seqno;
	key->ring = o.ring;
	key->hdr.flags = o.flags;
	if (type == GRTRACE_SUBMIT)
		put_submit(st, (void *)key, &o);
	else if (type == GRTRACE_COMMIT)
		put_commit(st, (void *)key, &o);
	else if (type == GRTRACE_END)
		put_end(st, (void *)key, &o);
	else if (type == GRTRACE_COMPLETE)
		((struct grtrace_complete *)key)->status = o.status;
	else if (type == GRTRACE_ERROR)
		((struct grtrace_error *)key)->code = o.status;
	else if (type == GRTRACE_FENCE_SIGNALED)
		key->ring = 0;
	/* A reset returns all credits. */
	if (type == GRTRACE_ERROR && o.status == GRTRACE_ERROR_RESET)
		st->in_use[o.ring] = 0;
}

static void put_dependency(struct stage *st, uint64_t ctx, uint64_t seqno, uint64_t ns, char *rest)
{
	static const uint16_t bits[] = {
		GRTRACE_F_DECLARED, GRTRACE_F_POPPED, GRTRACE_F_BLOCKED, GRTRACE_F_PIPELINED,
		GRTRACE_F_SELF, GRTRACE_F_SIGNALED, GRTRACE_F_FOREIGN,
	};
	struct grtrace_dependency *r = synth_event(st->s, GRTRACE_DEPENDENCY, ns);

	r->ctx = ctx;
	r->seqno = seqno;
	r->dep_ctx = strtoull(rest + 1, &rest, 10);
	r->dep_seqno = strtoull(rest + 1, &rest, 10);
	r->hdr.flags = letters(rest, "dpblsgf", bits);
}

static void put_ring(struct stage *st, char *p)
{
	uint32_t id = strtoul(p, &p, 10);
	size_t len = strcspn(p + 1, ",");
	struct grtrace_ring *r;
	char name[32] = "";

	/* A comma without an option behind it is a part of the name. */
	while (p[1 + len] == ',' && !strchr("acefdhqvx", p[2 + len]))
		len += 1 + strcspn(p + 2 + len, ",");
	memcpy(name, p + 1, len);
	synth_ring(st->s, id, name, SYNTH_START);
	r = synth_find(st->s, GRTRACE_RING, id - 1);
	for (p += 1 + len; *p == ','; ) {
		char letter = p[1];
		uint32_t value = strtoul(p + 2, &p, 10);

		if (letter == 'c')
			r->credit_limit = value;
		else if (letter == 'x')
			snprintf(r->driver, sizeof(r->driver), "xe");
		else if (letter == 'q')
			snprintf(r->driver, sizeof(r->driver), "qemu");
		else if (letter == 'v')
			snprintf(r->driver, sizeof(r->driver), "virtio_gpu");
		else if (letter == 'a')
			snprintf(r->driver, sizeof(r->driver), "amdgpu");
		else if (letter == 'e')
			r->engine = value;
		else if (letter == 'f')
			r->order = GRTRACE_ORDER_FIRMWARE;
		else if (letter == 'd')
			snprintf(r->device, sizeof(r->device), "0000:%02x:00.0", 11 + value);
		else
			r->hw_ring = value;
	}
}

/* "7=game", "7%81=game" */
static void put_process(struct stage *st, char *p)
{
	uint64_t tgid = strtoull(p, &p, 10);
	bool has_cgroup = *p == '%';
	uint64_t cgroup = has_cgroup ? strtoull(p + 1, &p, 10) : 0;
	struct grtrace_process *r;

	synth_process(st->s, tgid, p + 1, SYNTH_START);
	if (!has_cgroup) {
		st->nr_processes++;
		return;
	}
	r = synth_find(st->s, GRTRACE_PROCESS, st->nr_processes++);
	r->cgroup_id = cgroup;
	r->pidns = 4026531836;
}

/* Adds a record: @fixed bytes, then @text, in which ; ends a line. */
static void *put_lines(struct stage *st, uint16_t type, size_t fixed, const char *text)
{
	size_t len = strlen(text);
	char *rec = synth_record(st->s, type, (fixed + len + 8) & ~7ull, SYNTH_START);

	for (size_t i = 0; i < len; i++)
		rec[fixed + i] = text[i] == ';' ? '\n' : text[i];
	return rec;
}

static void put_cgroup(struct stage *st, char *p)
{
	uint64_t id = strtoull(p, &p, 10);
	struct grtrace_cgroup *r = put_lines(st, GRTRACE_CGROUP, sizeof(*r), p + 1);

	r->cgroup_id = id;
}

static void put_machine(struct stage *st, char *p)
{
	uint32_t boot = strtoul(p, &p, 10);
	struct grtrace_machine *r = put_lines(st, GRTRACE_MACHINE, sizeof(*r), p + 1);

	r->boot = boot;
}

/* "100,5100,7000,20=boot_id=...": own time, the peer's, its wall clock (0: not known), half of the round trip */
static void put_peer(struct stage *st, char *p)
{
	uint64_t own_ns = us(p, &p), peer_ns = us(p + 1, &p), real_us = strtoull(p + 1, &p, 10);
	uint64_t within_us = strtoull(p + 1, &p, 10);
	struct grtrace_peer *r = put_lines(st, GRTRACE_PEER, sizeof(*r), p + 1);

	r->own_ns = own_ns;
	r->peer_ns = peer_ns;
	r->peer_real_ns = real_us * 1000;
	r->within_ns = within_us * 1000;
}

static void put_stack_text(struct stage *st, char *p)
{
	uint64_t number = strtoull(p, &p, 10);
	size_t len = strlen(p + 1);
	struct grtrace_stack_text *r;

	r = synth_record(st->s, GRTRACE_STACK_TEXT, (sizeof(*r) + len + 8) & ~7ull, SYNTH_START);
	r->stack = number;
	memcpy(r + 1, p + 1, len);
}

/* Its time is later than that of the records behind it. */
static void put_snapshot(struct stage *st, uint64_t ctx, uint64_t seqno, uint64_t ns, char *rest)
{
	struct options o = parse_options(rest);
	uint64_t last_ns = st->s->last_ns;
	struct grtrace_snapshot *r = synth_record(st->s, GRTRACE_SNAPSHOT, sizeof(*r), ns);

	st->s->last_ns = last_ns;
	r->session_id = st->s->session_id;
	r->ctx = ctx;
	r->seqno = seqno;
	r->ring = o.ring;
	r->trigger = o.tgid;
	r->number = o.client_id ? 2 : 1;
	r->detail = o.status;
	r->missed = o.client_id;
}

static void put_stack(struct stage *st, uint64_t ctx, uint64_t seqno, uint64_t ns, char *rest)
{
	static const uint16_t bits[] = { GRTRACE_F_USER_UNKNOWN, GRTRACE_F_KERNEL_UNKNOWN };
	struct grtrace_stack *r = synth_event(st->s, GRTRACE_STACK, ns);

	r->ctx = ctx;
	r->seqno = seqno;
	r->user_stack = strtoull(rest + 1, &rest, 10);
	r->kernel_stack = strtoull(rest + 1, &rest, 10);
	r->hdr.flags = letters(rest, "uk", bits);
}

/* "9r50@11" */
static void put_switch(struct stage *st, char *p)
{
	uint32_t prev = strtoul(p, &p, 10), next;
	bool sleeps = *p == 's';
	struct grtrace_cpu_switch *r;

	next = strtoul(p + 1, &p, 10);
	r = synth_event(st->s, GRTRACE_CPU_SWITCH, us(p + 1, &p));
	r->prev_tid = prev;
	r->next_tid = next;
	r->prev_state = sleeps;
	r->hdr.flags = (prev >= FOLLOWED ? GRTRACE_F_PREV_FOLLOWED : 0) |
		       (next >= FOLLOWED ? GRTRACE_F_NEXT_FOLLOWED : 0);
}

static void put_vblank(struct stage *st, char *p)
{
	static const uint16_t bits[] = {
		GRTRACE_F_HIGH_PRECISION, GRTRACE_F_QUEUED, GRTRACE_F_DELIVERED,
	};
	uint64_t crtc = strtoull(p, &p, 10), frame = strtoull(p + 1, &p, 10), ns = us(p + 1, &p);
	struct grtrace_vblank *r = *p ? synth_whole_event(st->s, GRTRACE_VBLANK, ns) :
					synth_event(st->s, GRTRACE_VBLANK, ns);

	r->vblank_ns = *p == '>' ? us(p + 1, &p) : ns;
	r->crtc = crtc;
	r->frame = frame;
	if (*p == '~')
		r->client_id = strtoul(p + 1, &p, 10);
	if (*p == '#')
		r->tgid = strtoul(p + 1, &p, 10);
	if (*p == '^')
		r->pci_address = GRTRACE_PCI_ADDRESS(0, 11 + strtoul(p + 1, &p, 10), 0);
	r->hdr.flags = *p == ':' ? letters(p + 1, "hqd", bits) : 0;
}

/* "2@60=35000000/1~3:u" */
static void put_gauge(struct stage *st, char *p)
{
	static const uint16_t bits[] = { GRTRACE_F_UPPER_BOUND };
	uint32_t gauge = strtoul(p, &p, 10);
	struct grtrace_frequency *r = synth_whole_event(st->s, GRTRACE_FREQUENCY, us(p + 1, &p));
	int64_t value = strtoll(p + 1, &p, 10);

	r->gauge = gauge;
	r->freq_hz = gauge <= GRTRACE_GAUGE_MEMORY ? value : 0;
	r->power_uw = gauge == GRTRACE_GAUGE_POWER ? value : 0;
	r->temperature_mc = gauge == GRTRACE_GAUGE_TEMPERATURE ? value : 0;
	r->ring = *p == '/' ? strtoul(p + 1, &p, 10) : 0;
	r->pci_address = *p == '~' ? strtoul(p + 1, &p, 10) : 0;
	r->hdr.flags = *p == ':' ? letters(p + 1, "u", bits) : 0;
}

static uint32_t domain(char **p)
{
	if (**p != '-')
		return strtoul(*p, p, 10);
	++*p;
	return UINT32_MAX;
}

static void put_memory(struct stage *st, char *p)
{
	static const char ops[] = "cdmbufeswr";
	static const uint16_t bits[] = { GRTRACE_F_WRITE, GRTRACE_F_SYNTHETIC };
	const char *op = strchr(ops, *p);
	uint64_t object = strtoull(p + 1, &p, 10);
	bool is_old = *p == '!';
	uint64_t ns = us(p + 1, &p);
	struct grtrace_memory *r = is_old ? synth_event(st->s, GRTRACE_MEMORY, ns) :
					    synth_whole_event(st->s, GRTRACE_MEMORY, ns);

	if (!op)
		abort();
	r->op = op - ops;
	r->object_id = object;
	r->tgid = 7;
	if (!is_old)
		r->pci_address = GRTRACE_PCI_ADDRESS(0, 11, 0);
	while (*p) {
		switch (*p++) {
		case ':':
			r->bytes = strtoull(p, &p, 10);
			break;
		case '#':
			r->tgid = strtoul(p, &p, 10);
			break;
		case '~':
			r->vm_id = strtoull(p, &p, 10);
			break;
		case '>':
			r->from_domain = domain(&p);
			p++;
			r->to_domain = domain(&p);
			break;
		case '^':
			r->pci_address = GRTRACE_PCI_ADDRESS(0, 11 + strtoul(p, &p, 10), 0);
			break;
		case '!':
			r->hdr.flags = letters(p, "ws", bits);
			return;
		default:
			abort();
		}
	}
}

/* A MARK of process @tgid; 0: a TRACE_EVENT. */
static void put_text(struct stage *st, uint32_t tgid, char *p)
{
	uint64_t ns = us(p + 1, &p);

	for (char *plus = p; (plus = strchr(plus, '+')); )
		*plus = ' ';
	if (tgid)
		synth_mark_of(st->s, tgid, p + 1, ns);
	else
		synth_trace_event(st->s, p + 1, ns);
}

/* Handles words that are not a job's event; false: it is one. */
static bool put_other(struct stage *st, char *word)
{
	char *p = word + 1;
	uint64_t value;

	switch (*word) {
	case 'R':
		put_ring(st, p);
		return true;
	case 'P':
		put_process(st, p);
		return true;
	case 'T':
		put_stack_text(st, p);
		return true;
	case 'H':
		put_cgroup(st, p);
		return true;
	case 'J':
		put_machine(st, p);
		return true;
	case 'U':
		put_peer(st, p);
		return true;
	case 'L':
		value = strtoull(p, &p, 10);
		synth_lose(st->s, GRTRACE_FATE_BUFFER_FULL, value);
		synth_subbuf(st->s, us(p + 1, &p));
		return true;
	case 'K':
		put_switch(st, p);
		return true;
	case 'Y':
		value = strtoull(p, &p, 10);
		((struct grtrace_cpu_wake *)synth_event(st->s, GRTRACE_CPU_WAKE,
							us(p + 1, &p)))->tid = value;
		return true;
	case 'Z':
		value = 1000 * strtoull(p, &p, 10);
		((struct grtrace_suspend *)synth_event(st->s, GRTRACE_SUSPEND,
						       us(p + 1, &p)))->slept_ns = value;
		return true;
	case 'V':
		put_vblank(st, p);
		return true;
	case 'G':
		put_gauge(st, p);
		return true;
	case 'O':
		put_memory(st, p);
		return true;
	case 'M':
	case 'N':
		value = strtoull(p, &p, 10);
		put_text(st, value, p);
		return true;
	default:
		return false;
	}
}

static void put_word(struct stage *st, char *word)
{
	static const char names[] = "SCBEDXF";
	static const uint16_t types[] = {
		GRTRACE_SUBMIT, GRTRACE_COMMIT, GRTRACE_START, GRTRACE_END, GRTRACE_COMPLETE,
		GRTRACE_ERROR, GRTRACE_FENCE_SIGNALED,
	};
	uint64_t ctx, seqno, ns;
	const char *name;
	char *p;

	/* Definitions come first; the first event opens the first sub-buffer. */
	if (!st->s->subbufs && !strchr("RPTLZQU", *word))
		synth_subbuf(st->s, SYNTH_START);
	if (put_other(st, word))
		return;
	ctx = strtoull(word + 1, &p, 10);
	seqno = strtoull(p + 1, &p, 10);
	ns = us(p + 1, &p);
	name = strchr(names, *word);
	if (*word == 'W')
		put_dependency(st, ctx, seqno, ns, p);
	else if (*word == 'Q')
		put_snapshot(st, ctx, seqno, ns, p);
	else if (*word == 'A')
		put_stack(st, ctx, seqno, ns, p);
	else if (name)
		put_job_event(st, types[name - names], ctx, seqno, ns, p);
	else
		abort();
}

void scene_write(struct synth *s, const struct scene *scene)
{
	char *copy = strdup(scene->script), *save, *word;
	struct stage st = { .s = s };
	struct grtrace_stream_info *info;

	if (!copy)
		abort();
	synth_begin(s, 0);
	info = synth_find(s, GRTRACE_STREAM_INFO, 0);
	info->features |= 1u << GRTRACE_FEATURE_DEPENDENCIES | 1u << GRTRACE_FEATURE_RECOVERY |
			  1u << GRTRACE_FEATURE_CLIENT_ID;
	for (word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save))
		put_word(&st, word);
	synth_end(s, s->last_ns);
	free(copy);
}
