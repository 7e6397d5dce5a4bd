# SPDX-License-Identifier: MIT
"""A server process with its children: started, looked at, stopped."""

import http.client
import os
import signal
import subprocess
import time
from pathlib import Path


class Process:
    """`command` must not put itself into the background."""

    def __init__(self, command, port, folder):
        self.port = port
        with open(folder / "output", "wb") as output:
            self._process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL,
                                             stdout=output, stderr=output,
                                             start_new_session=True)
        self._output = folder / "output"

    def wait_until_it_answers(self, path="/json", patience_s=60):
        end = time.monotonic() + patience_s
        while time.monotonic() < end:
            if self._process.poll() is not None:
                break
            if answers(self.port, path):
                return
            time.sleep(0.02)
        said = self._output.read_text(errors="replace")[-2000:]
        self.stop()
        raise RuntimeError(f"{self._process.args[0]} does not answer on {self.port}:\n{said}")

    def pids(self):
        """The process and all that it started."""
        found, todo = [], [self._process.pid]
        while todo:
            pid = todo.pop()
            found.append(pid)
            for task in Path(f"/proc/{pid}/task").glob("*/children"):
                todo += [int(child) for child in task.read_text(encoding="ascii").split()]
        return found

    def cpu_seconds(self):
        """Processor time of all threads, to the nanosecond (the ticks of `stat` are 10 ms)."""
        total = 0
        for pid in self.pids():
            for task in Path(f"/proc/{pid}/task").glob("*/schedstat"):
                total += int(task.read_text(encoding="ascii").split()[0])
        return total / 1e9

    def memory_kib(self):
        """Resident memory, summed; what processes share counts in each."""
        total = 0
        for pid in self.pids():
            for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
                if line.startswith("VmRSS:"):
                    total += int(line.split()[1])
        return total

    def stop(self):
        """Ends the process group that this object started, and no other."""
        for sign, patience_s in ((signal.SIGTERM, 5), (signal.SIGKILL, 5)):
            try:
                os.killpg(self._process.pid, sign)
            except ProcessLookupError:
                break
            try:
                self._process.wait(patience_s)
                break
            except subprocess.TimeoutExpired:
                continue


def answers(port, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path, headers={"Connection": "close"})
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
