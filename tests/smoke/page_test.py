# SPDX-License-Identifier: MIT
"""The page's files at the admin port. What it does in a browser: scripts/test-page."""
import json
import re
import urllib.error
import urllib.request

from smoke import Smoke

TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


class Page(Smoke):
    def admin(self, *flags):
        process = self.start("serve", *flags, self.quick())
        return json.loads(process.stdout.readline())["admin_url"]

    def get(self, url):
        try:
            with urllib.request.urlopen(url, timeout=30) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read().decode()

    def files(self, admin):
        """Every file that the page asks for, whoever names it first."""
        _, _, text = self.get(admin + "/")
        wanted = re.findall(r'(?:href|src)="(page/[^"]+)"', text)
        for name in wanted:
            _, _, text = self.get(f"{admin}/{name}")
            wanted += [f"page/{other}" for other in re.findall(r'from "\./([^"]+)"', text)
                       if f"page/{other}" not in wanted]
        return wanted

    def test_it_comes_whole_and_under_a_strict_policy(self):
        admin = self.admin()
        status, headers, text = self.get(admin + "/")
        self.assertEqual(status, 200)
        self.assertIn("text/html", headers["Content-Type"])
        self.assertIn("retrylab", text)
        for directive in ("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'",
                          "require-trusted-types-for 'script'"):
            self.assertIn(directive, headers["Content-Security-Policy"])
        self.assertNotIn("unsafe", headers["Content-Security-Policy"])
        files = self.files(admin)
        self.assertIn("page/run_view.js", files)
        for name in files:
            status, headers, text = self.get(f"{admin}/{name}")
            self.assertEqual(status, 200, name)
            self.assertIn(TYPES[name.rsplit(".", 1)[1]], headers["Content-Type"])
            self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
            self.assertTrue(text)

    def test_other_files_are_none_of_it(self):
        admin = self.admin()
        for path in ("/page/", "/page/none.js", "/page/page.h", "/page/..%2Findex.html"):
            status, headers, _ = self.get(admin + path)
            self.assertEqual(status, 404, path)
            self.assertIn("application/problem+json", headers["Content-Type"])

    def test_the_page_needs_no_token_and_what_it_asks_does(self):
        self.write("token", "a-token-of-some-length\n")
        admin = self.admin("--admin-token-file", self.path("token"))
        for path in ("/", *(f"/{name}" for name in self.files(admin))):
            self.assertEqual(self.get(admin + path)[0], 200, path)
        for path in ("/runs", "/events", "/catalogue"):
            self.assertEqual(self.get(admin + path)[0], 401, path)
