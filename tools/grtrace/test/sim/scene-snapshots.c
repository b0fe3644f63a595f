// SPDX-License-Identifier: GPL-2.0
/* Scenes of a flight recorder: they end where it took a snapshot.  t-snapshot.sh says what reports print. */
#include "scene.h"

#define RINGS		"R1=gfx,e0,c2 R2=compute,e1,c2 R3=copy,e2,c2 P7=batch P8=copier P9=game "
#define ONE_JOB		"S1.1@0 C1.1@10 E1.1@1010 D1.1@1020 "
/* 15:43 has the ring compute to itself from 2010 on; 1:1 was in front of it. */
#define HANGS		"S1.1@0/2#9 C1.1@10/2#9 S15.43@100/2 C15.43@110/2 E1.1@2010/2#9 D1.1@2020/2#9 "
#define TIMEOUT		"X15.43@502010/2=1 "
#define BY_TIMEOUT	RINGS "Q15.43@502010/2#1=1 "

const struct scene snapshot_scenes[] = {
	/*
	 * 15:43 hangs.  15:44 is behind it on the ring, and 9:3 in the scheduler; 17:9 waits for 15:44, and
	 * 17:10 is behind 17:9.  5:1 runs on gfx, and 5:2 waits for a display: both have nothing to do with it.
	 */
	{ "snapshot-hang", "17:10", BY_TIMEOUT HANGS "S15.44@2100/2 C15.44@2110/2 S9.3@2200/2#9 "
	  "S17.9@2300/3#8 W17.9@2300>15.44d W17.9@2310>15.44b S17.10@2400/3#8 S5.1@2500#8 C5.1@2510#8 "
	  "S5.2@2600#8 W5.2@2600>90.5dfb " TIMEOUT },

	/* Nobody is behind it; or some jobs are elsewhere. */
	{ "snapshot-alone", "15:43", BY_TIMEOUT HANGS TIMEOUT },
	{ "snapshot-one", "5:1", BY_TIMEOUT HANGS "S5.1@2500#8 C5.1@2510#8 " TIMEOUT },
	{ "snapshot-others", "5:2", BY_TIMEOUT HANGS "S5.1@2500#8 C5.1@2510#8 S5.2@2600#8 " TIMEOUT },

	/* Four processes are behind it. */
	{ "snapshot-many", "1:2", BY_TIMEOUT "P10=train " HANGS "S15.44@2100/2 S1.2@2200/2#9 S5.1@2300/2#8 "
	  "S6.1@2400/2#10 " TIMEOUT },

	/* The driver reports START: of the job that hung; of another one, so that one has not begun. */
	{ "snapshot-started", "15:43", BY_TIMEOUT HANGS "B15.43@2050/2 " TIMEOUT },
	{ "snapshot-not-begun", "15:43", RINGS "Q15.43@502010/2#1=1 S1.1@0/2#9 C1.1@10/2#9 B1.1@20/2#9 "
	  "S15.43@100/2 C15.43@110/2 E1.1@2010/2#9 D1.1@2020/2#9 " TIMEOUT },

	/* Its SUBMIT was before the trace; so was its COMMIT, and 15:44 was handed over behind it. */
	{ "snapshot-late", "15:43", RINGS "Q15.43@502010/2#1=1 C15.43@110/2 S15.44@2100/2 " TIMEOUT },
	{ "snapshot-unseen", "15:44", RINGS "Q15.43@502010/2#1=1 S15.44@2100/2 C15.44@2110/2 "
	  "S9.3@2200/2#9 " TIMEOUT },

	/* Events are missing, so 9:3 may be over. */
	{ "snapshot-lossy", "9:3", BY_TIMEOUT "S9.3@0/3#9 L4@50 S15.43@100/2 C15.43@110/2 " TIMEOUT },

	/* The triggers.  A snapshot may be taken long after the last event: 1:2 runs all the time. */
	{ "snapshot-status", "1:1", RINGS "Q1.1@1021#2=-5 S1.1@0 C1.1@10 E1.1@1010=-5 D1.1@1020=-5 " },
	{ "snapshot-rule", "1:1", RINGS "Q1.1@1021#3=4 " ONE_JOB },
	{ "snapshot-rule-only", "1:1", RINGS "Q0.0@1021/0#3=4 " ONE_JOB },
	{ "snapshot-request", "1:2", RINGS "Q0.0@3000000/0#0 " ONE_JOB "S1.2@1100 C1.2@1110 S1.3@1200 " },
	{ "snapshot-stop", "1:1", RINGS "Q0.0@1021/0#4~3 " ONE_JOB },
	{ "snapshot-gpu", "1:1", RINGS "Q0.0@1021/0#1=5 " ONE_JOB },
	{ "snapshot-newer", "1:1", RINGS "Q0.0@1021/0#9=1~1 " ONE_JOB },
	{ "snapshot-newer-error", "1:1", RINGS "Q1.1@1021#1=99 " ONE_JOB },
};

const size_t nr_snapshot_scenes = sizeof(snapshot_scenes) / sizeof(snapshot_scenes[0]);
