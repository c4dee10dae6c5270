#!/usr/bin/env bash
# Measures the window: the time to the first frame and to its words, CPU time at rest and while a clock runs, and memory.
#
#   cargo build --release && benches/window.sh [BINARY...]
#
# Several binaries, such as that of an earlier version, are measured in turns. The window is drawn by software into a
# separate Xvfb, so a computer with a graphics card is faster. The first frame is there when the screen's corner, polled
# about every millisecond, is no longer black; the words stand when the screen changes for the last time. The pointer stays
# in the opposite corner: what it lights up is no part of the start.
#
# Needs xvfb, xdotool and python3.
set -euo pipefail
cd "$(dirname "$0")/.."

binaries=("$@")
[ "$#" -gt 0 ] || binaries=("${CARGO_TARGET_DIR:-target}/release/tabiya")
for binary in "${binaries[@]}"; do
    [ -x "$binary" ] || { echo "$binary is not there: cargo build --release" >&2; exit 2; }
done
starts="${STARTS:-10}" idle="${IDLE:-20}" after="${AFTER:-60}"

folder="$(mktemp -d)"
started=()
end() {
    for process in "${started[@]}"; do kill "$process" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$folder"
}
trap end EXIT

mkfifo "$folder/number"
Xvfb -displayfd 3 -screen 0 1400x1000x24 -nolisten tcp -noreset 3>"$folder/number" 2>/dev/null &
started+=($!)
read -r number <"$folder/number"
export LC_ALL=C DISPLAY=":$number" XDG_RUNTIME_DIR="$folder"
unset WAYLAND_DISPLAY WAYLAND_SOCKET
xdotool mousemove 1399 999

# Each binary has its own data and settings.
home_of() {
    export TABIYA_DATA="$folder/$1/data" TABIYA_CONFIG="$folder/$1/config"
    mkdir -p "$TABIYA_CONFIG"
    [ -e "$TABIYA_CONFIG/settings.json" ] || echo '{"sounds": false}' >"$TABIYA_CONFIG/settings.json"
}

# Starts the programs $starts times in turns. Prints a row for each with the times from exec to the first frame and to the
# last change of the screen in the second after it.
first_frames() {
    python3 - "$folder" "$starts" "${binaries[@]}" <<'PY'
import ctypes, os, statistics, subprocess, sys, time

x = ctypes.CDLL("libX11.so.6")
x.XOpenDisplay.restype = ctypes.c_void_p
x.XDefaultRootWindow.argtypes, x.XDefaultRootWindow.restype = [ctypes.c_void_p], ctypes.c_ulong
x.XGetImage.argtypes = [ctypes.c_void_p, ctypes.c_ulong] + [ctypes.c_int] * 2 + [ctypes.c_uint] * 2 + [ctypes.c_ulong, ctypes.c_int]
x.XGetImage.restype = ctypes.c_void_p
x.XDestroyImage.argtypes = [ctypes.c_void_p]
display = x.XOpenDisplay(None)
root = x.XDefaultRootWindow(display)


class Image(ctypes.Structure):
    """The beginning of an XImage (Xlib.h)."""

    _fields_ = [(name, ctypes.c_int) for name in ("width", "height", "xoffset", "format")]
    _fields_ += [("data", ctypes.c_void_p)]
    _fields_ += [(name, ctypes.c_int) for name in ("byte_order", "unit", "bit_order", "pad", "depth", "bytes_per_line")]


def pixels(left, top, width, height):
    image = x.XGetImage(display, root, left, top, width, height, 0xFFFFFFFF, 2)
    head = Image.from_address(image)
    data = ctypes.string_at(head.data, head.bytes_per_line * head.height)
    x.XDestroyImage(image)
    return data


def is_black():
    return not any(pixels(3, 3, 1, 1)[:3])


folder, starts, binaries = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
times = [([], []) for _ in binaries]
for _ in range(starts):
    for nth, binary in enumerate(binaries):
        home = f"{folder}/{nth}"
        around = {**os.environ, "TABIYA_DATA": f"{home}/data", "TABIYA_CONFIG": f"{home}/config"}
        began = time.monotonic()
        program = subprocess.Popen([binary], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=around)
        while is_black() and time.monotonic() - began < 20:
            time.sleep(0.001)
        first = changed = time.monotonic()
        screen = pixels(0, 0, 1400, 1000)
        while time.monotonic() < first + 1:
            time.sleep(0.002)
            now = pixels(0, 0, 1400, 1000)
            if now != screen:
                screen, changed = now, time.monotonic()
        for kind, at in zip(times[nth], (first, changed)):
            kind.append(round((at - began) * 1000))
        program.terminate()
        program.wait()
        while not is_black():
            time.sleep(0.001)
for binary, kinds in zip(binaries, times):
    print(binary, *(f"{statistics.median(kind):.0f} {min(kind)} {max(kind)}" for kind in kinds))
PY
}

# used PID: prints the user and system time of a process so far, in ms.
used() {
    local fields
    read -ra fields <<<"$(sed 's/.*) //' "/proc/$1/stat")"
    echo $(((fields[11] + fields[12]) * 1000 / $(getconf CLK_TCK)))
}

# spent PID: prints the part of a core that a process uses, in percent.
spent() {
    local before
    before="$(used "$1")"
    sleep "$idle"
    awk -v spent="$(($(used "$1") - before))" -v idle="$idle" 'BEGIN { printf "%.2f", spent / idle / 10 }'
}

for nth in "${!binaries[@]}"; do home_of "$nth"; done
frames="$(first_frames)"
echo "| binary | first frame (ms): median, least–most | words: median, least–most | CPU on the first screen | with a clock running | memory after $after s: its own |"
echo "| --- | --- | --- | --- | --- | --- |"
for nth in "${!binaries[@]}"; do
    binary="${binaries[$nth]}"
    home_of "$nth"
    "$binary" </dev/null 2>/dev/null &
    program=$!
    started+=("$program")
    xdotool search --sync --onlyvisible --name '^Tabiya$' >/dev/null
    sleep 3
    rest="$(spent "$program")"
    kill "$program"
    wait "$program" 2>/dev/null || true

    "$binary" play --game chess --time 600 </dev/null 2>/dev/null &
    program=$!
    started+=("$program")
    window="$(xdotool search --sync --onlyvisible --name '^Tabiya$' | tail -1)"
    xdotool windowfocus --sync "$window"
    sleep 1
    # Types one line at a time, with pauses in which the screen catches up.
    xdotool key t
    for line in e2e4 press; do
        sleep 0.5
        xdotool type --delay 30 "$line"
        xdotool key Return
    done
    sleep 0.5
    xdotool key Escape
    sleep 1
    grep -q '"do":"press"' <<<"$("$binary" export "$TABIYA_DATA"/*.tabiya)" || { echo "the clock does not run" >&2; exit 1; }
    runs="$(spent "$program")"
    sleep "$((after > idle + 4 ? after - idle - 4 : 0))"
    memory="$(awk '/^VmRSS/ { printf "%.0f", $2 / 1024 }' "/proc/$program/status")"
    anonymous="$(awk '/^RssAnon/ { printf "%.0f", $2 / 1024 }' "/proc/$program/status")"
    kill "$program"
    wait "$program" 2>/dev/null || true

    read -r _ first first_least first_most words words_least words_most <<<"$(sed -n "$((nth + 1))p" <<<"$frames")"
    echo "| $binary | $first, $first_least–$first_most | $words, $words_least–$words_most | $rest % | $runs % | $memory MB: $anonymous MB |"
done
