# SPDX-License-Identifier: MIT
"""Runs the retrylab binary in a folder of its own, for the smoke tests."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BINARY = os.environ["RETRYLAB_BINARY"]
HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
CLIENT = [sys.executable, str(HERE / "client.py")]

# One refusal, then an answer; the client below waits 50 ms in between.
QUICK = {
    "name": "quick",
    "routes": [{"on": "GET /", "script": [503, 200]}],
    "expect": {"profile": "core", "attempts": 2},
}


class Smoke(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = {k: v for k, v in os.environ.items()
                            if k not in ("COLUMNS", "NO_COLOR", "FORCE_COLOR")}

    def path(self, name):
        return str(self.folder / name)

    def write(self, name, content):
        text = content if isinstance(content, str) else json.dumps(content)
        (self.folder / name).write_text(text)
        return self.path(name)

    def read(self, name):
        return (self.folder / name).read_text()

    def quick(self, **changes):
        return self.write("quick.json", {**QUICK, **changes})

    def retrylab(self, *arguments, code=0, environment=None):
        """Runs it to its end and checks the exit code; None: any."""
        done = subprocess.run([BINARY, *arguments], cwd=self.folder, capture_output=True,
                              text=True, timeout=60, stdin=subprocess.DEVNULL,
                              env={**self.environment, **(environment or {})})
        if code is not None:
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def start(self, *arguments, **options):
        process = subprocess.Popen([BINARY, *arguments], cwd=self.folder, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=self.environment, **options)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
        process.communicate()
