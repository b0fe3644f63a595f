#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the mock GPU refuses bad requests, and its jobs run, hang and die as they should
# kernels: 6.1
# requires: mock mock-test
mock-test || fail "mock-test found faults"
