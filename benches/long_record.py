#!/usr/bin/env python3
"""What a long record costs: `benches/long_record.py BINARY... [LINES] [--keep FOLDER]`, for example `… old new 200000`.

The first binary begins a match of chess, and lines are added to its record: games of twelve moves with presses and a pause, one
after the other. Each binary then verifies, replays, exports and carries it on, without a window and in one (on an Xvfb of its
own), opens its first screen while the record lies in the folder of the evening, and shows the record from there (by clicks, where
the buttons are in a window of its first size). The table shows seconds and the peak of resident memory. With `--keep` the record
stays in that folder and is used again.

Needs xvfb, xdotool and time.
"""

import hashlib
import itertools
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

DISPLAY = ":77"
# Where the page of records is chosen, and the newest record on it.
CLICKS = [(186, 25), (1000, 255)]

MOVES = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5".split()


def games():
    """The lines of games without an end, without their moments."""
    for number in itertools.count():
        for ply, move in enumerate(MOVES):
            by = ["white", "black"][ply % 2]
            if number + ply == 0:
                yield {"do": "press", "by": "black"}
            yield {"do": "move", "by": by, "uci": move}
            yield {"do": "press", "by": by}
        yield {"do": "pause", "by": "white"}
        yield {"do": "resume", "by": "white"}
        yield {"do": "resign", "by": "white"}
        yield {"do": "next"}
        yield {"do": "press", "by": "black"}


def make(binary, record, lines, environment):
    """Begins a match and adds lines to it, with the hashes of docs/record-chain.md."""
    play = ["--headless", "--plain", "--game", "chess", "--time", "30000", "--record", record]
    subprocess.run([binary, "play", *play], input="quit\n", text=True, env=environment, stdout=subprocess.DEVNULL, check=True)
    journal = sqlite3.connect(record)
    number, tip = journal.execute('SELECT id, hash FROM "match"').fetchone()
    for seq, what in zip(range(1, lines + 1), games()):
        line = {"t": seq * 100, **what}
        public = json.dumps(line, sort_keys=True, separators=(",", ":"))
        tip = hashlib.sha256(tip + public.encode()).digest()
        row = [(number << 32) + seq, number, seq, line["t"], json.dumps(line, separators=(",", ":")), tip]
        journal.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)", row)
    journal.commit()
    journal.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    journal.close()


def peak(process):
    """The most memory that the process has had, in MB, and how much processor time it has used, in ticks."""
    with open(f"/proc/{process}/status", encoding="ascii") as status:
        found = [line.split()[1] for line in status if line.startswith("VmHWM")]
    with open(f"/proc/{process}/stat", encoding="ascii") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return int(found[0]) / 1024, int(fields[11]) + int(fields[12])


def ended(arguments, environment, typed=None):
    """Runs a command to its end: seconds, and the peak of its memory in MB."""
    began = time.monotonic()
    timed = ["/usr/bin/time", "-f", "%M", *arguments]
    done = subprocess.run(timed, input=typed, text=True, env=environment, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, check=False)
    return time.monotonic() - began, int(done.stderr.split()[-1]) / 1024


def at_rest(process):
    """Waits until a program has done next to nothing for two seconds, but at most half a minute: seconds until then, and the peak in MB."""
    began = time.monotonic()
    used = []
    while len(used) <= 20 or used[-1] - used[-21] > 8 and len(used) < 300:
        time.sleep(0.1)
        used.append(peak(process.pid)[1])
    return time.monotonic() - began - 2, peak(process.pid)[0]


def shown(arguments, environment, clicks=()):
    """Opens a window and clicks there: what each click and the opening took, as `at_rest` has it."""
    environment = dict(environment, DISPLAY=DISPLAY)
    process = subprocess.Popen(arguments, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    took = [at_rest(process)]
    for x, y in clicks:
        subprocess.run(["xdotool", "mousemove", str(x), str(y), "click", "1"], env=environment, check=True)
        took.append(at_rest(process))
    process.terminate()
    process.wait()
    return took


def measure(binary, record, environment):
    print(f"{binary}:", flush=True)
    rows = {
        "verify": ["verify", record],
        "replay": ["replay", record],
        "export --format jsonl": ["export", record],
        "export --format pgn": ["export", "--format", "pgn", record],
    }
    for what, arguments in rows.items():
        seconds, most = ended([binary, *arguments], environment)
        print(f"  {what}: {seconds:.1f} s, {most:.0f} MB", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        copy = f"{folder}/r.tabiya"
        shutil.copy(record, copy)
        headless = [binary, "play", "--headless", "--plain", "--carry-on", "--record", copy]
        seconds, most = ended(headless, environment, "e2e4\nquit\n")
        print(f"  carried on without a window: {seconds:.1f} s, {most:.0f} MB", flush=True)
        shutil.copy(record, copy)
        [(seconds, most)] = shown([binary, "play", "--carry-on", "--record", copy], environment)
        print(f"  carried on in the window: {seconds:.1f} s, {most:.0f} MB", flush=True)
        evening = f"{folder}/data"
        os.makedirs(evening)
        shutil.copy(record, f"{evening}/long.tabiya")
        [first, _, record] = shown([binary], dict(environment, TABIYA_DATA=evening), CLICKS)
        screens = {"the first screen, the record in the evening's folder": first, "the record shown from there": record}
        for what, (seconds, most) in screens.items():
            print(f"  {what}: {seconds:.1f} s, {most:.0f} MB", flush=True)


def main():
    arguments = sys.argv[1:]
    kept = arguments[arguments.index("--keep") + 1] if "--keep" in arguments else None
    binaries = [name for name in arguments if os.path.isfile(name)]
    lines = next((int(number) for number in arguments if number.isdigit()), 200_000)
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, TABIYA_DATA=f"{folder}/data", TABIYA_CONFIG=f"{folder}/config")
        record = f"{kept or folder}/long.tabiya"
        if not os.path.exists(record):
            make(binaries[0], record, lines, environment)
        server = subprocess.Popen(["Xvfb", DISPLAY, "-screen", "0", "1400x1000x24"], stderr=subprocess.DEVNULL)
        try:
            time.sleep(1)
            for binary in binaries:
                measure(binary, record, environment)
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
