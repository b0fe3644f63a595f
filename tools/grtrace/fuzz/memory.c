// SPDX-License-Identifier: GPL-2.0
/* Makes the memory of a trace, in all formats. */
#include "fuzz.h"
#include "input.h"
#include "memory_sink.h"
#include "replay.h"
#include "source.h"
#include "stream.h"

static int begin_memory(void *arg, struct grt_model *model)
{
	return grt_memory_begin(arg, model);
}

static int add_memory_record(void *arg, const struct grtrace_hdr *rec)
{
	return grt_memory_record(arg, rec);
}

static int add_memory_job(void *arg, const struct grt_job *job)
{
	(void)arg;
	(void)job;
	return 0;
}

static int end_memory(void *arg)
{
	return grt_memory_end(arg);
}

/* Live bytes are what was created and not destroyed, also where sums overflow. */
static void check_live(const struct grt_memory *m)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < grt_memory_rows(m); i++) {
		const struct grt_memory_row *row = grt_memory_row_at(m, i);

		FUZZ_EXPECT(row->live.begin_bytes + row->created.bytes + row->moved_in.bytes ==
			    row->live.bytes + row->moved_out.bytes + row->destroyed.bytes);
		bytes += row->live.bytes;
	}
	FUZZ_EXPECT(bytes == m->all.live.level.bytes);
}

void fuzz_memory(const char *path, const struct grt_trace_info *info)
{
	static const struct grt_job_sink *const sinks[] = { &grt_job_text, &grt_job_csv, &grt_job_json };
	static const struct grt_replay_ops memory_ops = {
		.begin = begin_memory, .record = add_memory_record, .job = add_memory_job,
		.end = end_memory,
	};
	struct grt_window window = { .from_ns = 0 };
	struct grt_memory memory = { .wants = { .with_synthetic = true, .window = &window } };
	struct grt_replay replay = {
		.ops = &memory_ops, .arg = &memory, .window = &window, .is_final = true,
		.watches_events = true, .with_synthetic = true,
	};
	char *paths[] = { (char *)path };
	struct grt_stream *stream = NULL;
	struct grt_input *in;

	FUZZ_EXPECT(!grt_source_open(&in, 1, paths, 0));
	FUZZ_EXPECT(!grt_stream_open(&stream, in));
	FUZZ_EXPECT(!grt_replay_run(&replay, stream));
	check_live(&memory);
	for (size_t i = 0; i < sizeof(sinks) / sizeof(sinks[0]); i++) {
		struct grt_summary names = { .model = replay.model };
		struct grt_job_out out = { .file = fuzz_nowhere(), .summary = &names, .info = info };

		grt_memory_print(&out, &memory, sinks[i]);
	}
	grt_stream_close(stream);
	grt_memory_free(&memory);
	grt_replay_free(&replay);
}
