/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * See digits.h.
 */
#include "digits.h"

#include <string.h>

enum { DOT = 0x80, DIGITS = 8 };

static const uint8_t NUMBERS[] = { 0x7E, 0x30, 0x6D, 0x79, 0x33, 0x5B, 0x5F, 0x70, 0x7F, 0x7B };

/* The letters A to Z, as far as seven segments can show them. */
static const uint8_t LETTERS[] = {
    0x77, 0x1F, 0x4E, 0x3D, 0x4F, 0x47, 0x5E, 0x37, 0x06, 0x3C, 0x57, 0x0E, 0x54,
    0x15, 0x7E, 0x67, 0x73, 0x05, 0x5B, 0x0F, 0x3E, 0x1C, 0x2A, 0x37, 0x3B, 0x6D
};

static uint8_t segments(char letter)
{
    if (letter >= '0' && letter <= '9')
        return NUMBERS[letter - '0'];
    if (letter >= 'A' && letter <= 'Z')
        return LETTERS[letter - 'A'];
    if (letter >= 'a' && letter <= 'z')
        return LETTERS[letter - 'a'];
    switch (letter) {
    case '-':
        return 0x01;
    case '/':
        return 0x25;
    case '=':
        return 0x09;
    default:
        return 0;
    }
}

void digits_of(const char *text, uint8_t length, uint8_t digits[8])
{
    uint8_t used = 0;
    memset(digits, 0, DIGITS);
    for (uint8_t i = 0; i < length; i++) {
        if ((text[i] & 0xC0) == 0x80)
            continue; /* a further byte of a character whose first byte has its dark digit already */
        if ((text[i] == '.' || text[i] == ':') && used > 0 && !(digits[used - 1] & DOT)) {
            digits[used - 1] |= DOT;
            continue;
        }
        if (used == DIGITS)
            return;
        digits[used++] = segments(text[i]);
    }
}
