#include "slots.h"

#include <util/delay.h>

#include "pins.h"

static uint16_t steady, candidate;
static uint8_t looks;

void slots_start(void)
{
    ROW_DDR |= ROW_MASK;
    steady = candidate = 0;
    looks = 0;
}

static uint8_t row(uint8_t channel)
{
    ROW_PORT |= _BV(ROW_SHIFT + channel);
    _delay_us(5); /* 10 kOhm and the capacity of a metre of wire, 100 pF, need 1 us; five of that */
    const uint8_t closed = COLUMNS_LOW | COLUMNS_HIGH << 2;
    ROW_PORT &= ~_BV(ROW_SHIFT + channel);
    _delay_us(5);
    return closed;
}

uint16_t slots_look(void)
{
    uint16_t now = 0;
    for (uint8_t channel = 4; channel--;)
        now = now << 4 | row(channel);
    if (now != candidate) {
        candidate = now;
        looks = 0;
    }
    if (looks < SLOTS_LOOKS && ++looks == SLOTS_LOOKS)
        steady = candidate;
    return steady;
}
