/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Implements pn532.h. Sources: notes on NXP's PN532 user manual (UM0701-02), chapters 6 and 7, and on the Type 2 Tag of
 * the NFC Forum.
 */
#include "pn532.h"

#include <string.h>

#include "board.h"

enum {
    ACK_MILLIS = 20,     /* timeout for an ack; the chip acks within 15 ms */
    ANSWER_MILLIS = 150, /* timeout for an answer; two attempts to find a card take about 30 ms */
    POLL_MILLIS = 100,   /* between two searches for a card */
    SULK_MILLIS = 1000,  /* between two attempts to wake a reader that does not answer */
    TRIES = 3,
    MISSES = 3,          /* failed searches in a row until a card counts as gone; one alone may be noise */
    FIRST_PAGE = 3,      /* the page of the capability container; the data area follows it */
    AREA = 4 + 4 + PN532_LONGEST_NDEF + 8
};

static const uint8_t WAKE[] = { 0x14, 0x01, 0x14, 0x00 };       /* SAMConfiguration: normal mode */
static const uint8_t FEW[] = { 0x32, 0x05, 0xFF, 0x01, 0x01 };  /* RFConfiguration: two attempts to find a card */
static const uint8_t LOOK[] = { 0x4A, 0x02, 0x00 };             /* InListPassiveTarget: up to two cards, type A */

struct pn532_seen pn532_seen = { .state = PN532_NONE };

/* The state: the step that is in progress, what the reader must send next, and the last command. */
static enum { WAKING, SETTING, LOOKING, READING } doing = WAKING;
static enum { IDLE, WANT_ACK, WANT_ANSWER } want = IDLE;
static uint8_t command[8], command_length, tries, wakes, misses, reads;
static uint16_t since, wait;

/* The frame that is being received. `at` counts its bytes: 0 searches for 00 FF; then follow the length, the checksum
 * of the length, the data from D5 on, and the checksum of the data. */
static uint8_t at, last, length, sum, data[40];

static struct pn532_seen next;
static uint8_t area[AREA];
static uint16_t have;

static void pause(uint16_t now, uint16_t for_millis)
{
    want = IDLE;
    since = now;
    wait = for_millis;
}

static void send(uint16_t now)
{
    uint8_t frame[16], n = 0, check = 0xD4;
    frame[n++] = 0x00;
    frame[n++] = 0x00;
    frame[n++] = 0xFF;
    frame[n++] = command_length + 1;
    frame[n++] = (uint8_t)-(command_length + 1);
    frame[n++] = 0xD4;
    for (uint8_t i = 0; i < command_length; i++) {
        check += command[i];
        frame[n++] = command[i];
    }
    frame[n++] = (uint8_t)-check;
    frame[n++] = 0x00;
    if (doing == WAKING) {
        static const uint8_t rouse[16] = { 0x55, 0x55 };
        board_write(TO_READER, rouse, sizeof rouse);
    }
    board_write(TO_READER, frame, n);
    want = WANT_ACK;
    at = last = 0;
    since = now;
    wait = ACK_MILLIS;
}

static void begin(uint16_t now, const uint8_t *bytes, uint8_t count)
{
    memcpy(command, bytes, count);
    command_length = count;
    tries = 0;
    send(now);
}

static void wake(uint16_t now)
{
    doing = WAKING;
    begin(now, WAKE, sizeof WAKE);
}

static void look(uint16_t now)
{
    doing = LOOKING;
    begin(now, LOOK, sizeof LOOK);
}

static void read_more(uint16_t now)
{
    const uint8_t read[] = { 0x40, 0x01, 0x30, (uint8_t)(FIRST_PAGE + have / 4) };
    doing = READING;
    begin(now, read, sizeof read);
}

/* Makes `next` the state that is reported; false if it was reported already. */
static bool show(void)
{
    misses = 0;
    if (memcmp(&next, &pn532_seen, sizeof next) == 0)
        return false;
    pn532_seen = next;
    return true;
}

static bool show_state(uint8_t state)
{
    memset(&next, 0, sizeof next);
    next.state = state;
    return show();
}

/* Searches for the NDEF message in the pages read so far; false if more pages are needed. Offsets count from the
 * capability container. */
static bool ndef_found(void)
{
    uint16_t offset = 4;
    if (have < 4)
        return false;
    next.ndef_length = 0;
    if (area[0] != 0xE1)
        return true; /* not formatted for NDEF */
    while (offset < 4u + 8u * area[2]) {
        if (offset + 4 > have)
            break; /* the type and a length of three bytes are not complete yet */
        uint8_t type = area[offset];
        uint16_t size = area[offset + 1], start = offset + 2;
        if (type == 0x00) {
            offset++;
            continue;
        }
        if (type == 0xFE)
            return true; /* the end of the data area: there is no NDEF message */
        if (size == 0xFF) {
            size = (uint16_t)((uint16_t)area[offset + 2] << 8 | area[offset + 3]);
            start += 2;
        }
        if (type != 0x03) {
            if (size > AREA)
                return true;
            offset = start + size;
            continue;
        }
        if (size > PN532_LONGEST_NDEF) {
            next.ndef_length = PN532_NOT_READ;
            return true;
        }
        if (start + size > have)
            break;
        next.ndef_length = size;
        memcpy(next.ndef, area + start, size);
        return true;
    }
    if (offset >= 4u + 8u * area[2])
        return true; /* the data area contains only other data */
    if (have + 16 > AREA) {
        next.ndef_length = PN532_NOT_READ;
        return true;
    }
    return false;
}

/* Handles the result of a search for cards; true if `pn532_seen` has changed. */
static bool looked(uint16_t now)
{
    uint8_t count = data[2];
    pause(now, POLL_MILLIS);
    if (count == 0) {
        if (pn532_seen.state == PN532_NONE || (misses < MISSES && ++misses < MISSES))
            return false;
        return show_state(PN532_NONE);
    }
    if (count > 1)
        return show_state(PN532_SEVERAL);
    /* D5 4B 01, number, SENS_RES (2), SEL_RES, length of the UID, UID. Check the length before using it. */
    if (length < 8 || data[7] > sizeof next.uid || 8 + data[7] > length)
        return false;
    bool same = pn532_seen.state == PN532_ONE && pn532_seen.uid_length == data[7]
                && memcmp(pn532_seen.uid, data + 8, data[7]) == 0;
    if (same) {
        misses = 0;
        return false;
    }
    if (next.state != PN532_ONE || memcmp(next.uid, data + 8, data[7]) != 0)
        reads = 0;
    memset(&next, 0, sizeof next);
    next.state = PN532_ONE;
    next.uid_length = data[7];
    memcpy(next.uid, data + 8, data[7]);
    next.ndef_length = PN532_NOT_READ;
    /* Only tags of type 2 are read, and each only a few times. */
    if (data[6] != 0x00 || reads++ >= TRIES)
        return show();
    have = 0;
    read_more(now);
    return false;
}

static bool answered(uint16_t now)
{
    bool fits = length >= 2 && data[0] == 0xD5 && data[1] == (uint8_t)(command[0] + 1);
    if (!fits)
        return false; /* the answer to another command: continue to wait */
    switch (doing) {
    case WAKING:
        doing = SETTING;
        begin(now, FEW, sizeof FEW);
        return false;
    case SETTING:
        wakes = 0;
        look(now);
        return false;
    case LOOKING:
        if (length < 3)
            return false;
        return looked(now);
    case READING:
        if (length != 19 || (data[2] & 0x3F) != 0x00) {
            pause(now, 0); /* the tag is gone or cannot be read: search again */
            return false;
        }
        memcpy(area + have, data + 3, 16);
        have += 16;
        if (!ndef_found()) {
            read_more(now);
            return false;
        }
        pause(now, POLL_MILLIS);
        return show();
    }
    return false;
}

/* Handles a byte from the chip; true if `pn532_seen` has changed. */
static bool hear(uint16_t now, uint8_t byte)
{
    if (at == 0) {
        at = last == 0x00 && byte == 0xFF;
        last = byte;
    } else if (at == 1) {
        length = byte;
        at = 2;
    } else if (at == 2) {
        at = last = 0;
        if (length == 0x00 && byte == 0xFF && want == WANT_ACK) {
            want = WANT_ANSWER;
            since = now;
            wait = ANSWER_MILLIS;
        } else if ((uint8_t)(length + byte) == 0 && length > 0 && length <= sizeof data) {
            at = 3;
            sum = 0;
        }
    } else if (at < 3 + length) {
        data[at++ - 3] = byte;
        sum += byte;
    } else {
        at = last = 0;
        if (want != WANT_ANSWER)
            return false;
        if ((uint8_t)(sum + byte) == 0)
            return answered(now);
        if (tries++ < TRIES) {
            static const uint8_t nack[] = { 0x00, 0x00, 0xFF, 0xFF, 0x00, 0x00 };
            board_write(TO_READER, nack, sizeof nack); /* asks for the frame again */
            since = now;
        }
    }
    return false;
}

/* Handles a timeout; true if `pn532_seen` has changed. */
static bool missed(uint16_t now)
{
    if (want == IDLE) {
        if (doing == WAKING)
            wake(now);
        else
            look(now);
        return false;
    }
    if (++tries < TRIES) {
        send(now);
        return false;
    }
    if (doing != WAKING || ++wakes < TRIES) {
        wake(now);
        return false;
    }
    wakes = TRIES - 1;
    doing = WAKING;
    pause(now, SULK_MILLIS);
    return show_state(PN532_SILENT);
}

bool pn532_run(uint16_t now)
{
    bool news = false;
    for (int16_t byte; !news && (byte = board_read(TO_READER)) >= 0;)
        news = hear(now, (uint8_t)byte);
    if (!news && (uint16_t)(now - since) >= wait)
        news = missed(now);
    return news;
}
