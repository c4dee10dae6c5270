#!/usr/bin/env bash
# Measures the window: the time to the first frame, CPU time while a clock runs, and memory.
#
#   cargo build --release && benches/window.sh [BINARY]
#
# The window is drawn by software into a separate Xvfb, so a computer with a graphics card is faster. The first frame
# is there when the screen's corner, polled about every millisecond, is no longer black.
#
# Needs xvfb, xdotool and python3.
set -euo pipefail
cd "$(dirname "$0")/.."

binary="${1:-${CARGO_TARGET_DIR:-target}/release/tabiya}"
[ -x "$binary" ] || { echo "$binary is not there: cargo build --release" >&2; exit 2; }
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
export LC_ALL=C DISPLAY=":$number" TABIYA_DATA="$folder/data" TABIYA_CONFIG="$folder/config" XDG_RUNTIME_DIR="$folder"
unset WAYLAND_DISPLAY WAYLAND_SOCKET
mkdir -p "$folder/config"
echo '{"sounds": false}' >"$folder/config/settings.json"

# Starts the program $starts times and prints the times from exec to the first frame in ms, sorted.
first_frames() {
    python3 - "$binary" "$starts" <<'PY'
import ctypes, subprocess, sys, time

x = ctypes.CDLL("libX11.so.6")
x.XOpenDisplay.restype = ctypes.c_void_p
x.XDefaultRootWindow.argtypes, x.XDefaultRootWindow.restype = [ctypes.c_void_p], ctypes.c_ulong
x.XGetImage.argtypes = [ctypes.c_void_p, ctypes.c_ulong] + [ctypes.c_int] * 2 + [ctypes.c_uint] * 2 + [ctypes.c_ulong, ctypes.c_int]
x.XGetImage.restype = ctypes.c_void_p
x.XGetPixel.argtypes, x.XGetPixel.restype = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int], ctypes.c_ulong
x.XDestroyImage.argtypes = [ctypes.c_void_p]
display = x.XOpenDisplay(None)
root = x.XDefaultRootWindow(display)

def corner():
    image = x.XGetImage(display, root, 3, 3, 1, 1, 0xFFFFFFFF, 2)
    pixel = x.XGetPixel(image, 0, 0) & 0xFFFFFF
    x.XDestroyImage(image)
    return pixel

times = []
for _ in range(int(sys.argv[2])):
    began = time.monotonic()
    program = subprocess.Popen([sys.argv[1]], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while corner() == 0 and time.monotonic() - began < 20:
        time.sleep(0.001)
    times.append(round((time.monotonic() - began) * 1000))
    program.terminate()
    program.wait()
    while corner() != 0:
        time.sleep(0.001)
print(*sorted(times))
PY
}

# used PID: prints the user and system time of a process so far, in ms.
used() {
    local fields
    read -ra fields <<<"$(sed 's/.*) //' "/proc/$1/stat")"
    echo $(((fields[11] + fields[12]) * 1000 / $(getconf CLK_TCK)))
}

read -ra times <<<"$(first_frames)"

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
grep -q '"do":"press"' <<<"$("$binary" export "$folder"/data/*.tabiya)" || { echo "the clock does not run" >&2; exit 1; }
before="$(used "$program")"
sleep "$idle"
spent=$(($(used "$program") - before))
sleep "$((after > idle + 4 ? after - idle - 4 : 0))"
memory="$(awk '/^VmRSS/ { printf "%.0f", $2 / 1024 }' "/proc/$program/status")"
anonymous="$(awk '/^RssAnon/ { printf "%.0f", $2 / 1024 }' "/proc/$program/status")"

echo "| what | figure |"
echo "| --- | --- |"
echo "| from exec to the first frame, median of $starts (least–most) | ${times[$((starts / 2))]} ms (${times[0]}–${times[-1]}) |"
awk -v spent="$spent" -v idle="$idle" 'BEGIN { printf "| CPU with a clock running, over %d s | %.2f %% of a core |\n", idle, spent / idle / 10 }'
echo "| resident memory after $after s | $memory MB, of which $anonymous MB its own |"
