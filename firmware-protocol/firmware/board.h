/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What the firmware wants of its hardware. mega.c has it for an ATmega2560; another microcontroller needs another file.
 */
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stdint.h>

enum board_port { TO_HOST, TO_READER };

/* Bits of board_keys. */
enum { KEY_LEFT = 1, KEY_RIGHT = 2, KEY_RUN = 4 };

void board_begin(void);

/* Milliseconds since power-up; wraps after 65 s. */
uint16_t board_millis(void);

/* The next byte that has come, or -1. */
int16_t board_read(enum board_port port);
void board_write(enum board_port port, const uint8_t *bytes, uint8_t length);

/* Which squares are occupied: a byte each rank, rank 1 first, bit 0 is file a. */
void board_squares(uint8_t ranks[8]);

/* Which keys are down. */
uint8_t board_keys(void);

/* Lights these squares, likewise, and no others. */
void board_lamps(const uint8_t ranks[8]);

/* Shows eight digits, the left one first: bit 7 the dot, 6 to 0 the segments a to g. */
void board_display(const uint8_t digits[8]);

/* Sounds, or is still. */
void board_beeper(bool on);

#ifdef BATTERY
/* How full the battery is, 0 to 100, or 255 if that cannot be told. */
uint8_t board_battery(void);
#endif

#endif
