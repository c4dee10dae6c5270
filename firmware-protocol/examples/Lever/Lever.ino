/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The smallest device: the lever of a chess clock, made of two contacts to ground at the pins 2 (left) and 3 (right).
 * The built-in lamp is lit while Tabiya listens. Connect it with `tabiya play --board dgt:PORT --box diy:PORT`.
 *
 * It was compiled, but no real lever was tried with it.
 */
#include <tabiya.h>

static const uint8_t PINS[2] = { 2, 3 };
static const unsigned long BOUNCE_MILLIS = 20;
static const unsigned long BEAT_MILLIS = 1000;  /* without a frame sent, until a heartbeat is sent */
static const unsigned long ALONE_MILLIS = 3000; /* without a frame received, until Tabiya counts as gone */

static struct tabiya_decoder decoder;
static struct tabiya_link lever;
static unsigned long heard_at, byte_at, said_at, sent_at;

/* Presses that are still to be sent, in order. */
static uint8_t presses[8], waiting;

static void write_frame(const struct tabiya_frame *frame)
{
    uint8_t bytes[TABIYA_LONGEST_FRAME];
    Serial.write(bytes, tabiya_encode(frame, bytes));
    said_at = millis();
}

/* A hello drops the frames that wait for their ack. This keeps the presses among them, to be sent again before later
 * ones: a repeated press does less harm than a lost one. */
static void keep_presses()
{
    for (uint8_t i = lever.waiting; i-- > 0 && waiting < sizeof presses;) {
        memmove(presses + 1, presses, waiting++);
        presses[0] = lever.queue[i].payload[0];
    }
}

static void say_hello(bool asks)
{
    struct tabiya_frame frame;
    keep_presses();
    tabiya_hello(&lever, &frame, asks, TABIYA_LEVER, "Tabiya lever");
    write_frame(&frame);
}

static void take(const struct tabiya_frame *frame)
{
    struct tabiya_frame reply;
    bool ack;
    heard_at = millis();
    switch (tabiya_hear(&lever, frame, &reply, &ack)) {
    case TABIYA_ASKED:
        say_hello(false);
        break;
    case TABIYA_LOST:
        say_hello(true);
        break;
    default: /* a lever has nothing to show, and no lamps to switch */
        break;
    }
    if (ack)
        write_frame(&reply);
}

static void listen()
{
    while (Serial.available() > 0) {
        struct tabiya_frame frame;
        if (millis() - byte_at >= TABIYA_PAUSE_MILLIS)
            decoder.length = 0;
        byte_at = millis();
        int what = tabiya_push(&decoder, (uint8_t)Serial.read(), &frame);
        for (; what != TABIYA_NOTHING; what = tabiya_more(&decoder, &frame))
            if (what == TABIYA_FRAME)
                take(&frame);
    }
}

/* Sends the presses, as long as frames can be sent. */
static void tell_presses()
{
    while (waiting > 0) {
        struct tabiya_message message;
        message.kind = TABIYA_PRESS;
        message.is.press.side = presses[0];
        const struct tabiya_frame *frame = tabiya_tell(&lever, &message);
        if (!frame)
            return;
        write_frame(frame);
        sent_at = millis();
        memmove(presses, presses + 1, --waiting);
    }
}

static void look()
{
    static bool down[2];
    static unsigned long changed_at[2];
    for (uint8_t side = 0; side < 2; side++) {
        bool now_down = digitalRead(PINS[side]) == LOW;
        if (now_down == down[side] || millis() - changed_at[side] < BOUNCE_MILLIS)
            continue;
        down[side] = now_down;
        changed_at[side] = millis();
        if (now_down && waiting < sizeof presses)
            presses[waiting++] = side;
    }
}

/* Sends frames without an ack again, sends heartbeats, and notices that Tabiya is gone. */
static void keep_up()
{
    struct tabiya_frame frame;
    bool alone = millis() - heard_at >= ALONE_MILLIS;
    if (alone) /* whoever connects later must not get old presses */
        waiting = 0;
    if (lever.met && alone) {
        say_hello(true);
        waiting = 0;
    } else if (lever.waiting > 0 && millis() - sent_at >= TABIYA_RESEND_MILLIS) {
        sent_at = millis();
        if (tabiya_resend(&lever))
            for (uint8_t i = 0; i < lever.waiting; i++)
                write_frame(&lever.queue[i]);
        else
            say_hello(true);
    } else if (millis() - said_at >= BEAT_MILLIS) {
        if (!lever.met)
            say_hello(true);
        else if (tabiya_heartbeat(&lever, &frame))
            write_frame(&frame);
    }
}

void setup()
{
    Serial.begin(115200);
    pinMode(PINS[0], INPUT_PULLUP);
    pinMode(PINS[1], INPUT_PULLUP);
    pinMode(LED_BUILTIN, OUTPUT);
    say_hello(true);
}

void loop()
{
    listen();
    look();
    if (lever.met)
        tell_presses();
    keep_up();
    digitalWrite(LED_BUILTIN, lever.met ? HIGH : LOW);
}
