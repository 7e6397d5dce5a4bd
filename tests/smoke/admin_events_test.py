# SPDX-License-Identifier: MIT
"""/events: runs and their records as server-sent events."""
from admin_api import OPENAPI, Admin, Events, check_schema
from smoke import QUICK

SCHEMAS = OPENAPI["components"]["schemas"]


class OfAllRuns(Admin):
    def test_runs_come_get_on_and_go(self):
        self.serve()
        first = self.new_run(QUICK)
        events = Events(self.connect(), "/events")
        self.assertEqual(events.response.headers["Content-Type"], "text/event-stream")
        name, data, _ = events.next()
        self.assertEqual((name, [run["id"] for run in data["runs"]]), ("hello", [first["id"]]))
        check_schema(data, SCHEMAS["RunList"])
        run = self.new_run(QUICK)
        started = events.until("run_started")[1]
        check_schema(started, SCHEMAS["RunEvent"])
        self.assertEqual((started["run"]["id"], started["why"]), (run["id"], "started"))
        self.ask(run["url"])
        while True:
            data = events.until("progress")[1]
            check_schema(data, SCHEMAS["RunList"])
            if any(one["id"] == run["id"] and one["attempts"] == 1 for one in data["runs"]):
                break
        self.call("POST", f"/runs/{run['id']}/reset")
        self.assertEqual(events.until("run_reset")[1]["run"]["resets"], 1)
        self.call("DELETE", "/runs/" + run["id"])
        self.assertEqual(events.until("run_ended")[1]["why"], "deleted")


class OfOneRun(Admin):
    def test_records_come_with_the_offset_to_go_on_from(self):
        self.serve()
        run = self.new_run(QUICK)
        events = Events(self.connect(), "/events?run=" + run["id"])
        seen = []
        for _ in range(2):
            self.ask(run["url"])
            while True:
                name, data, number = events.next()
                self.assertEqual((name, number), ("record", len(seen) + 1))
                seen.append(data)
                if data["record"] == "ended":
                    break
        lines = self.get(f"/runs/{run['id']}/journal").lines
        self.assertEqual(lines[:len(seen)], seen)
        # As a browser does when it was cut off.
        again = Events(self.connect(), "/events?run=" + run["id"], {"Last-Event-ID": "2"})
        self.assertEqual(again.next()[1:], (seen[2], 3))
        later = Events(self.connect(), f"/events?run={run['id']}&from=1")
        self.assertEqual(later.next()[1:], (seen[1], 2))

    def test_a_reset_is_told_and_offsets_begin_anew(self):
        self.serve()
        run = self.new_run(QUICK)
        events = Events(self.connect(), "/events?run=" + run["id"])
        self.assertEqual(events.next()[1]["record"], "run")
        self.call("POST", f"/runs/{run['id']}/reset")
        data = events.until("run_reset")[1]
        check_schema(data, SCHEMAS["RunEvent"])
        self.assertEqual(data["why"], "reset")
        self.assertEqual(events.next()[2], 1)
        # Cut off before the reset, back after it.
        late = Events(self.connect(), "/events?run=" + run["id"], {"Last-Event-ID": "1000"})
        self.assertEqual(late.next()[2], 1)

    def test_the_end_is_told_with_its_reason(self):
        self.serve()
        for end, why in (("delete", "deleted"), ("ttl", "ttl")):
            run = self.new_run(QUICK, **({"ttl": "300ms"} if end == "ttl" else {}))
            events = Events(self.connect(), "/events?run=" + run["id"])
            events.next()
            if end == "delete":
                self.call("DELETE", "/runs/" + run["id"])
            data = events.until("run_ended")[1]
            check_schema(data, SCHEMAS["RunEvent"])
            self.assertEqual((data["run"]["id"], data["why"]), (run["id"], why))
            self.assertIsNone(events.next())
