/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The program of a self-built board: 64 squares that feel pieces, a lever, a button, a lamp in each square and a reader of
 * cards. The protocol: ../README.md. The hardware: board.h.
 */
#include <string.h>

#include "../c/tabiya.h"
#include "board.h"
#include "pn532.h"

enum {
    BEAT_MILLIS = 1000,
    ALONE_MILLIS = 3000,
    LOOK_MILLIS = 10, /* between two looks at squares and keys; what two looks show alike counts */
    BLINK_MILLIS = 256,
    EVENTS = 8,
    PART = 60, /* bytes of NDEF in a frame */
    SOMETHING = 255,
    WRONG = 2
};

static const uint32_t ABILITIES =
    TABIYA_FEELS_SQUARES | TABIYA_LEVER | TABIYA_BUTTONS | TABIYA_TAGS | TABIYA_LAMPS_TOO;

static struct tabiya_decoder decoder;
static struct tabiya_link link;
static uint16_t now, heard_at, byte_at, said_at, sent_at;

/* What the squares show, and what the host knows of them. */
static uint8_t squares[8], before[8], told[8], keys, keys_before;
static bool board_due;

/* Presses and buttons that were not sent yet: a kind and its payload. */
static struct event { uint8_t kind, length, payload[2]; } events[EVENTS];
static uint8_t waiting;

/* The tag's frame is due, or the parts of its NDEF message from here on. */
static bool tag_due;
static uint16_t part_due;

static uint8_t lamps[32];

static bool past(uint16_t since, uint16_t millis) { return (uint16_t)(now - since) >= millis; }

static void write_frame(const struct tabiya_frame *frame)
{
    uint8_t bytes[TABIYA_LONGEST_FRAME];
    board_write(TO_HOST, bytes, tabiya_encode(frame, bytes));
    said_at = now;
}

/* Sends a counted frame; false if it has to wait. */
static bool tell(uint8_t kind, const uint8_t *payload, uint8_t length)
{
    const struct tabiya_frame *frame = tabiya_send(&link, kind, payload, length);
    if (!frame)
        return false;
    write_frame(frame);
    sent_at = now;
    return true;
}

static void show_lamps(void)
{
    uint8_t ranks[8] = { 0 };
    for (uint8_t square = 0; square < 64; square++) {
        uint8_t glow = lamps[square / 2] >> square % 2 * 4 & 15;
        if (glow == WRONG && now & BLINK_MILLIS)
            continue;
        if (glow)
            ranks[square / 8] |= (uint8_t)(1 << square % 8);
    }
    static uint8_t shown[8];
    if (memcmp(ranks, shown, sizeof shown) != 0) {
        memcpy(shown, ranks, sizeof shown);
        board_lamps(ranks);
    }
}

static void say_hello(bool asks)
{
    struct tabiya_frame frame;
    tabiya_hello(&link, &frame, asks, ABILITIES, "Tabiya Mega");
    write_frame(&frame);
}

static void show_everything(void)
{
    memset(lamps, 0, sizeof lamps);
    board_due = tag_due = true;
    waiting = 0;
}

static void obey(const struct tabiya_frame *frame)
{
    if (frame->kind == TABIYA_LAMPS && frame->length >= sizeof lamps)
        memcpy(lamps, frame->payload, sizeof lamps);
    if (frame->kind == TABIYA_REFRESH && frame->length >= 1) {
        board_due |= frame->payload[0] & 1;
        tag_due |= frame->payload[0] >> 1 & 1;
    }
}

static void take(const struct tabiya_frame *frame)
{
    struct tabiya_frame reply;
    bool ack;
    heard_at = now;
    switch (tabiya_hear(&link, frame, &reply, &ack)) {
    case TABIYA_TAKE:
        obey(frame);
        break;
    case TABIYA_ASKED:
        say_hello(false);
        show_everything();
        break;
    case TABIYA_ANSWERED:
        show_everything();
        break;
    case TABIYA_LOST:
        say_hello(true);
        break;
    case TABIYA_IGNORE:
        break;
    }
    if (ack)
        write_frame(&reply);
}

static void listen(void)
{
    struct tabiya_frame frame;
    for (int16_t byte; (byte = board_read(TO_HOST)) >= 0;) {
        if (past(byte_at, TABIYA_PAUSE_MILLIS))
            decoder.length = 0;
        byte_at = now;
        enum tabiya_told what = tabiya_push(&decoder, (uint8_t)byte, &frame);
        for (; what != TABIYA_NOTHING; what = tabiya_more(&decoder, &frame))
            if (what == TABIYA_FRAME)
                take(&frame);
    }
}

static void happened(uint8_t kind, uint8_t first, uint8_t second, uint8_t length)
{
    if (link.met && waiting < EVENTS)
        events[waiting++] = (struct event){ kind, length, { first, second } };
}

static void look(void)
{
    static uint16_t looked;
    uint8_t seen[8], down = board_keys();
    if (!past(looked, LOOK_MILLIS))
        return;
    looked = now;
    board_squares(seen);
    if (memcmp(seen, before, sizeof seen) == 0)
        memcpy(squares, seen, sizeof squares);
    memcpy(before, seen, sizeof before);
    if (down != keys_before) {
        keys_before = down;
        return;
    }
    uint8_t changed = down ^ keys;
    keys = down;
    if (changed & down & KEY_LEFT)
        happened(TABIYA_PRESS, 0, 0, 1);
    if (changed & down & KEY_RIGHT)
        happened(TABIYA_PRESS, 1, 0, 1);
    if (changed & KEY_RUN)
        happened(TABIYA_BUTTON, 2, (down & KEY_RUN) != 0, 2);
}

static bool tell_board(void)
{
    uint8_t all[64];
    for (uint8_t square = 0; square < 64; square++)
        all[square] = squares[square / 8] >> square % 8 & 1 ? SOMETHING : 0;
    if (!tell(TABIYA_BOARD, all, sizeof all))
        return false;
    memcpy(told, squares, sizeof told);
    return true;
}

static bool tell_squares(void)
{
    for (uint8_t square = 0; square < 64; square++) {
        uint8_t rank = square / 8, bit = (uint8_t)(1 << square % 8);
        if (!((squares[rank] ^ told[rank]) & bit))
            continue;
        const uint8_t payload[] = { square, squares[rank] & bit ? SOMETHING : 0 };
        if (!tell(TABIYA_SQUARE, payload, sizeof payload))
            return false;
        told[rank] ^= bit;
    }
    return true;
}

static bool tell_tag(void)
{
    uint8_t payload[16] = { 0, pn532_seen.state }, length = 2;
    if (pn532_seen.state == PN532_ONE) {
        payload[length++] = pn532_seen.uid_length;
        memcpy(payload + length, pn532_seen.uid, pn532_seen.uid_length);
        length += pn532_seen.uid_length;
        payload[length++] = (uint8_t)pn532_seen.ndef_length;
        payload[length++] = (uint8_t)(pn532_seen.ndef_length >> 8);
    }
    return tell(TABIYA_TAG, payload, length);
}

static bool tell_part(void)
{
    uint16_t rest = pn532_seen.ndef_length - part_due;
    uint8_t count = rest < PART ? (uint8_t)rest : PART, payload[4 + PART];
    payload[0] = 0;
    payload[1] = (uint8_t)part_due;
    payload[2] = (uint8_t)(part_due >> 8);
    payload[3] = count;
    memcpy(payload + 4, pn532_seen.ndef + part_due, count);
    return tell(TABIYA_NDEF, payload, 4 + count);
}

static bool parts_left(void)
{
    return pn532_seen.state == PN532_ONE && pn532_seen.ndef_length != PN532_NOT_READ
           && part_due < pn532_seen.ndef_length;
}

/* Tells what is due while there is room: squares before presses, so that a press finds the board as it was. */
static void tell_all(void)
{
    if (board_due) {
        if (!tell_board())
            return;
        board_due = false;
    }
    if (!tell_squares())
        return;
    while (waiting > 0) {
        if (!tell(events[0].kind, events[0].payload, events[0].length))
            return;
        memmove(events, events + 1, --waiting * sizeof events[0]);
    }
    if (tag_due) {
        if (!tell_tag())
            return;
        tag_due = false;
        part_due = 0;
    }
    while (parts_left()) {
        if (!tell_part())
            return;
        part_due += PART;
    }
}

/* Says again what was not acked, and that it is still here. */
static void keep_up(void)
{
    if (link.met && past(heard_at, ALONE_MILLIS)) {
        memset(lamps, 0, sizeof lamps);
        say_hello(true);
    } else if (link.waiting > 0 && past(sent_at, TABIYA_RESEND_MILLIS)) {
        sent_at = now;
        if (tabiya_resend(&link))
            for (uint8_t i = 0; i < link.waiting; i++)
                write_frame(&link.queue[i]);
        else
            say_hello(true);
    } else if (past(said_at, BEAT_MILLIS)) {
        struct tabiya_frame frame;
        if (!link.met)
            say_hello(true);
        else if (tabiya_heartbeat(&link, &frame))
            write_frame(&frame);
    }
}

int main(void)
{
    board_begin();
    say_hello(true);
    for (;;) {
        now = board_millis();
        listen();
        look();
        if (pn532_run(now)) {
            tag_due = true;
            part_due = UINT16_MAX;
        }
        if (link.met)
            tell_all();
        keep_up();
        show_lamps();
    }
}
