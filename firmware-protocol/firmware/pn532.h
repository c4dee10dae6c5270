/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A card reader with a PN532 on a serial line (HSU). Its functions never wait: call pn532_run repeatedly.
 */
#ifndef PN532_H
#define PN532_H

#include <stdbool.h>
#include <stdint.h>

/* The length limit of an NDEF message in bytes. Tabiya's cards have messages of 39 or 103 bytes. */
enum { PN532_LONGEST_NDEF = 240 };
#define PN532_NOT_READ UINT16_C(0xFFFF)

/* What lies on the antenna. The numbers are those of the tag message. */
enum pn532_state { PN532_NONE = 0, PN532_ONE = 1, PN532_SEVERAL = 2, PN532_SILENT = 3 };

struct pn532_seen {
    uint8_t state;
    uint8_t uid_length; /* 4, 7 or 10 */
    uint8_t uid[10];
    uint16_t ndef_length; /* or PN532_NOT_READ */
    uint8_t ndef[PN532_LONGEST_NDEF];
};

extern struct pn532_seen pn532_seen;

/* Does everything that is due; true if `pn532_seen` has changed. */
bool pn532_run(uint16_t now);

#endif
