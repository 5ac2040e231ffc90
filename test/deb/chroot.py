#!/usr/bin/env python3
"""Debian packages, the Dockerfile and the files for build servers, each tried in
a Debian 12 of its own that has nothing but the base system.

    chroot.py ROOT WORK PART...      PART: packages, docker, github, gitlab

Needs root, debootstrap and a mirror of Debian; without them it says so and ends
with 0.  CHROOT_BASE names a base system to copy, instead of a new one.
"""
import glob
import os
import re
import shutil
import subprocess
import sys

ROOT, WORK, PARTS = sys.argv[1], sys.argv[2], sys.argv[3:]
MIRROR = os.environ.get("DEBIAN_MIRROR")  # without it debootstrap's own
# What the tutorial wants beyond what packages depend on.
TUTORIAL = "python3 pkg-config gdb g++ libcmocka-dev"
passed = failed = 0
mounted = []

# What is mounted below WORK is seen by this process and its children alone: who
# kills it and removes WORK must not remove the files of /dev.
if os.geteuid() == 0 and "CHROOT_APART" not in os.environ:
    os.environ["CHROOT_APART"] = "yes"
    os.execvp("unshare", ["unshare", "--mount", "--pid", "--fork", "--kill-child",
                          sys.executable, *sys.argv])


def check(what, done, note=""):
    global passed, failed
    passed, failed = passed + bool(done), failed + (not done)
    if not done:
        print(f"FAILED chroot: {what}\n{note}")
    return done


def leave_out(why):
    print(f"chroot: left out: {why}\n0 passed, 0 failed")
    sys.exit(0)


def base():
    given = os.environ.get("CHROOT_BASE")
    if given:
        return given
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        leave_out("it needs root and debootstrap")
    to = os.path.join(WORK, "base")
    done = subprocess.run(["debootstrap", "--variant=minbase", "bookworm", to] +
                          ([MIRROR] if MIRROR else []), stdout=subprocess.DEVNULL)
    if done.returncode:
        leave_out(f"debootstrap ended with {done.returncode}")
    return to


class Chroot:
    """A copy of the base system."""

    def __init__(self, name):
        self.at, self.env, self.folder = os.path.join(WORK, name), {}, "/"
        subprocess.run(["cp", "-a", "--reflink=auto", BASE, self.at], check=True)
        shutil.copy("/etc/resolv.conf", self.at + "/etc/resolv.conf")
        for what in ("proc", "dev"):
            subprocess.run(["mount", "--bind", "/" + what, f"{self.at}/{what}"],
                           check=True)
            mounted.append(f"{self.at}/{what}")

    def run(self, what, code, status=0):
        env = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
               "HOME": "/root", "DEBIAN_FRONTEND": "noninteractive", **self.env}
        done = subprocess.run(
            ["chroot", self.at, "bash", "-e", "-c",
             f"cd {self.folder}\n{code}"], env=env, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        check(what, done.returncode == status,
              f"exit {done.returncode}\n{done.stdout[-3000:]}")
        return done.stdout

    def take(self, to):
        """The sources as a clone has them."""
        os.makedirs(self.at + to, exist_ok=True)
        archive = subprocess.Popen(["git", "-C", ROOT, "archive", "HEAD"],
                                   stdout=subprocess.PIPE)
        subprocess.run(["tar", "-x", "-C", self.at + to], stdin=archive.stdout,
                       check=True)

    def files(self):
        done = subprocess.run(
            ["find", self.at + "/usr", self.at + "/etc", "-iname", "*troupe*"],
            text=True, stdout=subprocess.PIPE)
        return done.stdout.split()


def packages():
    c = Chroot("packages")
    os.makedirs(c.at + "/debs")
    for deb in glob.glob(ROOT + "/build/deb/*.deb"):
        if "dbgsym" not in deb:
            shutil.copy(deb, c.at + "/debs")
    c.run("packages install", "apt-get update -q\napt-get install -y "
          "--no-install-recommends /debs/*.deb")
    c.run("and run with nothing else", """mkdir /first && cd /first
        troupe init && troupe test | tee out && grep 'ok  *complete' out""")
    c.run("what the tutorial wants", "apt-get install -y "
          "--no-install-recommends " + TUTORIAL)
    c.take("/repo")
    told = c.run("the tutorial", """mkdir /type && cd /type
        python3 /repo/test/tutorial/type.py /repo/doc/tutorial.md /repo --full""")
    check("typed whole", re.search(r"^[5-9]\d passed, 0 failed", told, re.M), told)
    c.run("uninstall", """apt-get purge -y troupe troupe-doc libtroupe0 \
        libtroupe-dev libtroupe-test-dev""")
    check("leaves nothing", not c.files(), c.files())


def docker():
    """The steps of the Dockerfile; what follows the second FROM in a second."""
    path = ROOT + "/examples/ci/Dockerfile"
    text = re.sub(r"\\\n\s*", " ", open(path).read())
    stages, c = {}, None
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word == "FROM":
            name = rest.split()[-1] if " AS " in rest else f"stage{len(stages)}"
            c = stages[name] = Chroot(name)
        elif word == "COPY" and rest.startswith("--from="):
            of, source, to = re.match(r"--from=(\S+) (\S+) (\S+)", rest).groups()
            subprocess.run(["cp", "-a", f"{stages[of].at}{source}/.",
                            c.at + to], check=True)
        elif word == "COPY":
            c.take(rest.split()[-1])
        elif word == "WORKDIR":
            c.folder = rest
        elif word == "RUN":
            c.run(f"Dockerfile: {rest[:60]}", rest)
        elif word not in ("", "#", "ENTRYPOINT"):
            check(f"Dockerfile: {word}", False, "this test cannot do it")
    c.folder = "/"
    c.run("the image tests a project", """mkdir -p /src && cd /src
        troupe init && troupe test --werror | tee out
        grep 'ok  *complete' out && grep '0 warnings' out""")


def server(name, path, step):
    """The lines that a build server would run, with a clone for the server."""
    c = Chroot(name)
    subprocess.run(["git", "clone", "-q", "--bare", ROOT, c.at + "/troupe.git"],
                   check=True)
    subprocess.run(["git", "-C", c.at + "/troupe.git", "branch", "-f", "tried"],
                   check=True)
    lines = open(f"{ROOT}/examples/first/{path}").read().split("\n")
    for word in ("troupe.ini", "first_test.c"):
        os.makedirs(c.at + "/project", exist_ok=True)
        shutil.copy(f"{ROOT}/examples/first/{word}", c.at + "/project")
    c.folder = "/project"
    c.env = {"TROUPE_SOURCE": "file:///troupe.git", "TROUPE_COMMIT": "tried"}
    steps = step(lines)
    check(f"{name} installs and tests", len(steps) >= 2, steps)
    c.run(f"{name}: its steps", "\n".join(steps))
    for word in ("troupe.html", "troupe.sarif", "troupe-junit.xml"):
        check(f"{name}: {word}", os.path.exists(f"{c.at}/project/{word}"))


def github_steps(lines):
    steps, inside = [], False
    for line in lines:
        if m := re.match(r"        run: (.*)", line):
            inside = m[1] == "|"
            steps += [] if inside else [m[1]]
        elif inside and line.startswith(" " * 10):
            steps.append(line.strip())
        else:
            inside = False
    # Each step begins in the project's folder.
    return [s if s.startswith("cd ") or "troupe test" not in s
            else "cd /project; " + s for s in steps]


def gitlab_steps(lines):
    found = [m[1] for l in lines if (m := re.match(r"    - (.*)", l))]
    return [s.strip("'") for s in found]


try:
    BASE = base()
    for part in PARTS:
        {"packages": packages, "docker": docker,
         "github": lambda: server("github", "github.yml", github_steps),
         "gitlab": lambda: server("gitlab", "gitlab-ci.yml", gitlab_steps),
         }[part]()
finally:
    for place in reversed(mounted):
        subprocess.run(["umount", "-l", place])
print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)
