# SPDX-License-Identifier: MIT
"""One file per measurement. Each has

NAME, ABOUT       what --only takes, and what it says
FIGURES           figure -> (its heading, decimals) of the printed table
GOALS             what retrylab is to reach
subjects(bench)   what takes turns
measure(bench, subject, process) -> figure -> number, of one turn
KEEPS_SERVERS     one process serves all turns (else each turn starts a new one)
STARTS_ITSELF     measure() starts the server; `process` is None
"""

from rows import (connects, held, idle, instant, memory, newconn, routes, script, spread, stalled,
                  start, throughput)

ALL = {row.NAME: row for row in (throughput, newconn, routes, script, held, instant, spread,
                                 stalled, connects, idle, start, memory)}
