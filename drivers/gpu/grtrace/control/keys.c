// SPDX-License-Identifier: GPL-2.0
/*
 * The table of config keys.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "../cost.h"
#include "../emit.h"
#include "../flight.h"
#include "../pipeline.h"
#include "../session.h"
#include "../statistics.h"
#include "config.h"
#include "control.h"

/* Streams have only this clock; reports convert its times to others. */
static int clock_set(const struct grt_key *key, const char *text)
{
	if (!strcmp(text, "mono"))
		return 0;
	return grtrace_ctl_error("config: clock is '%s', allowed mono (reports convert it)", text);
}

static void clock_show(char *to, size_t room)
{
	strscpy(to, "mono", room);
}

static int cost_apply(void)
{
	grt_cost_apply();
	grt_emit_extra_apply();
	return grt_pipeline_apply();
}

#define PROFILE_WORD(NAME, name) #name " "

static char types_written[GRT_WRITTEN], engines_written[GRT_WRITTEN];

static u64 reset_stats;		/* always 0 */

static int reset_apply(void)
{
	grt_statistics_reset();
	return 0;
}

/* A profile sets other keys: pass it the table, which it must not depend on. */
static int profile_set(const struct grt_key *key, const char *text)
{
	return grt_profile_set(grt_keys, grt_nr_keys, text);
}

static void profile_show(char *to, size_t room)
{
	grt_profile_show(grt_keys, grt_nr_keys, to, room);
}

const struct grt_key grt_keys[] = {
	{ .name = "buffer_size", .value = &grt_session.buffer_bytes,
	  .least = GRT_BUFFER_MIN, .most = GRT_BUFFER_MAX, .preset = GRT_BUFFER_DEFAULT,
	  .text = "bytes per CPU" },
	{ .name = "mode", .value = &grt_flight_mode, .most = GRT_MODE_OVERWRITE,
	  .words = "discard overwrite", .is_word = true,
	  .text = "discard drops new events if a buffer is full, overwrite the oldest ones" },
	{ .name = "snapshot_on", .value = &grt_flight_on,
	  .most = GRT_FLIGHT_ON_ERROR | GRT_FLIGHT_ON_STATUS,
	  .preset = GRT_FLIGHT_ON_ERROR | GRT_FLIGHT_ON_STATUS,
	  .words = "none error status all", .is_word = true,
	  .text = "with mode=overwrite: which events keep a snapshot; none error status all" },
	{ .name = "global_seq", .value = &grt_session.global_seq, .most = 2,
	  .text = "0 off, 1 on, 2 exact" },
	{ .name = "clock", .set = clock_set, .show = clock_show, .words = "mono",
	  .text = "clock of all times in a stream" },
	{ .name = "level", .value = &grt_policy.mask.level, .most = GRT_LEVEL_VERBOSE,
	  .preset = GRT_LEVEL_VERBOSE, .words = "off minimal normal verbose",
	  .text = "off minimal normal verbose", .apply = grt_pipeline_apply },
	{ .name = "filter_type_mask", .value = &grt_policy.mask.types, .most = U32_MAX,
	  .bits = BIT_ULL(GRTRACE_NR_EVENTS) - 1, .written = types_written,
	  .text = "bit N keeps type N, at least one existing type; 0, -1 or all keeps all",
	  .apply = grt_pipeline_apply },
	{ .name = "filter_engine_mask", .value = &grt_policy.mask.engines, .most = U32_MAX,
	  .bits = BIT_ULL(GRTRACE_NR_ENGINES) - 1, .written = engines_written,
	  .text = "bit N keeps engine class N, at least one existing class; 0, -1 or all keeps all",
	  .apply = grt_pipeline_apply },
	{ .name = "filter_ring_id", .set = grt_filter_ring_set, .show = grt_filter_ring_show,
	  .text = "row of the ring table or name of a ring, 0 keeps all" },
	{ .name = "watch_ctx", .alias = "trace_ctx", .set = grt_watch_ctx_set,
	  .show = grt_watch_ctx_show, .text = "fence contexts, separated by commas" },
	{ .name = "watchlist", .set = grt_watchlist_set, .show = grt_watchlist_show,
	  .text = "rings, separated by commas; a leading ! means all rings but these" },
	{ .name = "watch_allow_mode", .value = &grt_policy.watch.is_allow, .most = 1, .preset = 1,
	  .text = "1 keeps what is listed, 0 keeps the rest", .apply = grt_pipeline_apply },
	{ .name = "watch_combine", .value = &grt_policy.watch.is_or, .most = 1,
	  .words = "and or", .is_word = true, .text = "and or", .apply = grt_pipeline_apply },
	{ .name = "watch_ctx_add", .is_action = true, .set = grt_watch_ctx_add,
	  .text = "adds fence contexts to watch_ctx" },
	{ .name = "watch_ctx_clear", .is_action = true, .set = grt_watch_ctx_clear,
	  .text = "1 empties watch_ctx" },
	{ .name = "watch_ring_add", .is_action = true, .set = grt_watch_ring_add,
	  .text = "adds rings to watchlist" },
	{ .name = "watch_ring_clear", .is_action = true, .set = grt_watch_ring_clear,
	  .text = "1 empties watchlist" },
	{ .name = "watch_count", .set = grt_watch_count_set, .show = grt_watch_ctx_count_show,
	  .text = "how many contexts are listed; read only" },
	{ .name = "watch_ring_count", .set = grt_watch_count_set,
	  .show = grt_watch_ring_count_show,
	  .text = "how many rings are listed; read only" },
	{ .name = "sample", .alias = "sampling", .value = &grt_policy.sample_pct, .most = 100,
	  .preset = 100, .text = "percent of the jobs", .apply = grt_pipeline_apply },
	{ .name = "rate_limit", .alias = "max_events_per_sec", .value = &grt_policy.rate.limit_hz,
	  .most = GRT_RATE_MAX, .text = "events per second, 0 no limit",
	  .apply = grt_pipeline_apply },
	{ .name = "rate_limit_mode", .alias = "rate_limiter_mode", .value = &grt_policy.rate.mode,
	  .most = GRT_RATE_BUCKET, .words = "window bucket/token_bucket",
	  .text = "window, bucket or token_bucket", .apply = grt_pipeline_apply },
	{ .name = "rate_limit_burst", .value = &grt_policy.rate.burst, .most = GRT_RATE_BURST_MAX,
	  .text = "events that a full bucket holds, 0 = those of one second",
	  .apply = grt_pipeline_apply },
	{ .name = "backpressure_threshold", .value = &grt_policy.pressure.threshold_pct,
	  .most = 100, .text = "percent of a buffer waiting for the reader, 0 off",
	  .apply = grt_pipeline_apply },
	{ .name = "adaptive_sampling", .value = &grt_policy.pressure.is_adaptive, .most = 1,
	  .text = "above the threshold: 1 drops some jobs, 0 drops all",
	  .apply = grt_pipeline_apply },
	{ .name = "track_jobs", .value = &grt_policy.track_jobs, .most = 1,
	  .text = "1 tracks the jobs in flight, for the file jobs", .apply = grt_pipeline_apply },
	{ .name = "cost_sample", .value = &grt_cost_sample, .most = 65536,
	  .text = "every Nth written event of a CPU is timed, N a power of two; 0 none",
	  .is_allowed = grt_cost_is_allowed, .apply = cost_apply },
	{ .name = "reset_stats", .value = &reset_stats, .least = 1, .most = 1, .is_action = true,
	  .text = "1 resets the statistics", .apply = reset_apply },
	{ .name = "profile", .set = profile_set, .show = profile_show,
	  .words = GRT_PROFILES(PROFILE_WORD), .text = "sets several keys at once" },
};

const unsigned int grt_nr_keys = ARRAY_SIZE(grt_keys);
