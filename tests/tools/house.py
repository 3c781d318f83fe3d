#!/usr/bin/env python3
"""Measures the house: how large the stones are, and how far a reader has to walk.

    house.py BUILD     BUILD has the checked objects of the runtime, in which calls are counted

The figures show a direction. They are no limits: a file or a function ends where its thought ends.
"""
import glob
import os
import re
import subprocess
import sys

PARTS = ("runtime", "generator", "save", "pool", "content", "net", "nats", "enet", "inspector")
ASSERT = r"\b(?:KIN_ASSERT|KIN_VALIDATE|assert)\("


def files_of(part):
    return [f for f in glob.glob(f"{part}/**/*.[ch]", recursive=True) if "/build/" not in f]


def code_of(text):
    return re.sub(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"', "", text)


def functions_of(text):
    lengths, start = [], None
    for number, line in enumerate(text.split("\n")):
        if line == "{":
            start = number
        elif line == "}" and start is not None:
            lengths.append(number - start - 1)
            start = None
    return lengths


def share_of_one_caller(texts):
    once = total = 0
    for text in texts:
        code = code_of(text)
        for name in set(re.findall(r"^static\s[^=;(]*?\b([a-z_]\w*)\([^;{]*\)\n\{", code, re.M)):
            total += 1
            uses = len(re.findall(rf"\b{name}\b", code)) - len(re.findall(rf"^[\w].*\b{name}\(", code, re.M))
            once += uses == 1
    return 100 * once / max(total, 1)


def ternaries_of(lines):
    return sum(1 for line in lines if " ? " in line)


def chains_of(lines):
    return sum(1 for line in lines if len(re.findall(r"&&|\|\|", line)) >= 2)


def percentile(numbers, share):
    numbers = sorted(numbers)
    return numbers[min(len(numbers) - 1, int(len(numbers) * share))]


def calls_in(build):
    """The functions that each function of the runtime calls, and the file of each."""
    calls, owner = {}, {}
    for path in glob.glob("runtime/src/*/*.c"):
        name = None
        listing = subprocess.check_output(["objdump", "-dr", f"{build}/checked/{path[:-2]}.o"], text=True)
        for line in listing.split("\n"):
            head = re.match(r"[0-9a-f]+ <(\w+)", line)
            if head:
                name = head.group(1)
                owner[name] = path
            for callee in re.findall(r"(?:call|jmp)\s+\w+ <(\w+)>|R_X86_64_PLT32\s+(\w+)", line):
                calls.setdefault(name, set()).add(callee[0] or callee[1])
    return calls, owner


def walk_from(build, first, steps):
    calls, owner = calls_in(build)
    reached = current = {first}
    for _ in range(steps):
        current = {callee for name in current for callee in calls.get(name, ())} - reached
        reached = reached | current
    return sorted({owner[name] for name in reached if name in owner})


def print_folders(texts, code, sizes):
    """Where the mass is: the figures of each part and of each of its rooms."""
    print(f"{'':28}{'lines':>8}{'one caller':>12}{'? :':>8}{'&& ||':>8}{'asserts':>9}")
    for part in PARTS:
        own = [f for f in texts if f.startswith(part + "/") and "/include/" not in f]
        folders = sorted({os.path.dirname(f) for f in own})
        for folder in [part] + [f for f in folders if f != part]:
            files = [f for f in own if f.startswith(folder + "/")]
            print_folder(folder, files, texts, code, sizes)


def print_folder(name, files, texts, code, sizes):
    lines = sum(sizes[f] for f in files)
    code_lines = [line for f in files for line in code[f].split("\n")]
    asserts = sum(len(re.findall(ASSERT, code[f])) for f in files)
    per_1000 = [1000 * n / max(lines, 1) for n in (ternaries_of(code_lines), chains_of(code_lines), asserts)]
    once = share_of_one_caller(texts[f] for f in files)
    print(f"{name:28}{lines:8}{once:10.0f} %{per_1000[0]:8.1f}{per_1000[1]:8.1f}{per_1000[2]:9.1f}")


def main(build):
    texts = {f: open(f).read() for part in PARTS for f in files_of(part)}
    sizes = {f: t.count("\n") for f, t in texts.items()}
    code = {f: code_of(t) for f, t in texts.items()}
    lines = sum(sizes.values())
    headers = [f for f in texts if f.endswith(".h")]
    internal = [f for f in headers if "/include/" not in f]
    small = [f for f in internal if len(re.findall(r"^[\w].*?\b\w+\([^;{]*\)(?:;|\n\{)", texts[f], re.M)) <= 1]
    lengths = [length for text in texts.values() for length in functions_of(text)]
    code_lines = [line for text in code.values() for line in text.split("\n")]
    print(f"files (of these headers)                        {len(texts)} ({len(headers)})")
    print(f"lines                                           {lines}")
    print(f"lines of a file, median                         {percentile(sizes.values(), 0.5)}")
    print(f"files under 60 lines                            {100 * sum(n < 60 for n in sizes.values()) / len(sizes):.0f} %")
    print(f"internal headers that offer at most a function  {len(small)} of {len(internal)}")
    print(f"static functions with exactly one caller        {share_of_one_caller(texts.values()):.0f} %")
    print(f"lines with ? :, per 1,000                       {1000 * ternaries_of(code_lines) / lines:.0f}")
    print(f"lines with two or more && or ||, per 1,000      {1000 * chains_of(code_lines) / lines:.0f}")
    print(f"functions, 95th percentile and longest          {percentile(lengths, 0.95)}, {max(lengths)}")
    print_folders(texts, code, sizes)
    files = walk_from(build, "kin__component_add_fast", 4)
    print(f"files that one add reaches in four calls        {len(files)}")
    print("\n".join(f"    {f}" for f in files))


main(sys.argv[1])
