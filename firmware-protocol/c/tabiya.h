/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The frames of boards and readers anyone can build, in C99: no heap, no IO, no time of its own.
 * The protocol is described in ../README.md; ../vectors binds this implementation and the one in Rust.
 * Copy tabiya.h and tabiya.c into your sketch; from C++ they can be used as they are.
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
    TABIYA_RESEND_MILLIS = 300,
    TABIYA_RESENDS = 5,
    TABIYA_PAUSE_MILLIS = 200 /* half a frame is given up after so long without its next byte */
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

/* One frame. `sequence` is its own number if its kind is counted, else that of the last counted one. */
struct tabiya_frame {
    uint8_t sequence;
    uint8_t kind; /* a tabiya_kind, or one that this version does not know */
    uint8_t length; /* of the payload, 0 to 64 */
    uint8_t payload[TABIYA_LONGEST_PAYLOAD];
};

/* CRC-32 as in IEEE 802.3; of the nine bytes "123456789" it is CBF43926. */
uint32_t tabiya_crc32(const uint8_t *bytes, uint8_t length);

/* Writes a frame's bytes to `out` and returns how many; 0 if its length is above 64. */
uint8_t tabiya_encode(const struct tabiya_frame *frame, uint8_t out[TABIYA_LONGEST_FRAME]);

/* What bytes turned out to be. Damage is told once until the next whole frame. */
enum tabiya_told {
    TABIYA_NOTHING,     /* more bytes are needed */
    TABIYA_FRAME,       /* a whole frame, in `frame` */
    TABIYA_BAD_NOISE,   /* bytes before a frame's first byte */
    TABIYA_BAD_VERSION, /* a frame of another version of the frame layer */
    TABIYA_BAD_LENGTH,  /* a payload length above 64 */
    TABIYA_BAD_CHECKSUM
};

/* Cuts a stream of bytes into frames. All zeros is a fresh one. */
struct tabiya_decoder {
    uint8_t bytes[TABIYA_LONGEST_FRAME];
    uint8_t length;
    bool noisy;
    uint8_t wrong; /* the version or length that was told last as damage */
};

/* One byte in. A damaged frame may have hidden several behind it: call tabiya_more until it says TABIYA_NOTHING. */
enum tabiya_told tabiya_push(struct tabiya_decoder *decoder, uint8_t byte, struct tabiya_frame *frame);
enum tabiya_told tabiya_more(struct tabiya_decoder *decoder, struct tabiya_frame *frame);

/* ---- Numbers ---- */

/* How many counted frames may wait for their ack at once; define it as you like, 1 to 64. */
#ifndef TABIYA_ROOM
#define TABIYA_ROOM 4
#endif

/* One side of a connection. All zeros is a fresh one. */
struct tabiya_link {
    uint8_t sent;  /* number of the last counted frame sent */
    uint8_t taken; /* number of the last counted frame taken */
    bool met;      /* the other side has said hello; nothing is taken before */
    uint8_t resent;
    uint8_t waiting; /* how many frames wait for their ack, the oldest first */
    struct tabiya_frame queue[TABIYA_ROOM];
};

/* What to do with a frame that came. */
enum tabiya_heard {
    TABIYA_IGNORE,   /* a sign of life, an ack, or a frame out of its turn */
    TABIYA_TAKE,     /* act on it: it is new and comes in its turn */
    TABIYA_ASKED,    /* a hello that asks: say hello without asking, then all there is to show */
    TABIYA_ANSWERED, /* a hello that does not ask: show all there is to show */
    TABIYA_LOST      /* something was lost for good: say a hello that asks */
};

/* A frame came. If `*ack` is set afterwards, send `reply`. */
enum tabiya_heard tabiya_hear(struct tabiya_link *link, const struct tabiya_frame *frame, struct tabiya_frame *reply,
                              bool *ack);

/* Makes a hello to send; `name` is cut after 56 bytes. What waits for its ack is forgotten. */
void tabiya_hello(struct tabiya_link *link, struct tabiya_frame *out, bool asks, uint32_t abilities, const char *name);

/* Makes a heartbeat to send; false while something waits for its ack. */
bool tabiya_heartbeat(const struct tabiya_link *link, struct tabiya_frame *out);

/* Makes a counted frame, which waits for its ack from now on: send the one that comes back. NULL if there is no room. */
const struct tabiya_frame *tabiya_send(struct tabiya_link *link, uint8_t kind, const uint8_t *payload, uint8_t length);

/* Call it when TABIYA_RESEND_MILLIS have gone by without an ack: true, send all of `queue` again; false, that was
   done often enough, say a hello that asks. */
bool tabiya_resend(struct tabiya_link *link);

/* ---- Messages ---- */

/* What stands on a square: one of these, or a piece's role (1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king), black
   ones 6 higher. */
enum { TABIYA_EMPTY = 0, TABIYA_BLACK = 6, TABIYA_SOMETHING = 255 };

/* What lies on an antenna. */
enum { TABIYA_TAG_GONE = 0, TABIYA_TAG_THERE = 1, TABIYA_TAG_SEVERAL = 2, TABIYA_TAG_NO_READER = 3 };
#define TABIYA_NDEF_NOT_READ UINT16_C(0xFFFF) /* an enumerator may be no larger than an int of 16 bits */

/* Why a square shines; others are reasons of later versions. */
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

/* What a frame says, or is to say: its kind, and the field of that name. A heartbeat has none. Pointers are into the
   frame that was read, or to what the writer has; nothing is copied. */
struct tabiya_message {
    uint8_t kind; /* a tabiya_kind */
    union {
        struct {
            uint8_t messages; /* the highest version of the table of messages that it knows */
            uint8_t takes;    /* the longest payload that it can take, 32 to 64 */
            bool asks;
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
            uint8_t length;         /* of the UID: 4, 7 or 10; like the rest only if a tag is there */
            const uint8_t *uid;
            uint16_t ndef; /* bytes that follow in messages of their own, or TABIYA_NDEF_NOT_READ */
        } tag;
        struct {
            uint8_t antenna;
            uint16_t offset; /* where these bytes begin in the whole */
            uint8_t length;  /* 0 to 60 */
            const uint8_t *bytes;
        } ndef;
        struct { uint8_t percent; bool charging, low; } battery; /* 0 to 100, or TABIYA_PERCENT_UNKNOWN */
        struct { const uint8_t *glows; } lamps;                  /* 32 bytes; tabiya_glow tells one square's */
        struct { uint8_t line, length; const char *text; } display; /* UTF-8, 0 to 62 bytes, without a zero behind */
        struct { uint16_t millis; } beep;
        struct { uint8_t what; } refresh; /* TABIYA_REFRESH_... */
        struct { uint8_t length; const uint8_t *payload; } other;
    } is;
};

/* Writes a message's payload and returns its length; TABIYA_NO_MESSAGE if a text or a run of bytes is too long. */
uint8_t tabiya_write(const struct tabiya_message *message, uint8_t payload[TABIYA_LONGEST_PAYLOAD]);

/* Reads what a frame says; false if its payload is too short or says what has no meaning. The message points into the
   frame. A kind that this version does not know is read as `other`. */
bool tabiya_read(const struct tabiya_frame *frame, struct tabiya_message *message);

/* tabiya_write and tabiya_send in one; NULL also if the message cannot be written. */
const struct tabiya_frame *tabiya_tell(struct tabiya_link *link, const struct tabiya_message *message);

/* Why a square shines, of the 32 bytes of a lamps message. */
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
