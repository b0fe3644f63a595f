#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a job that both the filter and sampling hold back has one JOB record, and none if it is outside the share
# kernels: 6.1
# requires: grtrace
need_module grtrace_filter
need_module grtrace_sampling
trap 'filter_undo; put sampling_mode off; put sampling_rate 100; put sampling_threshold 1ms' EXIT

job() { emit submit 7 gfx 0 "$1"; emit complete 7 gfx 0 "$1"; }

put filter_latency 1
put filter_enabled 1
put sampling_threshold 0
put sampling_mode threshold
session_start
job 1
expect_eq "JOB written with both" "$(column JOB written)" 1
put filter_enabled 0
job 2
expect_eq "JOB written by sampling" "$(column JOB written)" 2
put filter_enabled 1
put sampling_mode static
job 3
expect_eq "JOB written of the whole share" "$(column JOB written)" 3
put sampling_rate 0
job 4
expect_eq "JOB written of no share" "$(column JOB written)" 3
expect_eq "JOB sampled of no share" "$(column JOB sampled)" 1
session_stop
fates_sum
expect_eq "written in all" "$(stat written)" 3
