-- SPDX-License-Identifier: GPL-2.0
-- What each ring did: busy, and why it was idle.  In each row the causes sum to wall_ns.
SELECT host, device, ring, sum(wall_ns) AS wall_ns, sum(busy_ns) AS busy_ns, sum(occupied_ns) AS occupied_ns,
	sum(starved_ns) AS starved_ns, sum(dependency_ns) AS dependency_ns, sum(scheduler_ns) AS scheduler_ns,
	sum(hardware_ns) AS hardware_ns, sum(recovery_ns) AS recovery_ns, sum(unknown_ns) AS unknown_ns
FROM sums FINAL WHERE row = 'time' AND scope = 'ring'
GROUP BY host, device, ring ORDER BY host, device NULLS FIRST, ring NULLS FIRST
