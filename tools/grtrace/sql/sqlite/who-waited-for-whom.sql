-- SPDX-License-Identifier: GPL-2.0
-- Which pod waited for which, and through what.
select host, name, by_name, through, sum(waited_ns) as waited_ns
from pod_blame group by host, name, by_name, through
order by waited_ns desc, host, name nulls first, by_name nulls first, through nulls first;
