#!/usr/bin/env python3
"""Measures what a stranger meets first: generated code, the time of a build, the pages.

    figures.py [BEFORE]     BEFORE: the folder of an older version, measured in turns with this one

Prints a line for each figure: its name, its bar, this version and the older one; the bars "half" and "0.4" are parts of
the older one. Times are seconds of the processor for the commands and all that they start: of a build one run, of short
commands the least of five; without ccache.
"""
import glob
import os
import resource
import shutil
import subprocess
import sys
import tempfile

HERE = os.getcwd()
ENVIRONMENT = {**os.environ, "CCACHE_DISABLE": "1", "MAKEFLAGS": "", "MAKELEVEL": ""}
FIVE = """kin: 1
package: five
contexts: { game: {} }
components:
  Position: { fields: { x: float, y: float } }
  Velocity: { fields: { x: float, y: float } }
  Health: { fields: { value: int32 } }
  Dead: {}
  Name: { fields: { text: string } }
"""
MANY = "kin: 1\npackage: many\ncontexts: { game: {} }\ncomponents:\n" + "".join(
    f"  Compo{number:03}: {{ fields: {{ x: float, y: float }} }}\n" for number in range(1000))


def run(command, folder):
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr[-2000:]}")


def seconds_of(command, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(command, folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def lines_of(paths):
    return sum(open(path).read().count("\n") for path in paths)


class Side:
    """A version: its folder, and a folder for what it makes."""

    def __init__(self, root, scratch):
        self.root = os.path.realpath(root)
        self.scratch = scratch
        self.build = os.path.join(scratch, "build")

    def generate(self, name, text):
        schema = os.path.join(self.scratch, name + ".yaml")
        with open(schema, "w") as file:
            file.write(text)
        run([os.path.join(self.build, "bin/kin"), "generate", "-q", "-o", self.scratch, schema], self.scratch)
        return glob.glob(os.path.join(self.scratch, name, "*.[ch]"))

    def make(self):
        shutil.rmtree(self.build, ignore_errors=True)
        return seconds_of(["make", "-j2", "all", "BUILD=" + self.build], self.root)

    def include(self, *compiler):
        source = os.path.join(self.scratch, "include.c")
        with open(source, "w") as file:
            file.write('#include "many/many.h"\n')
        folders = ["-I" + os.path.join(self.root, part, "include") for part in ("runtime", "save")]
        return seconds_of([*compiler, *folders, "-I" + self.scratch, "-c", source, "-o", "include.o"], self.scratch)

    def amalgamation(self):
        run(["make", "amalgamation", "BUILD=" + self.build], self.root)
        source = max(glob.glob(self.build + "/**/kin.c", recursive=True), key=os.path.getmtime)
        return seconds_of(["cc", "-O2", "-I" + os.path.dirname(os.path.dirname(source)), "-c", source, "-o", "kin.o"],
                          self.scratch)


def in_turns(sides, measure, rounds):
    least = [None] * len(sides)
    for _ in range(rounds):
        for number, side in enumerate(sides):
            found = measure(side)
            least[number] = found if least[number] is None else min(found, least[number])
    return least


def show(name, bar, figures, form="{:.0f}"):
    print(f"{name:46} {bar:>12} " + " ".join(f"{form.format(figure):>10}" for figure in figures), flush=True)


def main():
    with tempfile.TemporaryDirectory() as scratch:
        roots = [HERE, *sys.argv[1:2]]
        sides = [Side(root, os.path.join(scratch, str(number))) for number, root in enumerate(roots)]
        for side in sides:
            os.mkdir(side.scratch)
        print(f"{'':46} {'bar':>12} {'now':>10} {'before' if len(sides) > 1 else '':>10}")
        show("make -j2, seconds", "half", in_turns(sides, Side.make, 1), "{:.1f}")
        five = [side.generate("five", FIVE) for side in sides]
        show("five components: files", "4", [len(files) for files in five])
        show("five components: lines", "450", [lines_of(files) for files in five])
        match_one = [glob.glob(side.root + "/generated/match_one/*.[ch]") for side in sides]
        show("Match-One: lines", "3200", [lines_of(files) for files in match_one])
        many = [[path for path in side.generate("many", MANY) if path.endswith(".h")] for side in sides]
        show("1,000 components: bytes of headers", "1500000", [sum(map(os.path.getsize, files)) for files in many])
        for compiler in (["gcc", "-O2", "-Wall", "-Wextra"], ["gcc", "-O2"], ["clang", "-O2", "-Wall", "-Wextra"]):
            show("1,000 components: " + " ".join(compiler), "0.4",
                 in_turns(sides, lambda side: side.include(*compiler), 5), "{:.2f}")
        show("the amalgamation: cc -O2", "8", in_turns(sides, Side.amalgamation, 1), "{:.1f}")
        show("README.md: lines", "130", [lines_of([side.root + "/README.md"]) for side in sides])
        pages = [[page for page in glob.glob(side.root + "/docs/*.md")
                  if os.path.basename(page) not in ("README.md", "design.md", "internals.md")] for side in sides]
        show("the manual: pages", "about 24", [len(found) for found in pages])


main()
