// SPDX-License-Identifier: GPL-2.0
/* Scenes with events of memory.  t-memory.sh has what they come to, worked out by hand. */
#include "scene.h"

#define PROCESSES "R1=gfx,e0,c16,a R2=sdma0,e2,c16,a P7=game P8=llama P9=kswapd0 "

/*
 * Half a second of a leak, object numbers ending in @k, in second @s: 7 creates 1 MiB and keeps it.
 * Then it creates 2 MiB and destroys them, and so does 8 with 1 MiB.  @t, @u: tenths of the second.
 */
#define KEEP(k, s, t)		"Oc1" #k "@" #s #t "00000:1048576 "
#define CREATE(k, s, t)		"Oc2" #k "@" #s #t "00000:2097152 "
#define DESTROY(k, s, t)	"Od2" #k "@" #s #t "00000 "
#define CREATE_8(k, s, t)	"Oc3" #k "@" #s #t "00000:1048576#8 "
#define DESTROY_8(k, s, t)	"Od3" #k "@" #s #t "10000#8 "
#define PASS(k, s, t, u, v)	CREATE(k, s, t) DESTROY(k, s, u) CREATE_8(k, s, v) DESTROY_8(k, s, v)
#define SECOND(k, l, s)		KEEP(k, s, 0) PASS(k, s, 1, 2, 3) KEEP(l, s, 5) PASS(l, s, 6, 7, 8)
#define SECONDS_0_TO_4		SECOND(00, 01, 0) SECOND(02, 03, 1) SECOND(04, 05, 2) SECOND(06, 07, 3) \
				SECOND(08, 09, 4)
#define SECONDS_6_TO_9		SECOND(12, 13, 6) SECOND(14, 15, 7) SECOND(16, 17, 8) SECOND(18, 19, 9)
/* Second 5 with @event in its middle. */
#define SECOND_5(event)		KEEP(10, 5, 0) PASS(10, 5, 1, 2, 3) event KEEP(11, 5, 5) PASS(11, 5, 6, 7, 8)

#define ENDLESS(k, l, s)	KEEP(k, s, 0) CREATE(k, s, 1) CREATE_8(k, s, 3) KEEP(l, s, 5) \
				CREATE(l, s, 6) CREATE_8(l, s, 8)

const struct scene memory_scenes[] = {
	/*
	 * 7 has 1 MiB and 2 MiB, which move to VRAM; 8 evicts the first and creates 4 MiB; the second
	 * is destroyed by 8.  8 binds its object to 77 twice, and to 78 once.
	 */
	{ "memory", "", PROCESSES
	  "Oc1@0:1048576 Oc2@1000000:2097152 Om1@2000000:1048576>0.2 Om2@2500000:2097152>0.2 "
	  "Om1@3000000:1048576#8>2.1 Oe1@3000001:1048576#8 Oc3@4000000:4194304#8 Od2@5000000#8 "
	  "Od99@5500000:512#8 Ob3@6000000#8~77 Ou3@6100000#8~77 Ob3@6200000#8~77 Ob3@6300000#8~78 "
	  "Ob1@6400000 Of3@7000000#8!w Of3@7000001#8 Os0@8000000:65536#9 Ow3@8500000:100#8 "
	  "Or3@8600000:200#8 M7@11000000=end" },

	/* 7 keeps 1 MiB of each half second; 2 MiB more come and go, as do those of 8. */
	{ "leak", "", PROCESSES
	  SECONDS_0_TO_4 SECOND_5("") SECONDS_6_TO_9 "M7@10000000=end" },

	/* The same, but 7 gives ten of them back after 7 s. */
	{ "no-leak", "", PROCESSES
	  SECONDS_0_TO_4 SECOND_5("") SECOND(12, 13, 6) KEEP(14, 7, 0)
	  "Od100@7000001 Od101@7001001 Od102@7002001 Od103@7003001 Od104@7004001 "
	  "Od105@7005001 Od106@7006001 Od107@7007001 Od108@7008001 Od109@7009001 "
	  PASS(14, 7, 1, 2, 3) KEEP(15, 7, 5) PASS(15, 7, 6, 7, 8)
	  SECOND(16, 17, 8) SECOND(18, 19, 9) "M7@10000000=end" },

	/* The same, but no object ends: nobody can tell what is live. */
	{ "no-ends", "", PROCESSES
	  ENDLESS(00, 01, 0) ENDLESS(02, 03, 1) ENDLESS(04, 05, 2) ENDLESS(06, 07, 3)
	  ENDLESS(08, 09, 4) ENDLESS(10, 11, 5) ENDLESS(12, 13, 6) ENDLESS(14, 15, 7)
	  ENDLESS(16, 17, 8) ENDLESS(18, 19, 9) "M7@10000000=end" },

	/* The leak, with three events lost between 4.5 and 5.45 s. */
	{ "leak-lossy", "", PROCESSES
	  SECONDS_0_TO_4 SECOND_5("L3@5450000 ") SECONDS_6_TO_9 "M7@10000000=end" },

	/* The leak, but one object's number is used again without a DESTROY in between. */
	{ "leak-reused", "", PROCESSES
	  SECONDS_0_TO_4 SECOND_5("Oc100@5450000:1048576 ") SECONDS_6_TO_9 "M7@10000000=end" },

	/*
	 * As amdgpu does it since Linux 6.9: an object is placed before its CREATE, and its end is a
	 * MOVE to nowhere.
	 */
	{ "placed", "", PROCESSES
	  "Om1@0:1048576>-.2 Oc1@1:1048576 Om2@10:2097152>-.2 Oc2@11:2097152 Om1@500000:1048576>2.1 "
	  "Om2@800000:2097152>2.- Om1@900000:1048576>1.- M7@2000000=end" },

	/* As amdgpu of Linux 6.1 does it: both domains of a MOVE are the one that is entered. */
	{ "twice", "", PROCESSES
	  "Oc1@0:1048576 Om1@500000:1048576>2.2 Om1@800000:1048576>1.1 M7@2000000=end" },

	/* Object 1 of one GPU is not object 1 of the other; likewise their domains. */
	{ "two-gpus", "", "R1=gfx,e0,a R2=ccs,e1,d1,x R3=none,e0,d2 P7=game "
	  "Oc1@0:1000 Oc1@10:2000^1 Om1@20:1000>0.2 Om1@30:2000>1.3^1 Om1@40:3000>7.9^1 Od1@50^1 "
	  "Oc1@60:4000^5 Om1@70:4000>0.2^5 Od1@80^5 M7@2000000=end" },

	/* Records of an old trace are shorter: neither GPU nor address space is known. */
	{ "old-memory", "", PROCESSES
	  "Oc1!0:1000 Om1!10:1000>0.2 Ob1!20 Ou1!30 Ob1!40 Oc2!50:2000 Od1!60 M7@2000000=end" },

	/* Only events that were written by hand. */
	{ "memory-by-hand", "", PROCESSES "Oc1@0:4096!s Od1@10!s M7@20=end" },

	/*
	 * Jobs of the kernel behind a MOVE.  2:1 and 2:2 are of the same context, right behind it;
	 * 3:1 is of another one, 2:3 comes behind that.
	 */
	{ "moves", "2:1", PROCESSES
	  "Om1@0:4096>0.2 S2.1@10/2!k S2.2@20/2!k S3.1@30/2!k S2.3@40/2!k "
	  "Om2@100:4096>0.2 S4.1@110/2#7 Om3@200:4096>0.2 S2.4@210/2#8!k Om4@300:4096>0.2 S5.1@310/1!k "
	  "Om5@400:4096>0.1 S2.6@410/2!k Om6@500:4096>2.2 S2.7@510/2!k Om7@600:4096>2.0 S2.8@1700/2!k "
	  "Om8@1800:4096>2.0^1 S2.9@1810/2!k Om9@1900:4096>2.0 S2.10@1910/2~18446744073709551615!k "
	  "Om10@2000:4096>2.1 S2.11@2010/2~18446744073709551609!k Oc9@2100:4096 S2.12@2110/2!k "
	  "Om11@2200:4096>2.1 L3@2210 S2.13@2220/2!k "
	  "C2.1@3000/2 E2.1@3005/2 D2.1@3008/2 C2.2@3010/2 E2.2@3015/2 D2.2@3018/2 "
	  "C2.3@3020/2 E2.3@3025/2 D2.3@3028/2 C2.4@3030/2 E2.4@3035/2 D2.4@3038/2 "
	  "C2.6@3040/2 E2.6@3045/2 D2.6@3048/2 C2.7@3050/2 E2.7@3055/2 D2.7@3058/2 "
	  "C2.8@3060/2 E2.8@3065/2 D2.8@3068/2 C2.9@3070/2 E2.9@3075/2 D2.9@3078/2 "
	  "C2.10@3080/2 E2.10@3085/2 D2.10@3088/2 C2.11@3090/2 E2.11@3095/2 D2.11@3098/2 "
	  "C2.12@3100/2 E2.12@3105/2 D2.12@3108/2 C2.13@3110/2 E2.13@3115/2 D2.13@3118/2 "
	  "C5.1@3120/1 E5.1@3125/1 D5.1@3128/1 C3.1@3130/2 E3.1@3135/2 D3.1@3138/2 "
	  "C4.1@3140/2 E4.1@3145/2 D4.1@3148/2" },
};

const size_t nr_memory_scenes = sizeof(memory_scenes) / sizeof(memory_scenes[0]);
