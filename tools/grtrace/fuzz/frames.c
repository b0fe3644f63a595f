// SPDX-License-Identifier: GPL-2.0
/* Makes the frames of a trace, of all processes, in all formats. */
#include "frames_sink.h"
#include "fuzz.h"
#include "input.h"
#include "replay.h"
#include "source.h"
#include "stream.h"

#define NR_FORMATS	3

static const char *const formats[NR_FORMATS] = { "text", "csv", "json" };

static int begin_frames(void *arg, struct grt_model *model)
{
	return grt_frames_begin(arg, model);
}

static int add_frame_record(void *arg, const struct grtrace_hdr *rec)
{
	return grt_frames_record(arg, rec);
}

static int add_frame_job(void *arg, const struct grt_job *job)
{
	return grt_frames_job(arg, job);
}

static int end_frames(void *arg)
{
	return grt_frames_end(arg);
}

static bool wants_more_frames(void *arg)
{
	return grt_frames_wants_more(arg);
}

/* The parts of a frame sum to its length. */
static int check_frame(void *arg, const struct grt_frame *frame)
{
	uint64_t ns = 0;

	(void)arg;
	for (int i = 0; i < GRT_NR_FRAME_PARTS; i++)
		ns += frame->part_ns[i];
	FUZZ_EXPECT(frame->verdict == GRT_FRAME_LOSSY || ns == frame->end_ns - frame->start_ns);
	return 0;
}

void fuzz_frames(const char *path, const struct grt_trace_info *info)
{
	static const struct grt_replay_ops frames_ops = {
		.begin = begin_frames, .record = add_frame_record, .job = add_frame_job,
		.end = end_frames, .wants_more = wants_more_frames,
	};
	struct grt_frames frames = { .wants = {
		.per_process = true, .with_synthetic = true, .max_worst = 3, .frame = check_frame,
	} };
	struct grt_replay replay = {
		.ops = &frames_ops, .arg = &frames, .keeps_pieces = true, .watches_events = true,
		.with_synthetic = true,
	};
	char *paths[] = { (char *)path };
	struct grt_stream *stream = NULL;
	struct grt_input *in;

	FUZZ_EXPECT(!grt_source_open(&in, 1, paths, 0));
	FUZZ_EXPECT(!grt_stream_open(&stream, in));
	FUZZ_EXPECT(!grt_replay_run(&replay, stream));
	for (int i = 0; i < NR_FORMATS; i++) {
		struct grt_summary names = { .model = replay.model };
		struct grt_job_out out = { .file = fuzz_nowhere(), .summary = &names, .info = info };
		const struct grt_frames_sink *sink =
			grt_frames_sink_of(grt_job_sink_find(formats[i]));

		sink->begin(&out, &frames);
		sink->end(&out, &frames);
	}
	grt_stream_close(stream);
	grt_frames_free(&frames);
	grt_replay_free(&replay);
}
