#!/usr/bin/env python3
"""Compares two builds of the program, or one build with other options: how long a typed line takes until it is durable and told.

    benches/durable.py OLD NEW [PAIRS]
    benches/durable.py tabiya "tabiya --event 127.0.0.1 --table-file table-1.json" [PAIRS]

Each run plays one match in the terminal and types `pause` and `resume` in turns, a thousand lines. The two builds run in
turns. Prints the median and the 99th percentile of each build's runs, the median of the ratios of the 99th percentiles, the
processor time of a second in which nothing happens, and the resident memory then, with what is its own of it. Run nothing else meanwhile.
"""
import os, shlex, statistics, subprocess, sys, tempfile, time

LINES, IDLE = 1000, 3.0


def run(command, folder):
    """The times of all lines in ms, the processor time of an idle second in ms, and the memory in MB: all, and its own."""
    binary, *options = shlex.split(command)
    record = os.path.join(folder, f"{time.time_ns()}.tabiya")
    play = [binary, "play", "--headless", "--plain", "--game", "chess", "--time", "3600", "--record", record] + options
    environment = {**os.environ, "TABIYA_CONFIG": folder, "TABIYA_DATA": folder}
    child = subprocess.Popen(play, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                             text=True, bufsize=1, env=environment)

    def type_and_hear(line, told):
        began = time.perf_counter()
        child.stdin.write(line + "\n")
        child.stdin.flush()
        for heard in child.stdout:
            if told in heard:
                return (time.perf_counter() - began) * 1000
        sys.exit(f"{binary} never said {told!r}")

    type_and_hear("e4", " plays ")
    times = [type_and_hear(*(("pause", "paused"), ("resume", "resumed"))[nth % 2]) for nth in range(LINES)]
    used = lambda: sum(map(int, open(f"/proc/{child.pid}/stat").read().rsplit(")", 1)[1].split()[11:13]))
    before = used()
    time.sleep(IDLE)
    idle = (used() - before) / os.sysconf("SC_CLK_TCK") / IDLE * 1000
    status = open(f"/proc/{child.pid}/status").read()
    memory = [int(status.split(name)[1].split()[0]) / 1024 for name in ("VmRSS:", "RssAnon:")]
    child.stdin.write("quit\nyes\n")
    child.stdin.close()
    child.stdout.read()
    child.wait()
    return times, idle, memory


def main():
    builds, pairs = sys.argv[1:3], int(sys.argv[3]) if len(sys.argv) > 3 else 20
    ratios, seen = [], {build: [] for build in builds}
    with tempfile.TemporaryDirectory(dir=".") as folder:
        for nth in range(pairs):
            p99 = {}
            for build in builds if nth % 2 == 0 else reversed(builds):
                times, idle, memory = run(build, folder)
                times.sort()
                p99[build] = times[int(0.99 * len(times))]
                seen[build].append((statistics.median(times), p99[build], idle, *memory))
            ratios.append(p99[builds[1]] / p99[builds[0]])
    for build in builds:
        p50, p99, idle, memory, own = (statistics.median(column) for column in zip(*seen[build]))
        print(f"{build}: p50 {p50:.3f} ms, p99 {p99:.3f} ms, idle {idle:.2f} ms a second, {memory:.1f} MB, {own:.1f} MB its own")
    print(f"ratio of p99 over {pairs} pairs: median {statistics.median(ratios):.3f} ({min(ratios):.2f}–{max(ratios):.2f})")


if __name__ == "__main__":
    main()
