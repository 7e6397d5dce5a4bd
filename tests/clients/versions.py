# SPDX-License-Identifier: MIT
"""The versions of a client of clients.json: what is pinned, or what the program says of itself."""
import json
import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).parent


def pinned_python(package):
    text = (HERE / "python/requirements.txt").read_text()
    return re.search(rf"^{re.escape(package)}==(.*)$", text, re.M)[1]


def pinned_javascript(package):
    return json.loads((HERE / "node/package.json").read_text())["dependencies"][package]


def pinned_go(package):
    text = (HERE / "go/go.mod").read_text()
    return re.search(rf"^\s+{re.escape(package)} v(\S+)$", text, re.M)[1]


def pinned_java(package):
    text = (HERE / "java/pom.xml").read_text()
    return re.search(rf"<artifactId>{re.escape(package)}</artifactId>\s*<version>(.*?)<", text)[1]


def pinned_rust(package):
    text = (HERE / "rust/Cargo.toml").read_text()
    return re.search(rf'^{re.escape(package)} = .*?"=([^"]+)"', text, re.M)[1]


PINNED = {"Python": pinned_python, "JavaScript": pinned_javascript, "Go": pinned_go,
          "Java": pinned_java, "Rust": pinned_rust}


def of(client):
    """Such as "axios 1.21.1, axios-retry 4.5.0"."""
    if "version_of" in client:
        said = subprocess.run(client["version_of"], capture_output=True, text=True).stdout
        return " ".join(said.split("\n")[0].split()[:3]).split(" (")[0]
    pinned = PINNED[client["language"]]
    return ", ".join(f"{name.split('/')[-1] if client['language'] == 'Go' else name} {pinned(name)}"
                     for name in client["packages"])
