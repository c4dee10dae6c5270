/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Implements board.h for an ATmega2560 at 16 MHz (Arduino Mega 2560). Tabiya's docs/hardware.md shows the wiring.
 *
 * With EMULATED, for emulators without pins, UART2 replaces the pins. It receives `S` and eight bytes for the squares,
 * `K` and a byte for the keys, `B` and a byte for the battery; it sends `L` and eight bytes for the lamps, `D` and
 * eight bytes for the display, `P` and a byte for the beeper. QEMU 7.2 hangs at the receive interrupt of the card
 * reader's line (number 36; number 25 of the host's line works), so with EMULATED that line is polled. The emulator
 * keeps bytes until they are read, so no byte is lost.
 */
#include "board.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>
#include <util/delay.h>

/* The size of a ring of received bytes: a power of two, and larger than the longest frame of 73 bytes. */
enum { RING = 128 };

/* All fields are volatile, because a byte must be stored before `head` moves and read before `tail` moves. */
struct ring {
    volatile uint8_t head, tail, bytes[RING];
};

static struct ring host;
static volatile uint16_t millis;

/* Stores a received byte. A full ring drops it: the host sends its frame again, and so does the reader on request. */
static void put(struct ring *ring, uint8_t byte)
{
    uint8_t next = (ring->head + 1) % RING;
    if (next != ring->tail) {
        ring->bytes[ring->head] = byte;
        ring->head = next;
    }
}

static int16_t take(struct ring *ring)
{
    if (ring->tail == ring->head)
        return -1;
    uint8_t byte = ring->bytes[ring->tail];
    ring->tail = (ring->tail + 1) % RING;
    return byte;
}

ISR(USART0_RX_vect) { put(&host, UDR0); }
ISR(TIMER1_COMPA_vect) { millis++; }

#ifdef EMULATED

enum { READER_INTERRUPTS = 0 };

static int16_t reader_read(void) { return bit_is_set(UCSR1A, RXC1) ? UDR1 : -1; }

#else

enum { READER_INTERRUPTS = _BV(RXCIE1) };

static struct ring reader;

ISR(USART1_RX_vect) { put(&reader, UDR1); }

static int16_t reader_read(void) { return take(&reader); }

#endif

uint16_t board_millis(void)
{
    uint16_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { now = millis; }
    return now;
}

int16_t board_read(enum board_port port) { return port == TO_HOST ? take(&host) : reader_read(); }

void board_write(enum board_port port, const uint8_t *bytes, uint8_t length)
{
    while (length--)
        if (port == TO_HOST) {
            loop_until_bit_is_set(UCSR0A, UDRE0);
            UDR0 = *bytes++;
        } else {
            loop_until_bit_is_set(UCSR1A, UDRE1);
            UDR1 = *bytes++;
        }
}

#ifdef EMULATED

static uint8_t occupied[8], down, charge = 80;

static void pins_begin(void)
{
    UBRR2 = 16;
    UCSR2A = _BV(U2X2);
    UCSR2C = _BV(UCSZ21) | _BV(UCSZ20);
    UCSR2B = _BV(RXEN2) | _BV(TXEN2);
}

static void pins_read(void)
{
    static uint8_t what, got;
    while (bit_is_set(UCSR2A, RXC2)) {
        uint8_t byte = UDR2;
        if (what == 'S') {
            occupied[got++] = byte;
            if (got == 8)
                what = 0;
        } else if (what == 'K') {
            down = byte;
            what = 0;
        } else if (what == 'B') {
            charge = byte;
            what = 0;
        } else {
            what = byte;
            got = 0;
        }
    }
}

void board_squares(uint8_t ranks[8])
{
    pins_read();
    for (uint8_t rank = 0; rank < 8; rank++)
        ranks[rank] = occupied[rank];
}

uint8_t board_keys(void)
{
    pins_read();
    return down;
}

static void out2(uint8_t byte)
{
    loop_until_bit_is_set(UCSR2A, UDRE2);
    UDR2 = byte;
}

void board_lamps(const uint8_t ranks[8])
{
    out2('L');
    for (uint8_t rank = 0; rank < 8; rank++)
        out2(ranks[rank]);
}

void board_display(const uint8_t digits[8])
{
    out2('D');
    for (uint8_t digit = 0; digit < 8; digit++)
        out2(digits[digit]);
}

void board_beeper(bool on)
{
    out2('P');
    out2(on);
}

uint8_t board_battery(void)
{
    pins_read();
    return charge;
}

#else

/* Two MAX7219 share the pins B1 (clock) and B2 (data). Each has its own load line. */
enum { LAMPS = _BV(PB0), DISPLAY = _BV(PB3) };

/* Writes a value to a register of the MAX7219 with this load line, the highest bit first. */
static void max7219(uint8_t load, uint8_t number, uint8_t value)
{
    uint16_t word = (uint16_t)(number << 8 | value);
    PORTB &= ~load;
    for (uint8_t bit = 0; bit < 16; bit++, word <<= 1) {
        PORTB &= ~_BV(PB1);
        if (word & 0x8000)
            PORTB |= _BV(PB2);
        else
            PORTB &= ~_BV(PB2);
        PORTB |= _BV(PB1);
    }
    PORTB |= load;
}

static void max7219_begin(uint8_t load)
{
    max7219(load, 0x09, 0); /* decode mode off: every bit is a lamp or a segment */
    max7219(load, 0x0A, 4); /* a third of the brightness, because USB supplies the power */
    max7219(load, 0x0B, 7); /* scan all eight rows */
    max7219(load, 0x0F, 0); /* display test off */
    max7219(load, 0x0C, 1); /* normal operation, not shutdown */
}

#ifdef BATTERY

/* Measures the voltage at pin A0, 0 to 1023 in steps of 2.5 mV. */
static uint16_t battery_steps(void)
{
    ADCSRA |= _BV(ADSC);
    loop_until_bit_is_clear(ADCSRA, ADSC);
    return ADC;
}

#endif

static void pins_begin(void)
{
    PORTC = 0xFF;                                /* files: inputs with pull-ups */
    PORTL = _BV(PL0) | _BV(PL1) | _BV(PL2);      /* keys: inputs with pull-ups */
    DDRL = _BV(PL3);                             /* beeper: output */
    PORTB = LAMPS | DISPLAY;
    DDRB = LAMPS | DISPLAY | _BV(PB1) | _BV(PB2);
    max7219_begin(LAMPS);
    max7219_begin(DISPLAY);
#ifdef BATTERY
    ADMUX = _BV(REFS1) | _BV(REFS0);             /* internal reference of 2.56 V, pin A0 */
    ADCSRA = _BV(ADEN) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0);
    battery_steps();                             /* discard the first value after a change of reference (data sheet) */
#endif
}

/* Pulls one rank low at a time. The other ranks float, so that two closed reed contacts in one file make no short
 * circuit between ranks. */
void board_squares(uint8_t ranks[8])
{
    for (uint8_t rank = 0; rank < 8; rank++) {
        DDRA = (uint8_t)_BV(rank);
        _delay_us(10);
        ranks[rank] = (uint8_t)~PINC;
    }
    DDRA = 0;
}

uint8_t board_keys(void) { return (uint8_t)~PINL & (KEY_LEFT | KEY_RIGHT | KEY_RUN); }

void board_lamps(const uint8_t ranks[8])
{
    for (uint8_t rank = 0; rank < 8; rank++)
        max7219(LAMPS, rank + 1, ranks[rank]);
}

/* On the usual modules with eight digits, the left digit is the last row of the MAX7219. */
void board_display(const uint8_t digits[8])
{
    for (uint8_t digit = 0; digit < 8; digit++)
        max7219(DISPLAY, 8 - digit, digits[digit]);
}

void board_beeper(bool on)
{
    if (on)
        PORTL |= _BV(PL3);
    else
        PORTL &= ~_BV(PL3);
}

#ifdef BATTERY

/* A0 has half the voltage of a lithium cell. The charge is taken as linear from 3.3 V (empty) to 4.1 V (full). */
uint8_t board_battery(void)
{
    enum { EMPTY = 660, FULL = 820 };
    uint16_t seen = battery_steps();
    if (seen <= EMPTY)
        return 0;
    return seen >= FULL ? 100 : (uint8_t)((seen - EMPTY) * 100UL / (FULL - EMPTY));
}

#endif

#endif

void board_begin(void)
{
    UBRR0 = UBRR1 = 16; /* 115200 baud in double speed mode; 2.1 % too fast, as on every Arduino */
    UCSR0A = UCSR1A = _BV(U2X0);
    UCSR0C = UCSR1C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
    UCSR1B = _BV(RXEN1) | _BV(TXEN1) | READER_INTERRUPTS;
    OCR1A = 249; /* 16 MHz / 64 / 250: an interrupt each millisecond */
    TIMSK1 = _BV(OCIE1A);
    TCCR1B = _BV(WGM12) | _BV(CS11) | _BV(CS10);
    pins_begin();
    sei();
}
