#!/usr/bin/env python3
"""Types a tutorial: writes its C blocks to the files that their first lines
name, and runs the lines that begin with "$", in order.

    type.py TUTORIAL ROOT [--full]     in an empty folder

A command must end with 0, or with the status that its comment names ("status 1",
"status 0 or 1").  ID stands for the bug found last.  A block that begins with
"// from FILE" is an excerpt: its lines must stand in that file.  Without --full,
commands behind the heading "Getting to a line" are left out: they take long.
"""
import os
import re
import shutil
import subprocess
import sys

text, root = open(sys.argv[1]).read(), sys.argv[2]
full = "--full" in sys.argv
passed = failed = 0


def check(what, good, note=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print(f"FAILED tutorial: {what}\n{note}")


def block(lines, number):
    first = lines[0] if lines else ""
    if m := re.match(r"// from (\S+)$", first):
        known = {l.strip() for l in open(os.path.join(root, m[1]))}
        odd = [l for l in lines[1:] if l.strip() not in known | {"..."}]
        check(f"line {number}: an excerpt of {m[1]}", not odd, odd)
    elif m := re.match(r"// (\w+\.cc?)$", first):
        open(m[1], "w").write("\n".join(lines) + "\n")
        check(f"line {number}: {m[1]} is complete", "..." not in "\n".join(lines))
    else:
        check(f"line {number}: a block names its file", False, first)


def newest():
    folder = ".troupe/cases"
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return max(names, default="NONE",
               key=lambda n: os.stat(os.path.join(folder, n)).st_mtime)


# Sources that the tutorial speaks of and does not print.
LENT = {"bank.c": "examples/bank/bank.c", "bank.h": "examples/bank/bank.h",
        "buyer.c": "test/unit/tasks/buyer.c"}


def lend():
    for name, path in LENT.items():
        shutil.copy(os.path.join(root, path), name)


def command(line, number):
    code, _, comment = line.partition("  #")
    statuses = re.search(r"status (\d+)(?: or (\d+))?", comment)
    wanted = {int(x) for x in statuses.groups() if x} if statuses else {0}
    code = re.sub(r"\bID\b", newest(), code)
    done = subprocess.run(["bash", "-c", code], text=True, timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    check(f"line {number}: {code}", done.returncode in wanted,
          f"exit {done.returncode}, not {wanted}\n{done.stdout[-1500:]}")


inside, lines, long = False, [], False
for number, line in enumerate(text.split("\n"), 1):
    if line.startswith("## ") and "Getting to a line" in line:
        long = True
        lend()
    if line.startswith("```"):
        if inside:
            block(lines, number)
        inside, lines = not inside, []
        check(f"line {number}: a fence is of C", line in ("```", "```c", "```cpp"))
    elif inside:
        lines.append(line)
    elif line.startswith("    $ ") and (full or not long or "own" in line):
        command(line[6:], number)
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
