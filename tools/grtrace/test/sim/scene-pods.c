// SPDX-License-Identifier: GPL-2.0
/* Scenes with cgroups.  t-pods.sh has what they come to, worked out by hand. */
#include "scene.h"

#define TRAIN_	"0a1b2c3d_0000_4000_8000_00000000cafe"
#define SERVE	"5e54e000-0000-4000-8000-00000000beef"
#define ID_A	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define ID_B	"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define ID_C	"cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"
#define ID_D	"dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd"

/* Jobs wait for each other on one ring, then others run there alone. */
#define JOBS	"S1.1@0#7 C1.1@10 S2.1@20#9 C2.1@30 S3.1@40#10 C3.1@50 S4.1@60#8 C4.1@70 "		\
		"E1.1@1010 D1.1@1020 E2.1@2010 D2.1@2020 E3.1@3010 D3.1@3020 E4.1@4010 D4.1@4020 "	\
		"S5.1@5000#11 C5.1@5010 E5.1@5110 D5.1@5120 S6.1@6000#12 C6.1@6010 E6.1@6110 D6.1@6120 "	\
		"S7.1@7000#13 C7.1@7010 E7.1@7110 D7.1@7120 S8.1@8000#14 C8.1@8010 E8.1@8110 D8.1@8120"

const struct scene pod_scenes[] = {
	/*
	 * 7 and 8 are containers of one pod, whose name is known of one; 9 is in a pod without a name, 10
	 * in a container, 11 in a job of Slurm, 12 in a service; the path of 13 is not known, and 14 has
	 * no cgroup.
	 */
	{ "pods", "4:1", "J0=host=node-1;boot_id=11111111-2222-4333-8444-555555555555 R1=gfx,e0,c16 "
	  "P7%81=train P8%82=sidecar P9%83=serve P10%84=render P11%85=solve P12%86=desktop P13%87=gone P14%0=old "
	  "H81=/kubepods.slice/kubepods-pod" TRAIN_ ".slice/cri-containerd-" ID_A ".scope;pod=train-0;namespace=ml;container=main "
	  "H82=/kubepods.slice/kubepods-pod" TRAIN_ ".slice/cri-containerd-" ID_B ".scope "
	  "H83=/kubepods/burstable/pod" SERVE "/" ID_C " "
	  "H84=/system.slice/docker-" ID_D ".scope "
	  "H85=/system.slice/slurmstepd.scope/job_42/step_0/user/task_0 "
	  "H86=/user.slice/user-1000.slice/user@1000.service/app.slice/app-desktop.scope " JOBS },
	/*
	 * A pod of a StatefulSet was made again, so two pods have one name; so do rings 1 and 2, and containers that are
	 * called by characters which are not shown.
	 */
	{ "same-names", "4:1", "R1=queue,e0,c16 R2=queue,e0,c16 R3=gfx,e0 P7%81=train P8%82=train P9%83=a P10%84=b "
	  "H81=/kubepods.slice/kubepods-pod" TRAIN_ ".slice/cri-containerd-" ID_A ".scope;pod=train-0;namespace=ml "
	  "H82=/kubepods/pod" SERVE "/" ID_B ";pod=train-0;namespace=ml H83=/lxc/\001 H84=/lxc/\002 "
	  "S1.1@0#7 C1.1@10 S2.1@20#8 C2.1@30 S3.1@40/2#8 C3.1@50/2 S4.1@60/2#9 C4.1@70/2 S5.1@80/3#10 C5.1@90/3 "
	  "E1.1@1010 D1.1@1020 E2.1@2010 D2.1@2020 E3.1@3010/2 D3.1@3020/2 E4.1@4010/2 D4.1@4020/2 E5.1@5010/3 D5.1@5020/3" },
	/* Paths that no kernel writes, and definitions that contradict each other. */
	{ "odd-pods", "1:1", "R1=gfx,e0,c16 P7%81=a P8%82=b P9%83=c P10%84=d P11%85=e P12%86=f P13%87=g P14%0=h "
	  "H81=;pod=x H82=no/slash H83=/\033[31mred H84=/a,\"b\" H85=/x H85=/y H86==cmd() H0=/zero "
	  "J0=nothing J99=host=far J0=host=\033[31m;boot_id=a,b " JOBS },
};

const size_t nr_pod_scenes = sizeof(pod_scenes) / sizeof(pod_scenes[0]);
