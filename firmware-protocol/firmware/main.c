/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The firmware of a self-built board with 64 squares that sense pieces, a lever, a button, a lamp in each square, a
 * display, a beeper and a card reader. ../README.md specifies the protocol; board.h is the interface to the hardware.
 */
#include <string.h>

#include "../src/tabiya.h"
#include "board.h"
#include "digits.h"
#include "pn532.h"

enum {
    BEAT_MILLIS = 1000,  /* without a frame sent, until a heartbeat is sent */
    ALONE_MILLIS = 3000, /* without a frame received, until the host counts as disconnected */
    LOOK_MILLIS = 10, /* between two scans of squares and keys; debounce: a state counts if two scans in a row agree */
    BLINK_MILLIS = 256,
    EVENTS = 8, /* presses and buttons that can wait */
    PART = 60, /* bytes of NDEF in a frame */
    LONGEST_BEEP = 5000, /* milliseconds */
    BATTERY_MILLIS = 30000, /* between two measurements of the battery */
    LOW_PERCENT = 15
};

/* If your board lacks one of these parts, remove its ability here, so that the host knows. */
static const uint32_t ABILITIES = TABIYA_FEELS_SQUARES | TABIYA_LEVER | TABIYA_BUTTONS | TABIYA_TAGS | TABIYA_LAMPS_TOO
                                  | TABIYA_DISPLAY_TOO | TABIYA_BEEPER
#ifdef BATTERY
                                  | TABIYA_BATTERY_TOO
#endif
    ;

static struct tabiya_decoder decoder;
static struct tabiya_link link;
static uint16_t now, heard_at, byte_at, said_at, sent_at;

/* The debounced squares, the squares of the last scan, and the squares as reported to the host; then the debounced keys
 * and the keys of the last scan. */
static uint8_t squares[8], before[8], told[8], keys, keys_before;
static bool board_due;

/* Presses and buttons that are still to be sent, in order. */
static struct tabiya_message events[EVENTS];
static uint8_t waiting;

/* The first `numbered` of them were sent before a hello of this board, with these numbers. Until the host's hello an
 * ack for them may still arrive. */
static uint8_t numbers[EVENTS];
static uint8_t numbered;

/* Whether the tag must be reported, and the offset from which its NDEF message is still to be sent. */
static bool tag_due;
static uint16_t part_due;

static uint8_t lamps[32];

/* When the beeper was switched on, and for how long. */
static uint16_t beep_since, beep_millis;

#ifdef BATTERY
static uint16_t weighed;
static uint8_t percent = TABIYA_PERCENT_UNKNOWN;
static bool battery_due;
#endif

static bool past(uint16_t since, uint16_t millis) { return (uint16_t)(now - since) >= millis; }

static void write_frame(const struct tabiya_frame *frame)
{
    uint8_t bytes[TABIYA_LONGEST_FRAME];
    board_write(TO_HOST, bytes, tabiya_encode(frame, bytes));
    said_at = now;
}

/* Sends a counted message; false if too many frames wait for their ack. */
static bool tell(const struct tabiya_message *message)
{
    const struct tabiya_frame *frame = tabiya_tell(&link, message);
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
        uint8_t glow = tabiya_glow(lamps, square);
        if (glow == TABIYA_WRONG && now & BLINK_MILLIS)
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

static void show_text(const char *text, uint8_t length)
{
    uint8_t digits[8];
    digits_of(text, length, digits);
    board_display(digits);
}

static void beep(uint16_t millis)
{
    beep_since = now;
    beep_millis = millis < LONGEST_BEEP ? millis : LONGEST_BEEP;
    board_beeper(beep_millis > 0);
}

/* Switches off everything that the host has switched on. */
static void go_dark(void)
{
    memset(lamps, 0, sizeof lamps);
    show_text("", 0);
    beep(0);
}

/* A hello drops the frames that wait for their ack. This keeps the presses and buttons among them, so that they are
 * sent again before later ones: a repeated press does less harm than a lost one. */
static void keep_events(void)
{
    for (uint8_t i = link.waiting; i-- > 0;) {
        struct tabiya_message message;
        bool event = link.queue[i].kind == TABIYA_PRESS || link.queue[i].kind == TABIYA_BUTTON;
        if (!event || waiting == EVENTS || !tabiya_read(&link.queue[i], &message))
            continue;
        memmove(events + 1, events, waiting++ * sizeof events[0]);
        memmove(numbers + 1, numbers, numbered++);
        events[0] = message;
        numbers[0] = link.queue[i].sequence;
    }
}

static void drop_events(uint8_t count)
{
    waiting -= count;
    memmove(events, events + count, waiting * sizeof events[0]);
}

/* Drops the events that the host had taken before our hello: all up to this number, whose ack arrived only now. */
static void forget_taken(uint8_t taken)
{
    uint8_t known = 0;
    while (known < numbered && (uint8_t)(taken - numbers[known]) < 128) /* numbers wrap; fewer than 128 wait */
        known++;
    numbered -= known;
    memmove(numbers, numbers + known, numbered);
    drop_events(known);
}

static void say_hello(bool asks)
{
    struct tabiya_frame frame;
    keep_events();
    tabiya_hello(&link, &frame, asks, ABILITIES, "Tabiya Mega");
    write_frame(&frame);
}

static void show_everything(void)
{
    go_dark();
    numbered = 0; /* all further frames get new numbers */
    board_due = tag_due = true;
#ifdef BATTERY
    battery_due = true;
#endif
}

static void obey(const struct tabiya_frame *frame)
{
    struct tabiya_message message;
    if (!tabiya_read(frame, &message))
        return;
    switch (message.kind) {
    case TABIYA_LAMPS:
        memcpy(lamps, message.is.lamps.glows, sizeof lamps);
        break;
    case TABIYA_DISPLAY:
        if (message.is.display.line == 0)
            show_text(message.is.display.text, message.is.display.length);
        break;
    case TABIYA_BEEP:
        beep(message.is.beep.millis);
        break;
    case TABIYA_REFRESH:
        board_due |= message.is.refresh.what & TABIYA_REFRESH_BOARD;
        tag_due |= (message.is.refresh.what & TABIYA_REFRESH_TAGS) != 0;
#ifdef BATTERY
        if (message.is.refresh.what & TABIYA_REFRESH_BATTERY) {
            percent = TABIYA_PERCENT_UNKNOWN; /* forces a new measurement */
            battery_due = true;
        }
#endif
        break;
    default: /* messages that a board does not handle */
        break;
    }
}

static void take(const struct tabiya_frame *frame)
{
    struct tabiya_frame reply;
    bool ack;
    heard_at = now;
    if (frame->kind == TABIYA_ACK && frame->length >= 1)
        forget_taken(frame->payload[0]);
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

static void happened(struct tabiya_message event)
{
    if (waiting < EVENTS)
        events[waiting++] = event;
}

static void pressed(uint8_t side)
{
    happened((struct tabiya_message){ .kind = TABIYA_PRESS, .is.press.side = side });
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
        pressed(0);
    if (changed & down & KEY_RIGHT)
        pressed(1);
    if (changed & KEY_RUN)
        happened((struct tabiya_message){ .kind = TABIYA_BUTTON, .is.button = { 2, (down & KEY_RUN) != 0 } });
}

static void quieten(void)
{
    if (beep_millis > 0 && past(beep_since, beep_millis))
        beep(0);
}

#ifdef BATTERY
static void weigh(void)
{
    if (percent != TABIYA_PERCENT_UNKNOWN && !past(weighed, BATTERY_MILLIS))
        return;
    weighed = now;
    uint8_t seen = board_battery();
    battery_due |= seen != percent;
    percent = seen;
}

static bool tell_battery(void)
{
    struct tabiya_message message = { .kind = TABIYA_BATTERY };
    message.is.battery.percent = percent;
    message.is.battery.low = percent <= LOW_PERCENT;
    return tell(&message);
}
#endif

static bool tell_board(void)
{
    uint8_t all[64];
    for (uint8_t square = 0; square < 64; square++)
        all[square] = squares[square / 8] >> square % 8 & 1 ? TABIYA_SOMETHING : TABIYA_EMPTY;
    if (!tell(&(struct tabiya_message){ .kind = TABIYA_BOARD, .is.board.contents = all }))
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
        struct tabiya_message message = { .kind = TABIYA_SQUARE };
        message.is.square.square = square;
        message.is.square.content = squares[rank] & bit ? TABIYA_SOMETHING : TABIYA_EMPTY;
        if (!tell(&message))
            return false;
        told[rank] ^= bit;
    }
    return true;
}

static bool tell_tag(void)
{
    struct tabiya_message message = { .kind = TABIYA_TAG };
    message.is.tag.state = pn532_seen.state;
    message.is.tag.length = pn532_seen.uid_length;
    message.is.tag.uid = pn532_seen.uid;
    message.is.tag.ndef = pn532_seen.ndef_length;
    return tell(&message);
}

static bool tell_part(void)
{
    uint16_t rest = pn532_seen.ndef_length - part_due;
    struct tabiya_message message = { .kind = TABIYA_NDEF };
    message.is.ndef.offset = part_due;
    message.is.ndef.length = rest < PART ? (uint8_t)rest : PART;
    message.is.ndef.bytes = pn532_seen.ndef + part_due;
    return tell(&message);
}

static bool parts_left(void)
{
    return pn532_seen.state == PN532_ONE && pn532_seen.ndef_length != PN532_NOT_READ
           && part_due < pn532_seen.ndef_length;
}

/* Reports everything that is due, as long as frames can be sent. Squares come before presses, so that the host knows
 * the position at the press. */
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
        if (!tell(&events[0]))
            return;
        drop_events(1);
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
#ifdef BATTERY
    if (battery_due && tell_battery())
        battery_due = false;
#endif
}

/* Sends frames without an ack again, sends heartbeats, and detects that the host has disconnected. */
static void keep_up(void)
{
    bool alone = past(heard_at, ALONE_MILLIS);
    if (alone) {
        /* Keeps `heard_at` three seconds back, because the time wraps. Drops old presses: a host that connects later
         * must not get them. */
        heard_at = now - ALONE_MILLIS;
        waiting = numbered = 0;
    }
    if (link.met && alone) {
        go_dark();
        say_hello(true);
        waiting = numbered = 0;
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
    show_text("", 0);
    say_hello(true);
    for (;;) {
        now = board_millis();
        listen();
        look();
#ifdef BATTERY
        weigh();
#endif
        if (pn532_run(now)) {
            tag_due = true;
            part_due = UINT16_MAX;
        }
        if (link.met)
            tell_all();
        keep_up();
        show_lamps();
        quieten();
    }
}
