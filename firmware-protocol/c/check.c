/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Says what tabiya.c makes of bytes, so that another implementation can be held against it. Lines on standard input:
 *
 *     encode SEQUENCE KIND [PAYLOAD]    the frame's bytes
 *     decode [BYTES]                    what a fresh receiver tells: `frame SEQUENCE KIND [PAYLOAD]` or a damage, with
 *                                       `;` behind each
 *     meet                              a fresh link
 *     hello ASKS ABILITIES NAME         ) what the link sends, as a frame's bytes;
 *     send KIND [PAYLOAD]               ) `-` if there is nothing
 *     beat                              )
 *     resend                            the bytes of all that waits; `-` if a hello is due
 *     hear BYTES                        what to do with the frame, and the ack's bytes or `-`
 *
 * SEQUENCE, KIND and PAYLOAD are hexadecimal without blanks, and so are all answers, one line each.
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
