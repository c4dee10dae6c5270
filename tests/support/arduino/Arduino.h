/* As much of Arduino's core as the examples of firmware-protocol use, so that a compiler can check them without the IDE.
 * Nothing of it runs. Source: the Arduino language reference, checked by hand. */
#ifndef ARDUINO_H
#define ARDUINO_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { LOW, HIGH };
enum { INPUT, OUTPUT, INPUT_PULLUP };
enum { LED_BUILTIN = 13 };

unsigned long millis(void);
void pinMode(uint8_t pin, uint8_t mode);
int digitalRead(uint8_t pin);
void digitalWrite(uint8_t pin, uint8_t value);

struct SerialPort {
    void begin(unsigned long baud);
    int available(void);
    int read(void);
    size_t write(const uint8_t *bytes, size_t length);
};
extern SerialPort Serial;

void setup();
void loop();

#endif
