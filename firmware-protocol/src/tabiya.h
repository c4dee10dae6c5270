/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The protocol of self-built boards and readers in C99. It uses no heap and no IO, and it measures no time.
 * ../README.md specifies the protocol. This implementation and the one in Rust must pass the vectors in ../vectors.
 * An Arduino sketch includes it as the library Tabiya; any other program can copy the two files. C++ can use them unchanged.
 */
#ifndef TABIYA_H
#define TABIYA_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TABIYA_START = 0xA5,
    TABIYA_VERSION = 1,          /* of the frame layer */
    TABIYA_MESSAGES = 1,         /* of the table of messages */
    TABIYA_LONGEST_PAYLOAD = 64, /* bytes */
    TABIYA_LONGEST_FRAME = 73,   /* bytes */
    TABIYA_FIRST_COUNTED = 0x10, /* the lowest kind that is numbered and acked */
    TABIYA_RESEND_MILLIS = 300, /* without an ack, until the waiting frames are sent again */
    TABIYA_RESENDS = 5,         /* repetitions before a hello that asks */
    TABIYA_PAUSE_MILLIS = 200   /* without a byte, until the receiver drops an incomplete frame */
};

enum tabiya_kind {
    TABIYA_HELLO = 0x01,
    TABIYA_HEARTBEAT = 0x02,
    TABIYA_ACK = 0x03,
    TABIYA_SQUARE = 0x10,
    TABIYA_BOARD = 0x11,
    TABIYA_PRESS = 0x12,
    TABIYA_BUTTON = 0x13,
    TABIYA_TAG = 0x14,
    TABIYA_NDEF = 0x15,
    TABIYA_BATTERY = 0x16,
    TABIYA_LAMPS = 0x20,
    TABIYA_DISPLAY = 0x21,
    TABIYA_BEEP = 0x22,
    TABIYA_REFRESH = 0x23
};

/* ---- Frames ---- */

/* One frame. `sequence` is its own number if its kind is counted, otherwise that of the sender's last counted frame. */
struct tabiya_frame {
    uint8_t sequence;
    uint8_t kind; /* a tabiya_kind, or a kind that this version does not know */
    uint8_t length; /* of the payload, 0 to 64 */
    uint8_t payload[TABIYA_LONGEST_PAYLOAD];
};

/* Computes the CRC-32 of IEEE 802.3. For the nine bytes "123456789" it is CBF43926. */
uint32_t tabiya_crc32(const uint8_t *bytes, uint8_t length);

/* Writes a frame's bytes to `out` and returns their number; 0 if the payload is longer than 64 bytes. */
uint8_t tabiya_encode(const struct tabiya_frame *frame, uint8_t out[TABIYA_LONGEST_FRAME]);

/* What the decoder found. After damage it reports no further damage until the next whole frame. */
enum tabiya_told {
    TABIYA_NOTHING,     /* more bytes are needed */
    TABIYA_FRAME,       /* a whole frame, in `frame` */
    TABIYA_BAD_NOISE,   /* bytes before the first byte of a frame */
    TABIYA_BAD_VERSION, /* a frame of another version of the frame layer */
    TABIYA_BAD_LENGTH,  /* a payload length above 64 */
    TABIYA_BAD_CHECKSUM
};

/* Splits a byte stream into frames. Set all fields to zero for a new decoder. */
struct tabiya_decoder {
    uint8_t bytes[TABIYA_LONGEST_FRAME];
    uint8_t length;
    bool noisy;    /* damage was reported since the last whole frame */
    uint8_t wrong; /* the version or length that was last reported as damage */
};

/* Takes in one byte. A damaged frame may hide several frames behind it: call tabiya_more until it returns
   TABIYA_NOTHING. */
enum tabiya_told tabiya_push(struct tabiya_decoder *decoder, uint8_t byte, struct tabiya_frame *frame);
enum tabiya_told tabiya_more(struct tabiya_decoder *decoder, struct tabiya_frame *frame);

/* ---- Numbers ---- */

/* How many counted frames may wait for their ack at the same time, 1 to 64. Define another number if you like. */
#ifndef TABIYA_ROOM
#define TABIYA_ROOM 4
#endif

/* One side of a connection. Set all fields to zero for a new one. */
struct tabiya_link {
    uint8_t sent;    /* number of the last counted frame sent */
    uint8_t taken;   /* number of the last counted frame taken */
    bool met;        /* the other side has sent a hello; before it no frame is taken */
    uint8_t resent;  /* how often the waiting frames were sent again */
    uint8_t waiting; /* how many frames wait for their ack */
    struct tabiya_frame queue[TABIYA_ROOM]; /* these frames, the oldest first */
};

/* What to do with a received frame. */
enum tabiya_heard {
    TABIYA_IGNORE,   /* a heartbeat, an ack, or a frame with a wrong number: do nothing */
    TABIYA_TAKE,     /* a new frame with the next number: act on it */
    TABIYA_ASKED,    /* a hello that asks: send a hello that does not ask, then everything that there is to show */
    TABIYA_ANSWERED, /* a hello that does not ask: send everything that there is to show */
    TABIYA_LOST      /* a frame was lost and will not be sent again: send a hello that asks */
};

/* Handles a received frame. If it sets `*ack`, send `reply`. */
enum tabiya_heard tabiya_hear(struct tabiya_link *link, const struct tabiya_frame *frame, struct tabiya_frame *reply,
                              bool *ack);

/* Makes a hello to send. `name` is cut after 56 bytes. Drops the frames that wait for their ack. */
void tabiya_hello(struct tabiya_link *link, struct tabiya_frame *out, bool asks, uint32_t abilities, const char *name);

/* Makes a heartbeat to send; false while a frame waits for its ack. */
bool tabiya_heartbeat(const struct tabiya_link *link, struct tabiya_frame *out);

/* Makes a counted frame. Send the returned frame; it waits for its ack from now on. NULL if TABIYA_ROOM frames wait
   already, if the kind is not counted, or if the payload is too long. */
const struct tabiya_frame *tabiya_send(struct tabiya_link *link, uint8_t kind, const uint8_t *payload, uint8_t length);

/* Call this after TABIYA_RESEND_MILLIS without an ack. If it returns true, send all waiting frames of `queue` again; if
   it returns false, they were sent often enough: send a hello that asks. */
bool tabiya_resend(struct tabiya_link *link);

/* ---- Messages ---- */

/* The content of a square: one of these, or a white piece's role (1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king),
   or TABIYA_BLACK plus the role for a black piece. */
enum { TABIYA_EMPTY = 0, TABIYA_BLACK = 6, TABIYA_SOMETHING = 255 };

/* What lies on an antenna. */
enum { TABIYA_TAG_GONE = 0, TABIYA_TAG_THERE = 1, TABIYA_TAG_SEVERAL = 2, TABIYA_TAG_NO_READER = 3 };
#define TABIYA_NDEF_NOT_READ UINT16_C(0xFFFF) /* a macro, because it does not fit an enumerator if int has 16 bits */

/* The reason why a square is lit. Other numbers are reasons of later versions. */
enum {
    TABIYA_DARK = 0,
    TABIYA_MAY = 1,
    TABIYA_WRONG = 2,
    TABIYA_MISSING = 3,
    TABIYA_LAST = 4,
    TABIYA_CHECK = 5
};

/* Bits of a refresh. */
enum { TABIYA_REFRESH_BOARD = 1, TABIYA_REFRESH_TAGS = 2, TABIYA_REFRESH_BATTERY = 4 };

enum { TABIYA_NO_MESSAGE = 255, TABIYA_PERCENT_UNKNOWN = 255 };

/* A message: its kind, and the field of `is` with the name of that kind (a heartbeat has none). Nothing is copied:
   after reading, pointers point into the frame; for writing, they point to data of the caller. */
struct tabiya_message {
    uint8_t kind; /* a tabiya_kind */
    union {
        struct {
            uint8_t messages; /* the highest version of the table of messages that the sender knows */
            uint8_t takes;    /* the longest payload that the sender can receive, 32 to 64 */
            bool asks;        /* the sender asks for a hello */
            uint32_t abilities;
            uint8_t length; /* of the name, in bytes, 0 to 56 */
            const char *name;
        } hello;
        struct { uint8_t number; } ack;
        struct { uint8_t square, content; } square; /* 0 = a1, 1 = b1 ... 63 = h8 */
        struct { const uint8_t *contents; } board;  /* 64, a1 first */
        struct { uint8_t side; } press;             /* 0 left, 1 right, seen from the front */
        struct { uint8_t number; bool down; } button;
        struct {
            uint8_t antenna, state; /* TABIYA_TAG_... */
            uint8_t length;         /* of the UID: 4, 7 or 10; this and the next fields only for TABIYA_TAG_THERE */
            const uint8_t *uid;
            uint16_t ndef; /* length of the NDEF message, which follows in ndef messages, or TABIYA_NDEF_NOT_READ */
        } tag;
        struct {
            uint8_t antenna;
            uint16_t offset; /* of these bytes in the NDEF message */
            uint8_t length;  /* 0 to 60 */
            const uint8_t *bytes;
        } ndef;
        struct { uint8_t percent; bool charging, low; } battery; /* 0 to 100, or TABIYA_PERCENT_UNKNOWN */
        struct { const uint8_t *glows; } lamps;                  /* 32 bytes; tabiya_glow returns one square's bits */
        struct { uint8_t line, length; const char *text; } display; /* UTF-8, 0 to 62 bytes, not zero-terminated */
        struct { uint16_t millis; } beep;
        struct { uint8_t what; } refresh; /* TABIYA_REFRESH_... */
        struct { uint8_t length; const uint8_t *payload; } other;
    } is;
};

/* Writes a message's payload and returns its length; TABIYA_NO_MESSAGE if a text or a byte sequence is too long. */
uint8_t tabiya_write(const struct tabiya_message *message, uint8_t payload[TABIYA_LONGEST_PAYLOAD]);

/* Reads the message of a frame; false if the payload is too short or has a value without meaning. The message points
   into the frame. A kind that this version does not know is read as `other`. */
bool tabiya_read(const struct tabiya_frame *frame, struct tabiya_message *message);

/* Writes a message and makes its frame (tabiya_write, then tabiya_send). NULL if either fails. */
const struct tabiya_frame *tabiya_tell(struct tabiya_link *link, const struct tabiya_message *message);

/* Returns the reason why a square is lit, from the 32 bytes of a lamps message. */
static inline uint8_t tabiya_glow(const uint8_t glows[32], uint8_t square)
{
    return glows[square / 2] >> square % 2 * 4 & 15;
}

/* ---- Abilities, for tabiya_hello ---- */

#define TABIYA_SEES_PIECES (UINT32_C(1) << 0)
#define TABIYA_FEELS_SQUARES (UINT32_C(1) << 1)
#define TABIYA_LEVER (UINT32_C(1) << 2)
#define TABIYA_BUTTONS (UINT32_C(1) << 3)
#define TABIYA_TAGS (UINT32_C(1) << 4)
#define TABIYA_LAMPS_TOO (UINT32_C(1) << 5)
#define TABIYA_DISPLAY_TOO (UINT32_C(1) << 6)
#define TABIYA_BEEPER (UINT32_C(1) << 7)
#define TABIYA_BATTERY_TOO (UINT32_C(1) << 8)

#ifdef __cplusplus
}
#endif

#endif
