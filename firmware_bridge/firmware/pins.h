/* What is wired where: ATmega328P, names of the Uno and the Nano in brackets. */
#ifndef PINS_H
#define PINS_H

#include <avr/io.h>

/* The knob's contacts to ground: A at PD2 [D2], B at PD3 [D3]. A closed contact reads 0 and counts as 1. */
#define KNOB_PORT PORTD
#define KNOB_PIN PIND
#define KNOB_A _BV(PD2)
#define KNOB_B _BV(PD3)

/* Beams: entries 1 to 4 at PD4 to PD7 [D4 to D7], exits 1 to 4 at PC0 to PC3 [A0 to A3]. */
#define ENTRY_PORT PORTD
#define ENTRY_PIN PIND
#define ENTRY_MASK 0xF0
#define EXIT_PORT PORTC
#define EXIT_PIN PINC
#define EXIT_MASK 0x0F

/* Slots: a row of switches for each channel at PB2 to PB5 [D10 to D13], selected high;
   a column for slots 1 to 4 at PB0, PB1, PC4, PC5 [D8, D9, A4, A5], pulled to ground by 10 kOhm. */
#define ROW_PORT PORTB
#define ROW_DDR DDRB
#define ROW_SHIFT PB2
#define ROW_MASK 0x3C
#define COLUMNS_LOW (PINB & 0x03)
#define COLUMNS_HIGH (PINC >> 4 & 0x03)

/* The board's own lamp, PB5 [D13]; it shares its pin with the row of channel 4. */
#define LAMP_PORT PORTB
#define LAMP_DDR DDRB
#define LAMP _BV(PB5)

#endif
