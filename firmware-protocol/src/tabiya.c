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

/* Examines the beginning of the collected bytes. For a whole frame `*need` is the number of its bytes. */
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
        /* Only the first damage is reported; later ones are its consequences. */
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

/* Whether a hello is well-formed: it contains its whole name, and the sender can receive a lamps message. */
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

/* ---- Messages ---- */

/* A payload that is being written. Bytes without room are counted but not copied, so the payload stays too long. */
struct payload {
    uint8_t *bytes;
    uint16_t length;
};

static void put(struct payload *to, const void *bytes, uint8_t count)
{
    if (to->length + count <= TABIYA_LONGEST_PAYLOAD && count > 0)
        memcpy(to->bytes + to->length, bytes, count);
    to->length += count;
}

static void put_byte(struct payload *to, uint8_t byte) { put(to, &byte, 1); }

static void put_number(struct payload *to, uint32_t number, uint8_t bytes)
{
    for (; bytes > 0; bytes--, number >>= 8)
        put_byte(to, (uint8_t)number);
}

static void put_counted(struct payload *to, const void *bytes, uint8_t count)
{
    put_byte(to, count);
    put(to, bytes, count);
}

uint8_t tabiya_write(const struct tabiya_message *message, uint8_t payload[TABIYA_LONGEST_PAYLOAD])
{
    struct payload to = { payload, 0 };
    switch (message->kind) {
    case TABIYA_HELLO:
        put_byte(&to, message->is.hello.messages);
        put_byte(&to, message->is.hello.asks);
        put_byte(&to, message->is.hello.takes);
        put_number(&to, message->is.hello.abilities, 4);
        put_counted(&to, message->is.hello.name, message->is.hello.length);
        break;
    case TABIYA_HEARTBEAT:
        break;
    case TABIYA_ACK:
        put_byte(&to, message->is.ack.number);
        break;
    case TABIYA_SQUARE:
        put_byte(&to, message->is.square.square);
        put_byte(&to, message->is.square.content);
        break;
    case TABIYA_BOARD:
        put(&to, message->is.board.contents, 64);
        break;
    case TABIYA_PRESS:
        put_byte(&to, message->is.press.side);
        break;
    case TABIYA_BUTTON:
        put_byte(&to, message->is.button.number);
        put_byte(&to, message->is.button.down);
        break;
    case TABIYA_TAG:
        put_byte(&to, message->is.tag.antenna);
        put_byte(&to, message->is.tag.state);
        if (message->is.tag.state == TABIYA_TAG_THERE) {
            put_counted(&to, message->is.tag.uid, message->is.tag.length);
            put_number(&to, message->is.tag.ndef, 2);
        }
        break;
    case TABIYA_NDEF:
        put_byte(&to, message->is.ndef.antenna);
        put_number(&to, message->is.ndef.offset, 2);
        put_counted(&to, message->is.ndef.bytes, message->is.ndef.length);
        break;
    case TABIYA_BATTERY:
        put_byte(&to, message->is.battery.percent);
        put_byte(&to, (uint8_t)(message->is.battery.charging | message->is.battery.low << 1));
        break;
    case TABIYA_LAMPS:
        put(&to, message->is.lamps.glows, 32);
        break;
    case TABIYA_DISPLAY:
        put_byte(&to, message->is.display.line);
        put_counted(&to, message->is.display.text, message->is.display.length);
        break;
    case TABIYA_BEEP:
        put_number(&to, message->is.beep.millis, 2);
        break;
    case TABIYA_REFRESH:
        put_byte(&to, message->is.refresh.what);
        break;
    default:
        put(&to, message->is.other.payload, message->is.other.length);
    }
    return to.length <= TABIYA_LONGEST_PAYLOAD ? (uint8_t)to.length : TABIYA_NO_MESSAGE;
}

/* Returns how many bytes at the beginning of the text are valid, complete UTF-8 characters. */
static uint8_t utf8(const uint8_t *text, uint8_t length)
{
    uint8_t at = 0;
    while (at < length) {
        uint8_t first = text[at], more = 0, low = 0x80, high = 0xBF;
        if (first >= 0xC2 && first <= 0xDF)
            more = 1;
        else if (first >= 0xE0 && first <= 0xEF)
            more = 2;
        else if (first >= 0xF0 && first <= 0xF4)
            more = 3;
        else if (first >= 0x80)
            return at;
        /* Overlong forms, surrogates and code points above 10FFFF are invalid. */
        if (first == 0xE0)
            low = 0xA0;
        if (first == 0xED)
            high = 0x9F;
        if (first == 0xF0)
            low = 0x90;
        if (first == 0xF4)
            high = 0x8F;
        if (more >= length - at)
            return at;
        for (uint8_t i = 1; i <= more; i++) {
            uint8_t byte = text[at + i];
            if (byte < (i == 1 ? low : 0x80) || byte > (i == 1 ? high : 0xBF))
                return at;
        }
        at += more + 1;
    }
    return at;
}

/* Reads a length at `at` and the bytes behind it; false if the payload ends before them. */
static bool counted(const struct tabiya_frame *frame, uint8_t at, const uint8_t **bytes, uint8_t *length)
{
    if (frame->length <= at || frame->length - at - 1 < frame->payload[at])
        return false;
    *length = frame->payload[at];
    *bytes = frame->payload + at + 1;
    return true;
}

/* Reads two bytes, the lowest first. The cast before the shift avoids an overflow where int has 16 bits. */
static uint16_t u16(const uint8_t *bytes) { return (uint16_t)(bytes[0] | (uint16_t)bytes[1] << 8); }

static bool is_content(uint8_t byte) { return byte <= 12 || byte == TABIYA_SOMETHING; }

static bool read_tag(const struct tabiya_frame *frame, struct tabiya_message *message)
{
    const uint8_t *payload = frame->payload;
    if (frame->length < 2 || payload[1] > TABIYA_TAG_NO_READER)
        return false;
    message->is.tag.antenna = payload[0];
    message->is.tag.state = payload[1];
    message->is.tag.length = 0;
    message->is.tag.uid = NULL;
    message->is.tag.ndef = TABIYA_NDEF_NOT_READ;
    if (payload[1] != TABIYA_TAG_THERE)
        return true;
    if (!counted(frame, 2, &message->is.tag.uid, &message->is.tag.length))
        return false;
    uint8_t length = message->is.tag.length, behind = 3 + length;
    if ((length != 4 && length != 7 && length != 10) || frame->length < behind + 2)
        return false;
    message->is.tag.ndef = u16(payload + behind);
    return true;
}

bool tabiya_read(const struct tabiya_frame *frame, struct tabiya_message *message)
{
    const uint8_t *payload = frame->payload, *bytes;
    uint8_t length = frame->length;
    message->kind = frame->kind;
    switch (frame->kind) {
    case TABIYA_HELLO:
        if (length < 8 || payload[2] < 32 || !counted(frame, 7, &bytes, &message->is.hello.length))
            return false;
        message->is.hello.messages = payload[0];
        message->is.hello.asks = payload[1] & 1;
        message->is.hello.takes = payload[2];
        message->is.hello.abilities = 0;
        for (uint8_t i = 0; i < 4; i++)
            message->is.hello.abilities |= (uint32_t)payload[3 + i] << 8 * i;
        message->is.hello.name = (const char *)bytes;
        /* A malformed name is cut, so that the hello remains readable. */
        message->is.hello.length = utf8(bytes, message->is.hello.length);
        return true;
    case TABIYA_HEARTBEAT:
        return true;
    case TABIYA_ACK:
        message->is.ack.number = payload[0];
        return length >= 1;
    case TABIYA_SQUARE:
        message->is.square.square = payload[0];
        message->is.square.content = payload[1];
        return length >= 2 && payload[0] < 64 && is_content(payload[1]);
    case TABIYA_BOARD:
        message->is.board.contents = payload;
        for (uint8_t square = 0; square < 64; square++)
            if (length < 64 || !is_content(payload[square]))
                return false;
        return true;
    case TABIYA_PRESS:
        message->is.press.side = payload[0];
        return length >= 1 && payload[0] <= 1;
    case TABIYA_BUTTON:
        message->is.button.number = payload[0];
        message->is.button.down = payload[1];
        return length >= 2 && payload[1] <= 1;
    case TABIYA_TAG:
        return read_tag(frame, message);
    case TABIYA_NDEF:
        message->is.ndef.antenna = payload[0];
        message->is.ndef.offset = u16(payload + 1);
        return counted(frame, 3, &message->is.ndef.bytes, &message->is.ndef.length);
    case TABIYA_BATTERY:
        message->is.battery.percent = payload[0];
        message->is.battery.charging = payload[1] & 1;
        message->is.battery.low = payload[1] >> 1 & 1;
        return length >= 2 && (payload[0] <= 100 || payload[0] == TABIYA_PERCENT_UNKNOWN);
    case TABIYA_LAMPS:
        message->is.lamps.glows = payload;
        return length >= 32;
    case TABIYA_DISPLAY:
        message->is.display.line = payload[0];
        if (!counted(frame, 1, &bytes, &message->is.display.length))
            return false;
        message->is.display.text = (const char *)bytes;
        return utf8(bytes, message->is.display.length) == message->is.display.length;
    case TABIYA_BEEP:
        message->is.beep.millis = u16(payload);
        return length >= 2;
    case TABIYA_REFRESH:
        message->is.refresh.what = payload[0];
        return length >= 1;
    default:
        message->is.other.payload = payload;
        message->is.other.length = length;
        return true;
    }
}

const struct tabiya_frame *tabiya_tell(struct tabiya_link *link, const struct tabiya_message *message)
{
    uint8_t payload[TABIYA_LONGEST_PAYLOAD], length = tabiya_write(message, payload);
    return length == TABIYA_NO_MESSAGE ? NULL : tabiya_send(link, message->kind, payload, length);
}
