-- SPDX-License-Identifier: GPL-2.0
-- What each ring did: busy, and why it was idle.  In each row the causes sum to wall_ns.
select host, device, ring, sum(wall_ns) as wall_ns, sum(busy_ns) as busy_ns, sum(occupied_ns) as occupied_ns,
	sum(starved_ns) as starved_ns, sum(dependency_ns) as dependency_ns, sum(scheduler_ns) as scheduler_ns,
	sum(hardware_ns) as hardware_ns, sum(recovery_ns) as recovery_ns, sum(unknown_ns) as unknown_ns
from time where scope = 'ring' group by host, device, ring order by host, device nulls first, ring nulls first;
