#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: report.py [--rounds=N] [--quick] [--write PAGE] PROGRAMS

Runs the benchmarks in the folder PROGRAMS one after the other and makes tables of their figures: in PAGE between its
markers `<!-- bench:NAME -->` and `<!-- /bench:NAME -->`, or else on standard output. A benchmark that fails, which it
does on a wrong byte, ends the run, and the page stays as it was.
"""
import argparse
import datetime
import math
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAMS = ("peers", "ways", "async_cost", "sweep", "scaling")
FLOOR = 0.95  # no shape may be slower than this, relative to the memcpy loop

# What PACL is to reach, x of the memcpy loop: (least, good) with one thread, with two; None where none is set.
GOALS = {
    "wide, 4 MiB and more, any pitch": ((1.35, 1.5), (1.9, 2.4)),
    "rows 4 to 64 KiB, (dst - src) mod 4096 in 1..31, memory": ((3.3, 4.0), (4.5, 6.5)),
    "the same in L1/L2": ((10, 17), None),
    "resident in L2 to L3": ((1.1, 1.2), (1.7, 2.0)),
    "image crop 5760 x 1080": ((1.2, 1.5), (1.9, 2.5)),
    "KV gather, rows 128 B to 1 KiB, pitch 16 KiB": ((1.1, 1.3), (1.5, 2.2)),
    "KV scatter, rows 128 B": ((1.5, 2.0), (2.2, 2.7)),
    "KV scatter, rows 256 B to 1 KiB": ((1.9, 2.5), (3.0, 4.0)),
    "narrow packed, pitch 64": ((1.2, 1.4), (2.0, 2.4)),
    "narrow packed, pitch 256": ((1.4, 1.9), (2.3, 3.2)),
    "narrow packed, pitch 4160": ((1.4, 1.75), (2.4, 3.0)),
    "narrow scatter, pitch 64": ((0.95, 1.05), (1.3, 1.7)),
    "narrow scatter, pitch 256 and 4160": ((1.05, 1.25), (1.5, 2.2)),
    "narrow in L1, width <= 24": ((5, 8), None),
    "narrow in L1, width 32 to 64": ((2.3, 3.5), None),
    "tiny 16 x 16": ((3, 4), None),
    "tiny 64 x 8": ((1.2, 1.4), None),
    "tiny 256 x 4": ((1.1, 1.25), None),
}

# How many times cheaper than POCL, least and good, in the order of async_cost's rows.
ASYNC_GOALS = ((29, 57), (22, 73), (112, 373), (26, 75), (29, 58))

# What changes how the peers and the runtime work; where the tests find their tables does not.
SETTINGS = re.compile(r"^(OPENBLAS|OMP|GOMP|POCL|PACL(?!_SHARED|_TEST)|MALLOC|MIMALLOC)_|^(GLIBC_TUNABLES|LD_PRELOAD)$")

# The columns of the table "shapes" before those of the ratios.
SHAPE_COLUMNS = 6
KERNELS, ONE, TWO = "kernels", "PACL 1", "PACL 2"
LIMITS = ("read only", "write only")


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        return ""


def run(folder, program, options):
    """The tables that a benchmark prints: lists of rows by name."""
    print(f"report: {program} ...", file=sys.stderr, flush=True)
    done = subprocess.run([os.path.join(folder, program), "--tsv", *options], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"report: {program} failed with status {done.returncode}")
    tables, rows = {}, []
    for line in done.stdout.splitlines():
        if line.startswith("#"):
            rows = tables.setdefault(line[1:], [])
        else:
            rows.append(line.split("\t"))
    return tables


def markdown(rows):
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]])


def number(cell):
    return None if cell == "-" else float(cell)


def mean(values):
    """Geometric, as ratios ask; None if a value is missing."""
    if not values or any(value is None or value <= 0 for value in values):
        return None
    return math.exp(sum(math.log(value) for value in values) / len(values))


def figure(value):
    return "-" if value is None else f"{value:.2f}"


def goal(pair):
    return "-" if pair is None else f"{pair[0]:g} / {pair[1]:g}"


def caches():
    """The caches of the first processor, as the kernel tells them: '48K L1, 1024K L2'."""
    folder = "/sys/devices/system/cpu/cpu0/cache"
    found = []
    for index in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        at = os.path.join(folder, index)
        if index.startswith("index") and read(f"{at}/type") != "Instruction":
            found.append(f"{read(f'{at}/size')} L{read(f'{at}/level')} (processors {read(f'{at}/shared_cpu_list')})")
    return ", ".join(found) or "not told"


def commit(folder):
    if shutil.which("git") is None:
        return "unknown"
    done = subprocess.run(["git", "-C", folder, "describe", "--always", "--dirty"], capture_output=True, text=True,
                          check=False)
    return done.stdout.strip() or "unknown"


def machine(arguments, loads):
    cpu = re.search(r"^model name\s*:\s*(.*)$", read("/proc/cpuinfo"), re.MULTILINE)
    memory = re.search(r"^MemTotal:\s*(\d+)", read("/proc/meminfo"), re.MULTILINE)
    settings = " ".join(f"{name}={value}" for name, value in sorted(os.environ.items()) if SETTINGS.match(name))
    pages = re.search(r"\[(\w+)\]", read("/sys/kernel/mm/transparent_hugepage/enabled"))
    now = datetime.datetime.now(datetime.timezone.utc)
    rows = [
        ["", ""],
        ["date", now.strftime("%Y-%m-%d %H:%M UTC")],
        ["PACL", f"commit {commit(os.path.dirname(os.path.abspath(__file__)))}"],
        ["command", f"`make bench`{' with ' + ' '.join(arguments) if arguments else ''}"],
        ["processor", f"{cpu.group(1) if cpu else platform.machine()}, {len(os.sched_getaffinity(0))} used"],
        ["caches", caches()],
        ["memory", f"{int(memory.group(1)) / 2**20:.1f} GiB" if memory else "not told"],
        ["huge pages", pages.group(1) if pages else "not told"],
        ["kernel", f"{platform.system()} {platform.release()}"],
        ["C library", " ".join(platform.libc_ver())],
        ["settings", f"`{settings}`" if settings else "none"],
        ["load before and after", f"{loads[0]:.2f}, {loads[1]:.2f}"],
    ]
    text = markdown(rows)
    if "--quick" in arguments:
        text += "\n\n**A quick run: it shows that everything works, the figures mean nothing.**"
    return text


def peers_table(rows):
    return markdown([["peer", "calls", "in this run"]] + [[row[1], f"`{row[0]}`", row[2]] for row in rows])


class Shapes:
    """The figures of `peers`, by shape."""

    def __init__(self, rows):
        self.heading = rows[0]
        self.columns = self.heading[SHAPE_COLUMNS:]
        self.peers = [name for name in self.columns if name not in (KERNELS, ONE, TWO, *LIMITS)]
        self.rows = rows[1:]

    def ratio(self, row, column):
        return number(row[SHAPE_COLUMNS + self.columns.index(column)])

    def strongest(self, rows):
        """The peer with the highest mean over these shapes, of those that can copy all of them: (mean, name)."""
        means = [(mean([self.ratio(row, peer) for row in rows]), peer) for peer in self.peers]
        means = [pair for pair in means if pair[0] is not None]
        return max(means) if means else (None, "-")

    def classes(self):
        by_class = {}
        for row in self.rows:
            by_class.setdefault(row[0], []).append(row)
        return by_class

    def class_table(self):
        table = [["class", "strongest peer", "kernels alone, 1 thread", "PACL, 1 thread", "least / good",
                  "PACL, 2 threads", "least / good", "read only / write only, 1 thread"]]
        for name, rows in self.classes().items():
            best, peer = self.strongest(rows)
            kernels, one, two, reads, writes = (mean([self.ratio(row, column) for row in rows])
                                                for column in (KERNELS, ONE, TWO, *LIMITS))
            goals = GOALS.get(name, (None, None))
            table.append([name, f"{peer} {figure(best)}", self.judged(kernels, goals[0]), self.judged(one, goals[0]),
                          goal(goals[0]), self.judged(two, goals[1]), goal(goals[1]),
                          f"{figure(reads)} / {figure(writes)}"])
        return markdown(table)

    @staticmethod
    def judged(value, pair):
        """A figure, with a mark if it misses the least that counts."""
        missed = value is not None and pair is not None and value < pair[0]
        return f"{figure(value)} (missed)" if missed else figure(value)

    def shape_table(self):
        table = [["shape", "bytes x rows", "dpitch", "spitch", "loop GB/s", *self.columns]]
        for name, rows in self.classes().items():
            table.append([f"**{name}**"] + [""] * (len(table[0]) - 1))
            table += [row[1:] for row in rows]
        return markdown(table)

    def losses(self):
        """Shapes on which PACL with two threads is behind the loop or behind the strongest peer."""
        table = [["shape", "kernels alone", "PACL, 1 thread", "PACL, 2 threads", "ahead of it"]]
        for row in self.rows:
            two = self.ratio(row, TWO)
            best, peer = self.strongest([row])
            ahead = ["memcpy loop 1.00"] if two < FLOOR else []
            if best is not None and two < FLOOR * best:
                ahead.append(f"{peer} {figure(best)}")
            if ahead:
                table.append([f"{row[0]}: {row[1]}", figure(self.ratio(row, KERNELS)), figure(self.ratio(row, ONE)),
                              figure(two), ", ".join(ahead)])
        if len(table) == 1:
            return f"On no shape: PACL with two threads is nowhere under {FLOOR} of the loop or of a peer."
        return (f"PACL with two threads is under {FLOOR} of the loop or of the strongest peer on {len(table) - 1} of "
                f"{len(self.rows)} shapes:\n\n{markdown(table)}")


def async_table(rows):
    table = [["measure", "loop ns", "PACL ns", "POCL ns", "x of the loop's time", "times cheaper than POCL",
              "least / good"]]
    for row, pair in zip(rows[1:], ASYNC_GOALS):
        table.append([*row[:5], Shapes.judged(number(row[5]), pair), goal(pair)])
    return markdown(table)


def count_instructions(folder, function):
    """Instructions per call inside a function of the program `submission`, counted by callgrind."""
    with tempfile.TemporaryDirectory() as scratch:
        # Valgrind knows no protection keys: the two WRPKRU around a copy in the caller are not counted.
        done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={scratch}/out",
                               f"--toggle-collect={function}", os.path.join(folder, "submission"), "--tsv"],
                              env={**os.environ, "PACL_DEVICE_ACCESS": "mapping"}, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False)
    collected = re.search(r"Collected : (\d+)", done.stderr)
    calls = re.search(r"^calls\t(\d+)$", done.stdout, re.MULTILINE)
    if done.returncode != 0 or not collected or not calls:
        return None
    return int(collected.group(1)) / int(calls.group(1))


def instructions(folder):
    if not shutil.which("valgrind"):
        return "Not counted: valgrind is missing."
    print("report: submission, under callgrind ...", file=sys.stderr, flush=True)
    table = [["aclrtMemcpy2dAsync of 16 x 16 bytes", "instructions per call"]]
    for function, name in (("submit_at_once", "stream idle: checks, copy, completion, all in the caller"),
                           ("submit_queued", "stream busy: checks and queue")):
        count = count_instructions(folder, function)
        table.append([name, "not counted" if count is None else f"{count:.0f}"])
    return markdown(table)


def sweep_tables(tables):
    return "\n\n".join((markdown(tables["sweep"]), "By payload:", markdown(tables["sweep_sizes"]), "The ten worst calls:",
                        markdown(tables["worst"]), "The ten worst of the kernels alone:",
                        markdown(tables["worst_kernels"])))


def blocks(folder, options):
    """The text for each marker of the page."""
    loads = [os.getloadavg()[0]]
    tables = {}
    for program in PROGRAMS:
        tables.update(run(folder, program, options))
    print("report: async_copy ...", file=sys.stderr, flush=True)
    copy = subprocess.run([os.path.join(folder, "async_copy"), *(["1"] if "--quick" in options else [])],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True)
    loads.append(os.getloadavg()[0])
    shapes = Shapes(tables["shapes"])
    return {
        "machine": machine(options, loads),
        "peers": peers_table(tables["peers"]),
        "classes": shapes.class_table(),
        "losses": shapes.losses(),
        "shapes": shapes.shape_table(),
        "async": async_table(tables["async"]),
        "instructions": instructions(folder),
        "call": f"```\n{copy.stdout.rstrip()}\n```",
        "ways": markdown(tables["ways"]),
        "sweep": sweep_tables(tables),
        "sizes": markdown(tables["sizes"]),
        "streams": markdown(tables["streams"]),
        "blocked": markdown(tables["blocked"]),
    }


def fill(page, texts):
    """The page with each text between its two markers; every text must have a place."""
    for name, text in texts.items():
        place = re.compile(rf"(<!-- bench:{name} -->\n).*?(<!-- /bench:{name} -->)", re.DOTALL)
        if not place.search(page):
            sys.exit(f"report: the page has no markers for '{name}'")
        page = place.sub(lambda found, text=text: f"{found.group(1)}\n{text}\n\n{found.group(2)}", page)
    return page


def write(path, text):
    """The new page takes the old one's place as a whole."""
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(f"{path}.new", path)


def main():
    parser = argparse.ArgumentParser(description="Runs the benchmarks and writes their tables.")
    parser.add_argument("--rounds", type=int, help="interleaved rounds of every benchmark, 1 to 101")
    parser.add_argument("--quick", action="store_true", help="tiny sizes; the figures mean nothing")
    parser.add_argument("--write", metavar="PAGE", help="the page whose tables are replaced")
    parser.add_argument("programs", help="folder of the built benchmarks")
    arguments = parser.parse_args()
    options = [f"--rounds={arguments.rounds}"] if arguments.rounds is not None else []
    options += ["--quick"] if arguments.quick else []
    page = None
    if arguments.write:
        with open(arguments.write, encoding="utf-8") as file:
            page = file.read()
    texts = blocks(arguments.programs, options)
    if page is None:
        print("\n\n".join(f"{name}\n\n{text}" for name, text in texts.items()))
    else:
        write(arguments.write, fill(page, texts))


if __name__ == "__main__":
    main()
