-- SPDX-License-Identifier: GPL-2.0
--
-- One set of tables for several servers: grtrace-load --room --schema creates them, on each server.  They are
-- in the database grtrace_room, and keep their rows in the tables of the database grtrace on all servers.
-- <remote_servers> in the servers' configuration must have two clusters, see Documentation/fleet.rst:
--
--	grtrace			a shard per server: all rows of a host are on the same one
--	grtrace_everywhere	one shard, of which each server is a replica: ledgers are on all servers, so the
--				question not-reconciled knows what a server had that does not answer
CREATE TABLE IF NOT EXISTS job AS grtrace.job ENGINE = Distributed(grtrace, grtrace, job, cityHash64(host));
CREATE TABLE IF NOT EXISTS sums AS grtrace.sums ENGINE = Distributed(grtrace, grtrace, sums, cityHash64(host));
CREATE TABLE IF NOT EXISTS ledger AS grtrace.ledger ENGINE = Distributed(grtrace_everywhere, grtrace, ledger)
