/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Converts texts for a display of eight digits with seven segments each.
 */
#ifndef DIGITS_H
#define DIGITS_H

#include <stdint.h>

/* Computes the segments of a UTF-8 text for board_display. A point or a colon becomes the dot of the digit before it.
 * The text is cut after eight digits, and characters that seven segments cannot show are dark. */
void digits_of(const char *text, uint8_t length, uint8_t digits[8]);

#endif
