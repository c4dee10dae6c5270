/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The functions of the hardware that the firmware needs. mega.c implements them for an ATmega2560; another
 * microcontroller needs another file.
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

/* Returns the next received byte, or -1 if there is none. */
int16_t board_read(enum board_port port);
void board_write(enum board_port port, const uint8_t *bytes, uint8_t length);

/* Reads the occupied squares: one byte for each rank, rank 1 first; bit 0 is file a. */
void board_squares(uint8_t ranks[8]);

/* Returns the bits of the keys that are down. */
uint8_t board_keys(void);

/* Lights these squares and switches all others off: one byte for each rank, rank 1 first; bit 0 is file a. */
void board_lamps(const uint8_t ranks[8]);

/* Shows eight digits, the left one first: bit 7 is the dot, bits 6 to 0 are the segments a to g. */
void board_display(const uint8_t digits[8]);

/* Switches the beeper on or off. */
void board_beeper(bool on);

#ifdef BATTERY
/* Returns the charge of the battery in percent, 0 to 100, or 255 if it is unknown. */
uint8_t board_battery(void);
#endif

#endif
