#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: check_trace.py PROGRAM GRAPH

Runs PROGRAM with PACL_TRACE_FILE and looks at the timeline: it is JSON; every track has a name; slices of a track nest;
R44: every copy is on the track of its stream; every task has an arrow from a call to its execution. The same with GRAPH,
whose captured tasks no call has queued: every arrow has both ends, and leads from a call to what it has queued.
"""
import collections
import json
import os
import subprocess
import sys
import tempfile

PROGRAM, STREAMS, THREADS = 1, 2, 3
EPSILON = 0.0011  # times have three decimals


def fail(text):
    sys.exit(f"check_trace.py: {text}")


def run(program, folder, *arguments, file="trace.json", status=0):
    """The copies that the program says it has made, as {width: stream}, and the text of its timeline."""
    path = os.path.join(folder, file)
    done = subprocess.run([program, *arguments], env={**os.environ, "PACL_TRACE_FILE": path}, stdout=subprocess.PIPE,
                          text=True, timeout=100)
    if done.returncode != status:
        fail(f"{program} {arguments} ends with {done.returncode}")
    copies = dict(map(int, line.split()) for line in done.stdout.splitlines())
    with open(only_file(folder) if "%p" in file else path, encoding="utf-8") as text:
        return copies, text.read()


def only_file(folder):
    names = os.listdir(folder)
    if len(names) != 1 or not names[0][:-5].isdigit():
        fail(f"%p gave {names}")
    return os.path.join(folder, names[0])


def check_names(events):
    named = {(e["pid"], e["tid"]) for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    groups = {e["pid"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
    for event in events:
        if event["ph"] in "Xsf" and ((event["pid"], event["tid"]) not in named or event["pid"] not in groups):
            fail(f"no name for the track of {event}")


def check_nesting(slices):
    """Slices of one track lie inside each other or apart; on a stream, apart."""
    tracks = collections.defaultdict(list)
    for event in slices:
        tracks[event["pid"], event["tid"]].append((event["ts"], -event["dur"], event))
    for (group, _), track in tracks.items():
        around = []
        for start, negative, event in sorted(track, key=lambda item: item[:2]):
            end = start - negative
            while around and around[-1][0] <= start + EPSILON:
                around.pop()
            if around and (end > around[-1][0] + EPSILON or group == STREAMS):
                fail(f"{event} overlaps {around[-1][1]}")
            around.append((end, event))


def check_copies(copies, slices):
    on_streams = [e for e in slices if e["pid"] == STREAMS and e["name"] == "aclrtMemcpy2dAsync"]
    found = {e["args"]["width"]: e["tid"] for e in on_streams}
    if found != copies or len(on_streams) != len(copies):
        fail(f"streams of copies: the program says {copies}, the timeline {found}")
    for event in on_streams:
        args = event["args"]
        if args["bytes"] != args["width"] * args["height"] or args["height"] != 300 or args["dpitch"] != 4096:
            fail(f"rectangle of {event}")
        if event["dur"] > 0.1 and abs(args["GB/s"] - args["bytes"] / event["dur"] / 1000) > 0.01 * args["GB/s"] + 0.001:
            fail(f"GB/s of {event}")
    for stream in set(copies.values()):
        order = [e["args"]["width"] for e in sorted(on_streams, key=lambda e: e["ts"]) if e["tid"] == stream]
        if order != [width for width, of in copies.items() if of == stream]:
            fail(f"stream {stream} ran its copies in the order {order}")


def check_synchronous_copy(slices):
    inside = [e for e in slices if e["name"] == "copy" and e["args"]["width"] == 1002]
    if len(inside) != 1 or inside[0]["pid"] != PROGRAM:
        fail(f"the synchronous copy is {inside}")


def covering(slices, arrow):
    return [e for e in slices if (e["pid"], e["tid"]) == (arrow["pid"], arrow["tid"])
            and e["ts"] - EPSILON <= arrow["ts"] <= e["ts"] + e["dur"] + EPSILON]


def pairs_of(events):
    ends = collections.defaultdict(dict)
    for event in events:
        if event["ph"] in "sf":
            if event["ph"] in ends[event["id"]]:
                fail(f"{event} twice")
            ends[event["id"]][event["ph"]] = event
    for pair in ends.values():
        if len(pair) != 2 or pair["s"]["ts"] > pair["f"]["ts"] + EPSILON:
            fail(f"arrow {pair}")
    return list(ends.values())


def check_arrows(events, slices, tasks=None):
    """`tasks`: how many were queued by calls; without, all that are on streams. The arrows of events."""
    pairs = pairs_of(events)
    if tasks is None:
        tasks = len([e for e in slices if e["pid"] == STREAMS and "stream" not in e["args"]])
    arrows = [pair for pair in pairs if pair["s"]["cat"] == "task"]
    if len(arrows) != tasks:
        fail(f"{tasks} tasks and {len(arrows)} arrows to them")
    for pair in arrows:
        names = [e["name"] for e in covering(slices, pair["s"])], [e["name"] for e in covering(slices, pair["f"])]
        if pair["s"]["pid"] == STREAMS or pair["f"]["pid"] != STREAMS or not set(names[0]) & set(names[1]):
            fail(f"arrow {pair} leads from {names[0]} to {names[1]}")
    return [pair for pair in pairs if pair["s"]["cat"] == "event"]


def check_event(slices, arrows):
    waits = [e for e in slices if e["pid"] == STREAMS and e["name"].startswith("aclrtStreamWaitEvent")]
    for pair in arrows:
        if (not any(e["name"].startswith("aclrtRecordEvent") for e in covering(slices, pair["s"]))
                or not any(e["name"].startswith("aclrtStreamWaitEvent") for e in covering(slices, pair["f"]))):
            fail(f"event's arrow {pair}")
    if len(arrows) != len(waits):  # a wait for what has happened is no task
        fail(f"{len(waits)} waits, {len(arrows)} arrows to them")
    return len(waits)


def check_calls(slices):
    calls = collections.Counter(e["name"] for e in slices if e["pid"] == PROGRAM and "result" in e["args"])
    wanted = {"aclInit": 1, "aclrtSetDevice": 2, "aclrtCreateStream": 4, "aclrtMemcpy2dAsync": 54, "aclrtMemcpy2d": 1,
              "aclrtSynchronizeDevice": 1, "aclFinalize": 1}
    for name, count in wanted.items():
        if calls[name] != count:
            fail(f"{calls[name]} calls of {name}, not {count}")


def check(copies, text):
    events = json.loads(text)
    slices = [e for e in events if e["ph"] == "X"]
    check_names(events)
    check_nesting(slices)
    check_copies(copies, slices)
    check_synchronous_copy(slices)
    waits = check_event(slices, check_arrows(events, slices))
    check_calls(slices)
    functions = [e for e in slices if e["name"] == "host function"]
    if len(functions) != 1 or functions[0]["pid"] != THREADS:
        fail(f"host functions: {functions}")
    memory = [e["args"]["bytes"] for e in events if e["ph"] == "C" and e["name"] == "device memory"]
    if memory[:1] != [6 * 4096 * 300]:
        fail(f"device memory: {memory}")
    print(f"{len(events)} events, {len(slices)} slices, {waits} wait(s)")


def check_graph(streams, text):
    """`streams`: {0: the stream that waits for a record in the graph}."""
    events = json.loads(text)
    slices = [e for e in events if e["ph"] == "X"]
    check_names(events)
    check_nesting(slices)
    calls = collections.Counter(e["name"] for e in slices if e["pid"] == PROGRAM and "result" in e["args"])
    executions = calls["aclmdlRIExecuteAsync"]
    on_streams = collections.Counter(e["name"] for e in slices if e["pid"] == STREAMS)
    if executions != 3 or on_streams["aclrtMemsetAsync"] != calls["aclrtMemsetAsync"] - 3 + 3 * executions:
        fail(f"{on_streams} on streams after {calls}")
    # All but the three inside; the capture has one record; waits outside are tasks if there was something to wait for.
    tasks = calls["aclrtMemsetAsync"] - 3 + executions + calls["aclrtRecordEvent"] - 2
    waits = [e for e in slices if e["pid"] == STREAMS and e["name"] == "aclrtStreamWaitEventWithFlag"]
    tasks += len([e for e in waits if e["tid"] == streams[0]])
    inner = [e for e in slices if e["pid"] == STREAMS and e["name"] == "aclrtStreamWaitEvent"]
    if len(inner) != 2 * executions:
        fail(f"waits in the graph: {inner}")
    check_event(slices, check_arrows(events, slices, tasks))


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        check(*run(program, folder))
        check(*run(program, folder, "fork"))
        copies, text = run(program, folder, "abort", status=-6)
        check(copies, text + "]")
    with tempfile.TemporaryDirectory() as folder:
        check(*run(program, folder, file="%p.json"))
    with tempfile.TemporaryDirectory() as folder:
        check_graph(*run(sys.argv[2], folder))
    refused = subprocess.run([program], env={**os.environ, "PACL_TRACE_FILE": "/no/such/folder/trace"},
                             stderr=subprocess.PIPE, text=True, timeout=100)
    if refused.returncode == 0 or "PACL_TRACE_FILE" not in refused.stderr:
        fail(f"a file that cannot be written: {refused}")


main()
