# SPDX-License-Identifier: MIT
"""The OpenAPI description by itself: well formed, nothing dangling, nothing unused. Whether the
answers are as it says is seen in every call of admin_api.py."""
import re
import unittest

import jsonschema

from admin_api import OPENAPI, resolve

METHODS = ("get", "head", "post", "put", "patch", "delete", "options", "trace")


def nodes(node, path=""):
    yield path, node
    items = node.items() if isinstance(node, dict) else \
        enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        yield from nodes(value, f"{path}/{key}")


def operations():
    for path, item in OPENAPI["paths"].items():
        for method in METHODS:
            if method in item:
                yield path, method, item, item[method]


class Description(unittest.TestCase):
    def test_its_frame_is_openapi_3_1(self):
        self.assertRegex(OPENAPI["openapi"], r"^3\.1\.\d+$")
        self.assertEqual(set(OPENAPI) - {"openapi", "info", "servers", "security", "tags", "paths",
                                         "components"}, set())
        self.assertTrue({"title", "version"} <= set(OPENAPI["info"]))

    def test_every_reference_leads_somewhere_and_every_component_is_used(self):
        used = set()
        for path, node in nodes(OPENAPI):
            if isinstance(node, dict) and "$ref" in node:
                self.assertTrue(node["$ref"].startswith("#/components/"), path)
                resolve(node)
                used.add(node["$ref"])
        # Events are text: their data is described by name.
        for name in re.findall(r"data: (\w+)", OPENAPI["paths"]["/events"]["get"]["description"]):
            used.add("#/components/schemas/" + name)
        for kind in ("schemas", "responses", "parameters"):
            for name in OPENAPI["components"][kind]:
                self.assertIn(f"#/components/{kind}/{name}", used)

    def test_every_schema_is_json_schema_2020_12(self):
        for path, node in nodes(OPENAPI):
            if isinstance(node, dict) and isinstance(node.get("schema"), dict):
                jsonschema.Draft202012Validator.check_schema(node["schema"])
        for schema in OPENAPI["components"]["schemas"].values():
            jsonschema.Draft202012Validator.check_schema(schema)

    def test_every_operation_says_what_it_is_and_what_it_answers(self):
        names = []
        tags = {tag["name"] for tag in OPENAPI["tags"]}
        for path, method, _, operation in operations():
            with self.subTest(path=path, method=method):
                names.append(operation["operationId"])
                self.assertTrue(operation["summary"].endswith("."))
                self.assertTrue(set(operation["tags"]) <= tags)
                self.assertIn("default", operation["responses"])
                for status, response in operation["responses"].items():
                    self.assertRegex(status, r"^([2-5]\d\d|default)$")
                    self.assertTrue(resolve(response)["description"])
        self.assertEqual(len(names), len(set(names)))

    def test_every_parameter_of_a_path_is_described(self):
        for path, method, item, operation in operations():
            given = [resolve(one) for one in
                     item.get("parameters", []) + operation.get("parameters", [])]
            for one in given:
                self.assertIn(one["in"], ("path", "query"))
                self.assertIn("schema", one)
                self.assertEqual(one.get("required", False), one["in"] == "path")
            named = [one["name"] for one in given if one["in"] == "path"]
            self.assertEqual(named, re.findall(r"\{([^}]*)\}", path), path)
