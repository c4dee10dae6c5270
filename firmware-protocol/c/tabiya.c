/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * See tabiya.h.
 */
#include "tabiya.h"

#include <string.h>

enum { HEADER = 5, CHECKSUM = 4 };

uint32_t tabiya_crc32(const uint8_t *bytes, uint8_t length)
{
    uint32_t crc = UINT32_C(0xFFFFFFFF);
    while (length--) {
        crc ^= *bytes++;
        for (uint8_t bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ UINT32_C(0xEDB88320) : crc >> 1;
    }
    return ~crc;
}

uint8_t tabiya_encode(const struct tabiya_frame *frame, uint8_t out[TABIYA_LONGEST_FRAME])
{
    if (frame->length > TABIYA_LONGEST_PAYLOAD)
        return 0;
    uint8_t length = HEADER + frame->length;
    out[0] = TABIYA_START;
    out[1] = TABIYA_VERSION;
    out[2] = frame->length;
    out[3] = frame->sequence;
    out[4] = frame->kind;
    memcpy(out + HEADER, frame->payload, frame->length);
    uint32_t crc = tabiya_crc32(out + 1, length - 1);
    for (uint8_t i = 0; i < CHECKSUM; i++)
        out[length++] = (uint8_t)(crc >> 8 * i);
    return length;
}

/* What the collected bytes begin with; a whole frame's bytes in `*need`. */
static enum tabiya_told look(struct tabiya_decoder *decoder, uint8_t *need)
{
    const uint8_t *bytes = decoder->bytes;
    if (decoder->length > 0 && bytes[0] != TABIYA_START)
        return TABIYA_BAD_NOISE;
    if (decoder->length > 1 && bytes[1] != TABIYA_VERSION) {
        decoder->wrong = bytes[1];
        return TABIYA_BAD_VERSION;
    }
    if (decoder->length < 3)
        return TABIYA_NOTHING;
    if (bytes[2] > TABIYA_LONGEST_PAYLOAD) {
        decoder->wrong = bytes[2];
        return TABIYA_BAD_LENGTH;
    }
    *need = HEADER + bytes[2] + CHECKSUM;
    if (decoder->length < *need)
        return TABIYA_NOTHING;
    uint32_t crc = tabiya_crc32(bytes + 1, *need - CHECKSUM - 1);
    for (uint8_t i = 0; i < CHECKSUM; i++)
        if (bytes[*need - CHECKSUM + i] != (uint8_t)(crc >> 8 * i))
            return TABIYA_BAD_CHECKSUM;
    return TABIYA_FRAME;
}

static void drop_first(struct tabiya_decoder *decoder, uint8_t count)
{
    decoder->length -= count;
    memmove(decoder->bytes, decoder->bytes + count, decoder->length);
}

enum tabiya_told tabiya_more(struct tabiya_decoder *decoder, struct tabiya_frame *frame)
{
    for (;;) {
        uint8_t need = 0;
        enum tabiya_told told = look(decoder, &need);
        if (told == TABIYA_NOTHING)
            return told;
        if (told == TABIYA_FRAME) {
            frame->length = decoder->bytes[2];
            frame->sequence = decoder->bytes[3];
            frame->kind = decoder->bytes[4];
            memcpy(frame->payload, decoder->bytes + HEADER, frame->length);
            drop_first(decoder, need);
            decoder->noisy = false;
            return told;
        }
        /* The first damage is the cause; what follows in its wreck is not told. */
        drop_first(decoder, 1);
        bool noisy = decoder->noisy;
        decoder->noisy = true;
        if (!noisy)
            return told;
    }
}

enum tabiya_told tabiya_push(struct tabiya_decoder *decoder, uint8_t byte, struct tabiya_frame *frame)
{
    if (decoder->length < TABIYA_LONGEST_FRAME)
        decoder->bytes[decoder->length++] = byte;
    return tabiya_more(decoder, frame);
}

/* ---- Numbers ---- */

static void make(const struct tabiya_link *link, struct tabiya_frame *out, uint8_t kind, uint8_t length)
{
    out->sequence = link->sent;
    out->kind = kind;
    out->length = length;
}

static void acked(struct tabiya_link *link, uint8_t number)
{
    for (uint8_t at = 0; at < link->waiting; at++)
        if (link->queue[at].sequence == number) {
            link->waiting -= at + 1;
            memmove(link->queue, link->queue + at + 1, link->waiting * sizeof link->queue[0]);
            link->resent = 0;
            return;
        }
}

/* Whether a hello is one: as long as its name says, and able to take lamps. */
static bool is_hello(const struct tabiya_frame *frame)
{
    return frame->length >= 8 && frame->payload[2] >= 32 && frame->length - 8 >= frame->payload[7];
}

enum tabiya_heard tabiya_hear(struct tabiya_link *link, const struct tabiya_frame *frame, struct tabiya_frame *reply,
                              bool *ack)
{
    *ack = false;
    if (frame->kind == TABIYA_HELLO) {
        if (!is_hello(frame))
            return TABIYA_IGNORE;
        link->taken = frame->sequence;
        link->met = true;
        return frame->payload[1] & 1 ? TABIYA_ASKED : TABIYA_ANSWERED;
    }
    if (frame->kind == TABIYA_ACK && frame->length >= 1)
        acked(link, frame->payload[0]);
    if (frame->kind == TABIYA_HEARTBEAT && link->met && link->taken != frame->sequence)
        return TABIYA_LOST;
    if (frame->kind < TABIYA_FIRST_COUNTED || !link->met)
        return TABIYA_IGNORE;
    bool next = (uint8_t)(link->taken + 1) == frame->sequence;
    if (next)
        link->taken = frame->sequence;
    make(link, reply, TABIYA_ACK, 1);
    reply->payload[0] = link->taken;
    *ack = true;
    return next ? TABIYA_TAKE : TABIYA_IGNORE;
}

void tabiya_hello(struct tabiya_link *link, struct tabiya_frame *out, bool asks, uint32_t abilities, const char *name)
{
    uint8_t length = 0;
    while (length < TABIYA_LONGEST_PAYLOAD - 8 && name[length] != '\0')
        length++;
    make(link, out, TABIYA_HELLO, 8 + length);
    out->payload[0] = TABIYA_MESSAGES;
    out->payload[1] = asks;
    out->payload[2] = TABIYA_LONGEST_PAYLOAD;
    for (uint8_t i = 0; i < 4; i++)
        out->payload[3 + i] = (uint8_t)(abilities >> 8 * i);
    out->payload[7] = length;
    memcpy(out->payload + 8, name, length);
    link->waiting = 0;
    link->resent = 0;
    if (asks)
        link->met = false;
}

bool tabiya_heartbeat(const struct tabiya_link *link, struct tabiya_frame *out)
{
    make(link, out, TABIYA_HEARTBEAT, 0);
    return link->waiting == 0;
}

const struct tabiya_frame *tabiya_send(struct tabiya_link *link, uint8_t kind, const uint8_t *payload, uint8_t length)
{
    if (link->waiting >= TABIYA_ROOM || length > TABIYA_LONGEST_PAYLOAD || kind < TABIYA_FIRST_COUNTED)
        return NULL;
    struct tabiya_frame *frame = &link->queue[link->waiting++];
    link->sent++;
    make(link, frame, kind, length);
    memcpy(frame->payload, payload, length);
    return frame;
}

bool tabiya_resend(struct tabiya_link *link)
{
    if (link->resent < TABIYA_RESENDS) {
        link->resent++;
        return true;
    }
    return false;
}
