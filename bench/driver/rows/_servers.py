# SPDX-License-Identifier: MIT
"""The usual subjects of a row."""

from servers import PEERS, RETRYLAB
from turns import Subject


def everybody(bench):
    return [Subject(server.name, server)
            for server in (RETRYLAB, *(PEERS[peer] for peer in bench.peers))]
