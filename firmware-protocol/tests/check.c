/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Prints the results of tabiya.c, so that another implementation can be compared with it. It reads one command per line
 * from standard input and prints one line for each:
 *
 *     encode SEQUENCE KIND [PAYLOAD]    the bytes of the frame
 *     decode [BYTES]                    the results of a new decoder: each is `frame SEQUENCE KIND [PAYLOAD]` or a
 *                                       damage, followed by `;`
 *     read KIND [PAYLOAD]               the fields of the message, `;` and the payload written again; `-` if the
 *                                       payload is not valid
 *     meet                              an empty line; the commands below then use a new link
 *     hello ASKS ABILITIES NAME         ) the bytes of the frame that the link sends,
 *     send KIND [PAYLOAD]               ) or `-` if it sends none
 *     beat                              )
 *     resend                            the bytes of all waiting frames; `-` if a hello must be sent instead
 *     hear BYTES                        what to do with the frame, and the bytes of the ack or `-`
 *
 * SEQUENCE, KIND, PAYLOAD and BYTES are hexadecimal without blanks, and so are bytes in the results.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tabiya.h"

static int unhex(const char *text, uint8_t *out, int most)
{
    int length = 0;
    unsigned value;
    while (text && length < most && sscanf(text + 2 * length, "%2x", &value) == 1)
        out[length++] = (uint8_t)value;
    return length;
}

static void hex(const uint8_t *bytes, int length)
{
    for (int i = 0; i < length; i++)
        printf("%02X", bytes[i]);
}

static void wire(const struct tabiya_frame *frame)
{
    uint8_t out[TABIYA_LONGEST_FRAME];
    hex(out, tabiya_encode(frame, out));
}

static void decode(const char *text)
{
    static uint8_t bytes[1 << 16];
    struct tabiya_decoder decoder = { .length = 0 };
    struct tabiya_frame frame;
    int length = unhex(text, bytes, sizeof bytes);
    for (int i = 0; i < length; i++) {
        enum tabiya_told told = tabiya_push(&decoder, bytes[i], &frame);
        for (; told != TABIYA_NOTHING; told = tabiya_more(&decoder, &frame)) {
            if (told == TABIYA_FRAME) {
                printf("frame %02X %02X ", frame.sequence, frame.kind);
                hex(frame.payload, frame.length);
            } else if (told == TABIYA_BAD_VERSION)
                printf("version %d", decoder.wrong);
            else if (told == TABIYA_BAD_LENGTH)
                printf("length %d", decoder.wrong);
            else
                printf("%s", told == TABIYA_BAD_NOISE ? "noise" : "checksum");
            printf(";");
        }
    }
}

static void text(const void *bytes, uint8_t length)
{
    printf(" ");
    hex(bytes, length);
}

/* Prints the fields of a message: numbers in decimal, bytes in hexadecimal. */
static void fields(const struct tabiya_message *message)
{
    switch (message->kind) {
    case TABIYA_HELLO:
        printf("hello %d %d %d %lX", message->is.hello.messages, message->is.hello.asks, message->is.hello.takes,
               (unsigned long)message->is.hello.abilities);
        text(message->is.hello.name, message->is.hello.length);
        break;
    case TABIYA_HEARTBEAT:
        printf("heartbeat");
        break;
    case TABIYA_ACK:
        printf("ack %d", message->is.ack.number);
        break;
    case TABIYA_SQUARE:
        printf("square %d %d", message->is.square.square, message->is.square.content);
        break;
    case TABIYA_BOARD:
        printf("board");
        text(message->is.board.contents, 64);
        break;
    case TABIYA_PRESS:
        printf("press %d", message->is.press.side);
        break;
    case TABIYA_BUTTON:
        printf("button %d %d", message->is.button.number, message->is.button.down);
        break;
    case TABIYA_TAG:
        printf("tag %d %d", message->is.tag.antenna, message->is.tag.state);
        if (message->is.tag.state == TABIYA_TAG_THERE) {
            text(message->is.tag.uid, message->is.tag.length);
            printf(" %d", message->is.tag.ndef);
        }
        break;
    case TABIYA_NDEF:
        printf("ndef %d %d", message->is.ndef.antenna, message->is.ndef.offset);
        text(message->is.ndef.bytes, message->is.ndef.length);
        break;
    case TABIYA_BATTERY:
        printf("battery %d %d %d", message->is.battery.percent, message->is.battery.charging, message->is.battery.low);
        break;
    case TABIYA_LAMPS:
        printf("lamps ");
        for (uint8_t square = 0; square < 64; square++)
            printf("%X", tabiya_glow(message->is.lamps.glows, square));
        break;
    case TABIYA_DISPLAY:
        printf("display %d", message->is.display.line);
        text(message->is.display.text, message->is.display.length);
        break;
    case TABIYA_BEEP:
        printf("beep %d", message->is.beep.millis);
        break;
    case TABIYA_REFRESH:
        printf("refresh %d", message->is.refresh.what);
        break;
    default:
        printf("other %d", message->kind);
        text(message->is.other.payload, message->is.other.length);
    }
}

/* Writes a message again and prints the payload. If its kind is counted, a link must produce the same payload. */
static void again(const struct tabiya_message *message)
{
    struct tabiya_link link = { .met = true };
    uint8_t payload[TABIYA_LONGEST_PAYLOAD], length = tabiya_write(message, payload);
    const struct tabiya_frame *told = tabiya_tell(&link, message);
    printf(";");
    if (message->kind >= TABIYA_FIRST_COUNTED && (!told || told->length != length || memcmp(told->payload, payload, length)))
        printf("told otherwise");
    else if (length == TABIYA_NO_MESSAGE)
        printf("-");
    else
        hex(payload, length);
}

int main(void)
{
    static char line[1 << 17];
    static const char *const heard[] = { "nothing", "take", "asked", "answered", "lost" };
    struct tabiya_link link = { .sent = 0 };
    while (fgets(line, sizeof line, stdin)) {
        struct tabiya_frame frame = { .length = 0 };
        char *word = strtok(line, " \n"), *one = strtok(NULL, " \n"), *two = strtok(NULL, " \n");
        char *three = strtok(NULL, " \n");
        uint8_t bytes[TABIYA_LONGEST_FRAME];
        if (!word)
            continue;
        if (!strcmp(word, "encode")) {
            frame.sequence = (uint8_t)strtoul(one, NULL, 16);
            frame.kind = (uint8_t)strtoul(two, NULL, 16);
            frame.length = (uint8_t)unhex(three, frame.payload, sizeof frame.payload);
            wire(&frame);
        } else if (!strcmp(word, "decode")) {
            decode(one);
        } else if (!strcmp(word, "read")) {
            struct tabiya_message message;
            frame.kind = (uint8_t)strtoul(one, NULL, 16);
            frame.length = (uint8_t)unhex(two, frame.payload, sizeof frame.payload);
            if (tabiya_read(&frame, &message)) {
                fields(&message);
                again(&message);
            } else
                printf("-");
        } else if (!strcmp(word, "meet")) {
            memset(&link, 0, sizeof link);
        } else if (!strcmp(word, "hello")) {
            tabiya_hello(&link, &frame, *one == '1', strtoul(two, NULL, 16), three ? three : "");
            wire(&frame);
        } else if (!strcmp(word, "send")) {
            int length = unhex(two, bytes, sizeof bytes);
            const struct tabiya_frame *sent =
                tabiya_send(&link, (uint8_t)strtoul(one, NULL, 16), bytes, (uint8_t)length);
            if (sent)
                wire(sent);
            else
                printf("-");
        } else if (!strcmp(word, "beat")) {
            if (tabiya_heartbeat(&link, &frame))
                wire(&frame);
            else
                printf("-");
        } else if (!strcmp(word, "resend")) {
            bool again = tabiya_resend(&link);
            for (int i = 0; again && i < link.waiting; i++)
                wire(&link.queue[i]);
            if (!again)
                printf("-");
        } else if (!strcmp(word, "hear")) {
            struct tabiya_decoder decoder = { .length = 0 };
            struct tabiya_frame reply;
            bool ack = false;
            int length = unhex(one, bytes, sizeof bytes);
            for (int i = 0; i < length; i++)
                if (tabiya_push(&decoder, bytes[i], &frame) == TABIYA_FRAME) {
                    printf("%s ", heard[tabiya_hear(&link, &frame, &reply, &ack)]);
                    if (ack)
                        wire(&reply);
                    else
                        printf("-");
                }
        }
        printf("\n");
        fflush(stdout);
    }
    return 0;
}
