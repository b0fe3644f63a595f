// SPDX-License-Identifier: GPL-2.0
/* Traces with frames, which refresh every 10 ms, and with gauges. */
#include "scene.h"

#define RINGS	"R1=gfx,e0,c4 R2=compute,e1,c1 P7=game P8=batch "

const struct scene frame_scenes[] = {
	/*
	 * By vertical blanks.  1: on time.  2: missed one, gfx ran 2:1.  3: on time.  4: missed one,
	 * the game submitted late.  5: missed one, its own job ran.  6: missed one, 2:2 hung.  7:
	 * events are missing.  8: on time.
	 */
	{ "vblanks", "1:2", RINGS
	  "V1.1@1000 S1.1@2000 C1.1@2010 E1.1@5010 D1.1@5020 V1.2@11000 S2.1@11500#8 C2.1@11510 "
	  "S1.2@12000 C1.2@12010 V1.3@21000 E2.1@25000 D2.1@25010 E1.2@28000 D1.2@28010 V1.4@31000 "
	  "S1.3@32000 C1.3@32010 E1.3@35010 D1.3@35020 V1.5@41000 V1.6@51000 S1.4@52000 C1.4@52010 "
	  "E1.4@55010 D1.4@55020 V1.7@61000 S1.5@62000 C1.5@62010 V1.8@71000 E1.5@75010 D1.5@75020 "
	  "V1.9@81000 S2.2@81100#8 C2.2@81110 S1.6@82000 C1.6@82010 X2.2@88000=1 X2.2@88100=2 "
	  "E2.2@88200=-62 D2.2@88210=-62 V1.10@91000 X0.0@92000=3 C1.6@92010 E1.6@95010 D1.6@95020 "
	  "V1.11@101000 L0@101500 S1.7@102000 C1.7@102010 L2@109000 V1.12@111000 S1.8@112000 "
	  "C1.8@112010 E1.8@115010 D1.8@115020 V1.13@121000" },

	/*
	 * By marks; the display's vertical blanks come 5 ms later.  1: on time.  2: 20 ms, mostly
	 * behind the fence of 3:1, which compute ran.  3: 20 ms, most of it 2:1 kept compute full.  4:
	 * on time, with two jobs.
	 */
	{ "marks", "1:2", RINGS
	  "M7@1000=frame+1 S1.1@2000 C1.1@2010 E1.1@4010 D1.1@4020 V1.1@6000 M8@10000=odd "
	  "M7@11000=frame+2 S3.1@11100/2#8 C3.1@11110/2 S1.2@12000 W1.2@12000>3.1db V1.2@16000 "
	  "E3.1@25010/2 D3.1@25020/2 C1.2@25030 V1.3@26000 E1.2@29030 D1.2@29040 M7@31000=frame+3 "
	  "S2.1@31100/2#8 C2.1@31110/2 S4.1@32000/2 V1.4@36000 E2.1@45000/2 D2.1@45010/2 C4.1@45020/2 "
	  "V1.5@46000 E4.1@47020/2 D4.1@47030/2 M7@51000=frame+4 S1.3@52000 C1.3@52010 S1.4@53000 "
	  "C1.4@53010 E1.3@54010 D1.3@54020 V1.6@56000 E1.4@56010 D1.4@56020 M7@61000=frame+5 "
	  "V1.7@66000" },

	/* By page flips, as record -e has them, with one after 30 ms: its job ran on another ring. */
	{ "flips", "1:3", RINGS
	  "N@1000=drm:drm_vblank_event_delivered+crtc=0+seq=1 S1.1@2000 C1.1@2010 E1.1@4010 D1.1@4020 "
	  "N@11000=drm:drm_vblank_event_delivered+crtc=0+seq=2 S1.2@12000 C1.2@12010 E1.2@14010 "
	  "D1.2@14020 N@21000=drm:drm_vblank_event_delivered+crtc=0+seq=3 S5.1@22000/2 C5.1@22010/2 "
	  "E5.1@47010/2 D5.1@47020/2 N@51000=drm:drm_vblank_event_delivered+crtc=0+seq=6" },

	/*
	 * Two jobs for each frame, and neither marks nor a display.  The third one takes 25 ms; then
	 * the game pauses for 300 ms.
	 */
	{ "bursts", "1:6", RINGS
	  "S1.1@1000 C1.1@1010 S1.2@1200 C1.2@1210 E1.1@3010 D1.1@3020 E1.2@5010 D1.2@5020 "
	  "S1.3@11000 C1.3@11010 S1.4@11200 C1.4@11210 E1.3@13010 D1.3@13020 E1.4@15010 D1.4@15020 "
	  "S2.1@16000#8 C2.1@16010 S1.5@21000 C1.5@21010 S1.6@21200 C1.6@21210 E2.1@40010 D2.1@40020 "
	  "E1.5@42010 D1.5@42020 E1.6@44010 D1.6@44020 S1.7@46000 C1.7@46010 S1.8@46200 C1.8@46210 "
	  "E1.7@48010 D1.7@48020 E1.8@50010 D1.8@50020 S1.9@56000 C1.9@56010 S1.10@56200 C1.10@56210 "
	  "E1.9@58010 D1.9@58020 E1.10@60010 D1.10@60020 S1.11@356000 C1.11@356010 S1.12@356200 "
	  "C1.12@356210 E1.11@358010 D1.11@358020 E1.12@360010 D1.12@360020 S1.13@366000 C1.13@366010 "
	  "E1.13@367010 D1.13@367020" },

	/*
	 * CRTC 0 has 100 Hz.  Its hardware stamps each blank 0.1 ms before the record.  Client 5 asks for
	 * frame 2 and is told after 8 ms, in time; for 3, and is told 1.6 ms after that began: late;
	 * for 5, which has passed.  Client 6 asks for 4, which nobody sees, and is told of 5 after 18
	 * ms: missed.  Then a flip of it comes in time, without a question.  7 to 16 are off.  Client 5 asks
	 * for 19, two events are lost, and it is told of 20: not known.  Its question for 21 has no answer.
	 *	seen 1 2 3 5 6 17 18 20 21; missing 4, 7 to 16, 19; 19 where events were lost
	 *	asked 6: in time 2 and 3, missed 4, passed 5, not known 19 and 21
	 *	told 6: late 3, the others in time
	 *	latency 8, 10.5 and 18 ms
	 * CRTC 1 has 8, 8.5 and 8 ms between its records, by which it refreshes each 8 ms; its numbers begin
	 * anew at 3.  A question without a client has no answer, and a client is told of 2, which was not seen.
	 */
	{ "asked", "1:2", RINGS
	  "V0.1@1000>900:h V0.2@3000~5#7:q V1.7@5000 V0.2@11000~5:d V0.2@11010>10900:h V0.3@12000~5#7:q "
	  "V1.8@13000 V0.3@21000>20900:h V1.9@21500 V0.3@22500~5:d V0.4@23000~6#8:q V1.3@30000 V1.4@38000 "
	  "V1.2@39000~5:d V1.5@39500#7:q V0.5@41000~6:d V0.5@41010>40900:h V0.5@42000~5#7:q V0.5@42010~5:d "
	  "V0.6@51000~6:d V0.6@51010>50900:h V0.17@161010>160900:h V0.18@171010>170900:h V0.19@172000~5#7:q "
	  "L0@175000 L2@182000 V0.20@191000~5:d V0.20@191010>190900:h V0.21@192000~5#7:q V0.21@201010>200900:h" },

	/* Client 6 asks for frame 3, which is not seen, and is told of 4: its only question is missed. */
	{ "missed", "1:2", RINGS
	  "V0.1@1000 V0.2@11000 V0.3@12000~6#8:q V0.4@31000~6:d V0.4@31010 V0.5@41000" },

	/* CRTC 0 of two GPUs, and CRTC 1 of the first. */
	{ "two-displays", "1:2", RINGS
	  "V0.1@1000^0 V0.7@2000^1 V1.5@3000^0 V0.2@11000^0 V0.8@12000^1 V1.6@13000^0 S1.2@14000 C1.2@14010 "
	  "E1.2@19010 D1.2@19020 V0.3@21000^0 V0.9@22000^1 V0.4@31000^0 V0.10@32000^1" },

	/*
	 * Ten seconds; address 2817 is that of the rings, 0000:0b:00.0.  The clock is sampled: 1 GHz
	 * from 1 s, 2 GHz from 2 s to 4 s, not known until 500 MHz from 6 s to 8 s.  The clock of the
	 * memory is 875 MHz from 3 s to 7 s, then off.  40 W from 1 s, 80 W from 5 s on.  61 degrees
	 * from 0, -2.5 from 9 s.  The clock of ring 2 is 300 MHz from 5 s on.
	 */
	{ "gauges", "1:2", RINGS
	  "S1.1@1000 G3@1001=61000~2817 C1.1@1010 E1.1@5010 D1.1@5020 G0@1000000=1000000000~2817:u "
	  "G2@1000001=40000000~2817 G0@2000000=2000000000~2817:u G1@3000000=875000000~2817 "
	  "G2@5000000=80000000~2817 G0@5000001=300000000/2 G0@6000000=500000000~2817:u "
	  "G1@7000000=0~2817 S1.2@8000000 C1.2@8000010 E1.2@8500000 D1.2@8500010 "
	  "G3@9000000=-2500~2817 S1.3@10000000 C1.3@10000010 E1.3@10000900 D1.3@10001000" },
};

const size_t nr_frame_scenes = sizeof(frame_scenes) / sizeof(frame_scenes[0]);
