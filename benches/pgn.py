#!/usr/bin/env python3
"""How long a table needs for typed lines while it keeps a PGN: `benches/pgn.py BINARY... LINES...`

Each binary plays the same session for each number of lines: Choker, a record, `--pgn`, games that are folded at once, so that
the PGN grows with every third line. All lines are given at once; the time for all of them is printed, and it is checked that
the PGN has every game.
"""

import os
import subprocess
import sys
import tempfile
import time


def run(binary, lines):
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, TABIYA_DATA=f"{folder}/data", TABIYA_CONFIG=f"{folder}/config")
        record, pgn = f"{folder}/r.tabiya", f"{folder}/r.pgn"
        game = ["--game", "choker", "--record", record, "--pgn", pgn]
        typed = "deal\nfold\nnext\n" * (lines // 3)
        began = time.monotonic()
        subprocess.run([binary, "play", "--headless", "--plain", *game], input=typed, text=True, env=environment,
                       stdout=subprocess.DEVNULL, check=True)
        spent = time.monotonic() - began
        with open(pgn, encoding="utf-8") as written:
            assert written.read().count("wins by fold") == lines // 3
    return spent


def main():
    binaries = [argument for argument in sys.argv[1:] if not argument.isdigit()]
    sizes = [int(argument) for argument in sys.argv[1:] if argument.isdigit()] or [1000, 2000, 4000]
    for lines in sizes:
        for binary in binaries:
            spent = run(binary, lines)
            print(f"{binary}: {lines} lines {spent:.2f} s, {spent / lines * 1000:.2f} ms a line", flush=True)


if __name__ == "__main__":
    main()
