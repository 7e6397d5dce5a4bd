# SPDX-License-Identifier: MIT
"""How a server and a run begin and end beside whoever started them."""
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import time

from smoke import BINARY, CLIENT, ROOT, Smoke

PATIENCE = 30  # seconds that something may take on a busy machine

# Starts the program and is killed: what happens to its child?
PARENT = """
import subprocess, sys, time
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=sys.stdout)
child.wait()
"""


class Lifecycle(Smoke):
    def serve(self, *arguments, **options):
        process = self.start("serve", *arguments, **options)
        return process, json.loads(process.stdout.readline())

    def begin_request(self, url):
        """One attempt that the server has begun to answer and does not end."""
        port = int(url.rsplit(":", 1)[1])
        client = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.addCleanup(client.close)
        client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        return client

    def test_sigterm_ends_within_a_second_with_journal_and_verdict(self):
        """With clients that are held for ever. The best of three: the machine may be busy."""
        scenario = self.write("held.json", {
            "name": "held", "expect": {"profile": "core"},
            "routes": [{"on": "GET /", "script": [{"status": 200, "delay": "1h"}]}]})
        took = []
        for attempt in range(3):
            process, ready = self.serve(scenario, "--journal", "j.ndjson", "--json", "r.json")
            held = [self.begin_request(ready["url"]) for _ in range(5)]
            self.wait_for(lambda: self.read("j.ndjson").count('"begun"') == len(held))
            begin = time.monotonic()
            process.send_signal(signal.SIGTERM)
            _, err = process.communicate(timeout=PATIENCE)
            took.append(time.monotonic() - begin)
            self.assertEqual(process.returncode, 0, err)
            self.assertRegex(err, r"(?m)^\S+ [A-Z]+ +held")
            last = self.read("j.ndjson").splitlines()[-1]
            self.assertEqual(json.loads(last)["record"], "end")
            self.assertEqual(json.loads(self.read("r.json"))["scenario"]["name"], "held")
            if took[-1] < 1:
                return
        self.fail(f"took {took} seconds")

    def test_a_run_ends_within_a_second_though_its_client_ignores_the_signal(self):
        took = []
        for _ in range(3):
            process = self.start("run", self.quick(), "--json", "r.json", "--", "sh", "-c",
                                 "trap '' TERM; echo started; while :; do sleep 0.05; done")
            while process.stdout.readline().strip() != "started":
                self.assertIsNone(process.poll())
            begin = time.monotonic()
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=PATIENCE)
            took.append(time.monotonic() - begin)
            self.assertEqual(process.returncode, 128 + signal.SIGTERM)
            self.assertIn("rules", json.loads(self.read("r.json")))
            if took[-1] < 1:
                return
        self.fail(f"took {took} seconds")

    def test_the_ready_fd_gets_the_line_and_is_closed(self):
        ours, theirs = os.pipe()
        process, ready = self.serve(self.quick(), "--ready-fd", str(theirs), pass_fds=[theirs])
        os.close(theirs)
        with open(ours) as pipe:
            self.assertEqual(json.loads(pipe.read()), ready)

    def test_a_ready_fd_that_is_not_open_is_named(self):
        done = self.retrylab("serve", self.quick(), "--ready-fd", "77", code=4)
        self.assertIn("--ready-fd 77", done.stderr)

    def test_the_end_of_standard_input_ends_it(self):
        process = subprocess.Popen([BINARY, "serve", self.quick(), "--exit-on-stdin-close"],
                                   cwd=self.folder, text=True, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self.end, process)
        process.stdout.readline()
        process.stdin.write("what comes is thrown away\n")
        process.stdin.flush()
        self.assertIsNone(process.poll())
        _, err = process.communicate(timeout=PATIENCE)  # closes it
        self.assertEqual(process.returncode, 0)
        self.assertIn("quick", err)

    def orphan(self, *arguments):
        """Lets the program's parent be killed; True when the program ends after that too."""
        parent = subprocess.Popen([sys.executable, "-c", PARENT, BINARY, *arguments],
                                  cwd=self.folder, text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, start_new_session=True)
        self.addCleanup(self.end, parent)
        first = parent.stdout.readline()
        parent.kill()
        parent.wait(PATIENCE)
        # The program and its client have the other end of the pipe.
        ended = select.select([parent.stdout], [], [], PATIENCE)[0] and not parent.stdout.read()
        if not ended:
            os.killpg(parent.pid, signal.SIGKILL)
        return first, bool(ended)

    def test_the_end_of_the_parent_ends_a_server(self):
        first, ended = self.orphan("serve", self.quick(), "--exit-with-parent", "--json", "r.json")
        self.assertEqual(json.loads(first)["event"], "ready")
        self.assertTrue(ended)
        self.assertIn("rules", json.loads(self.read("r.json")))

    def test_the_end_of_the_parent_ends_a_run_and_its_client(self):
        first, ended = self.orphan("run", self.quick(), "--exit-with-parent", "--json", "r.json",
                                   "--", "sh", "-c", "echo started; exec sleep 600 >/dev/null")
        self.assertEqual(first, "started\n")
        self.wait_for(lambda: (self.folder / "r.json").exists())

    def test_every_flag_has_a_variable(self):
        table = self.retrylab("variables").stdout
        commands = re.findall(r"^  (\w+) ", self.retrylab("--help").stdout.split("Commands:")[-1]
                              .split("Subcommands:")[-1], re.M)
        self.assertIn("serve", commands)
        for command in commands:
            text = self.retrylab(command, "--help").stdout
            flags = set(re.findall(r"^  (?:-\w,)?--([\w-]+)", text, re.M))
            for flag in flags - {"help", "version"}:
                name = "RETRYLAB_" + flag.upper().replace("-", "_")
                line = re.search(rf"^{name} +--{flag} .*\b{command}\b", table, re.M)
                self.assertTrue(line, f"{command} --{flag}")

    def test_the_page_of_variables_is_what_the_program_prints(self):
        page = (ROOT / "docs/variables.md").read_text()
        self.assertEqual(page, self.retrylab("variables", "--markdown").stdout)

    def test_a_variable_sets_its_flag_and_the_command_line_wins(self):
        scenario = self.quick()
        client = ["--", *CLIENT, "{url}"]
        seed = {"RETRYLAB_SEED": "77", "RETRYLAB_JSON": "r.json"}
        self.retrylab("run", scenario, *client, environment=seed)
        self.assertEqual(json.loads(self.read("r.json"))["seed"], 77)
        self.retrylab("run", scenario, "--seed", "78", *client, environment=seed)
        self.assertEqual(json.loads(self.read("r.json"))["seed"], 78)

    def test_a_variable_sets_a_flag_without_a_value(self):
        self.environment["RETRYLAB_JUDGE"] = "1"
        process, _ = self.serve(self.quick())
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 1)

    def test_a_variable_of_another_command_disturbs_none(self):
        self.retrylab("check", self.quick(), environment={"RETRYLAB_PORT": "no port",
                                                          "RETRYLAB_HERD": "many"})
        done = self.retrylab("serve", self.quick(), code=2,
                             environment={"RETRYLAB_PORT": "no port"})
        self.assertIn("--port", done.stderr)

    def test_health_says_that_nobody_listens(self):
        done = self.retrylab("health", "http://127.0.0.1:1", code=1)
        self.assertIn("http://127.0.0.1:1: no answer: cannot connect", done.stderr)

    def test_health_is_well_while_it_serves(self):
        _, ready = self.serve(self.quick())
        self.retrylab("health", ready["admin_url"])
        port = ready["admin_url"].rsplit(":", 1)[1]
        self.retrylab("health", environment={"RETRYLAB_ADMIN_PORT": port})
        # A run's port has no such thing, and says so loudly enough.
        self.assertIn("404", self.retrylab("health", ready["url"], code=1).stderr)

    def test_health_says_why_not(self):
        self.assertIn("which server", self.retrylab("health", code=2).stderr)
        with socket.socket() as taken:  # bound and not listening: nobody answers there
            taken.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{taken.getsockname()[1]}"
            self.assertIn(url, self.retrylab("health", url, code=1).stderr)
            again = self.retrylab("health", code=1, environment={
                "RETRYLAB_ADMIN_PORT": str(taken.getsockname()[1])})
            self.assertIn(url, again.stderr)

    def wait_for(self, condition):
        deadline = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
