#!/bin/sh
# Fills fuzz/corpus with seeds: every chunk of bytes from or to a board in the fixtures, whole captures, whole records,
# single lines of records for the JSON parser, and the files in fuzz/seeds.
set -eu
cd "$(dirname "$0")/.."
corpus=fuzz/corpus

for target in dgt_decoder dgt_driver dgt_commands board_decoders board_commands board_drivers firmware_frame capture record watch json words card_area heads salvage livechess effects card_files hall_message hall_list hall_frames hall_socket tournament; do
    mkdir -p "$corpus/$target"
    for seed in fuzz/seeds/"$target"/*; do
        [ ! -f "$seed" ] || cp "$seed" "$corpus/$target/"
    done
done

# hex TARGET NAME: decodes each line of standard input, two hexadecimal digits per byte, into one file.
hex() {
    sort -u | awk -v out="$corpus/$1/$2" '{ print $0 > (out "-" NR ".hex"); close(out "-" NR ".hex") }'
    for file in "$corpus/$1/$2"-*.hex; do
        [ ! -f "$file" ] || { xxd -r -p "$file" "${file%.hex}"; rm "$file"; }
    done
}

for file in fixtures/dgt/*.jsonl; do
    name=$(basename "$file" .jsonl)
    cp "$file" "$corpus/capture/$name"
    sed -n 's/.*"tx":"\([0-9a-f]*\)".*/\1/p' "$file" | hex dgt_commands "$name"
    sed -n 's/.*"rx":"\([0-9a-f]*\)".*/\1/p' "$file" | hex dgt_decoder "$name"
    sed -n 's/.*"rx":"\([0-9a-f]*\)".*/\1/p' "$file" | tr -d '\n' | xxd -r -p >"$corpus/dgt_driver/$name"
done
for file in fixtures/sessions/*.jsonl fixtures/records/*.jsonl; do
    [ -f "$file" ] || continue
    name=$(basename "$file" .jsonl)
    # Without hashes: the parser of lines ignores them, and mutating them would waste time.
    sed 's/,"x-hash":"[0-9a-f]*"//' "$file" >"$corpus/record/$name"
    sed -n '1p;$p' "$file" | awk -v out="$corpus/json/$name" '{ print $0 > (out "-" NR) }'
done
cp fixtures/chess-joker/cards/* "$corpus/card_files/"
sed -n 's/.*"effect":"\([^"]*\)".*/\1/p' fixtures/chess-joker/cards/invented.json |
    awk -v out="$corpus/effects/card" '{ printf "%s", $0 > (out "-" NR) }'
# Whole small journals; a last byte that is no multiple of 16 takes a part of the file for its log.
for file in fixtures/*/records/*.tabiya; do
    [ "$(wc -c <"$file")" -gt 20480 ] || cp "$file" "$corpus/salvage/"
done
# Each message as LiveChess sends it: a frame that ends a message of text, with its length.
python3 - "$corpus/livechess" fixtures/livechess/*.jsonl <<'FRAMES'
import pathlib, struct, sys
folder, *files = sys.argv[1:]
for file in files:
    session = b""
    for line in pathlib.Path(file).read_text().splitlines():
        if '"response"' in line:
            text = line.encode()
            length = bytes([len(text)]) if len(text) < 126 else b"\x7e" + struct.pack(">H", len(text))
            session += b"\x81" + length + text
    pathlib.Path(folder, pathlib.Path(file).stem).write_bytes(session[:60000])
    pathlib.Path(folder, pathlib.Path(file).stem + "-start").write_bytes(session[:1500])
FRAMES
# The messages and lists that the contract shows.
sed -n 's/^ *\({"m":.*\)$/\1/p' docs/hall.md | awk -v out="$corpus/hall_message/example" '{ printf "%s", $0 > (out "-" NR) }'
cp "$corpus"/hall_message/example-* "$corpus/hall_list/"
for target in "$corpus"/*; do
    echo "$(basename "$target"): $(ls "$target" | wc -l) seeds"
done
