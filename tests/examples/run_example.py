# SPDX-License-Identifier: MIT
"""run_example.py KIND FOLDER: runs an example project with its own test runner, in a copy of it and
with the built retrylab on the PATH. Exit code 77 when its tools are not installed."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# What is asked first; any of it that fails means that the tools are not here.
TOOLS = {
    "ctest": [["ctest", "--version"]],
    "go": [["go", "version"]],
    # Maven downloads its plugins once; where it cannot, they are a tool that is not here.
    "junit": [["javac", "-version"],
              ["mvn", "-q", "-B", "test", "-Dmaven.test.failure.ignore=true"]],
    "npm": [["npm", "--version"], ["node", "-e", "require('node:test')"]],
    "pytest": [[sys.executable, "-m", "pytest", "--version"]],
}
STEPS = {
    "ctest": [["cmake", "-S", ".", "-B", "build"], ["cmake", "--build", "build"],
              ["ctest", "--test-dir", "build", "--output-on-failure"]],
    "go": [["go", "test", "-count=1", "./..."]],
    "junit": [["mvn", "-o", "-q", "-B", "test"]],
    "npm": [["npm", "test"]],
    "pytest": [[sys.executable, "-m", "pytest", "-q"]],
}


TOOL_SECONDS = 150


def run(step, folder, environment, seconds=None):
    try:
        return subprocess.run(step, cwd=folder, env=environment, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=seconds)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(step, 124, f"{step[0]} took more than {seconds} s\n")
    except FileNotFoundError:
        return subprocess.CompletedProcess(step, 127, f"{step[0]} is not installed\n")


kind, source = sys.argv[1:]
with tempfile.TemporaryDirectory() as place:
    folder = pathlib.Path(place, kind)
    shutil.copytree(source, folder)
    binary = pathlib.Path(os.environ["RETRYLAB_BINARY"])
    environment = {**os.environ, "PATH": f"{binary.parent}{os.pathsep}{os.environ['PATH']}"}
    for step in TOOLS[kind]:
        asked = run(step, folder, environment, TOOL_SECONDS)
        if asked.returncode != 0:
            print(f"skipped: `{' '.join(step)}` does not work here\n{asked.stdout[-2000:]}")
            sys.exit(77)
    for step in STEPS[kind]:
        done = run(step, folder, environment)
        print(done.stdout)
        if done.returncode != 0:
            sys.exit(1)
