/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Texts on eight digits of seven segments.
 */
#ifndef DIGITS_H
#define DIGITS_H

#include <stdint.h>

/* The segments of a text in UTF-8, as board_display wants them. A point or a colon is the dot of the digit before it; what
 * has no room is cut, and letters that seven segments cannot show are left dark. */
void digits_of(const char *text, uint8_t length, uint8_t digits[8]);

#endif
