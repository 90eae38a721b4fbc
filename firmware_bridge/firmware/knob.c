#include "knob.h"

/* Contacts go 00, 10, 11, 01 clockwise (A first): phase 0 to 3. */
static uint8_t phase_of(uint8_t a, uint8_t b)
{
    return b ? 3 - a : a;
}

void knob_start(knob_t *knob, uint8_t a, uint8_t b)
{
    knob->steps = 0;
    knob->impossible = 0;
    knob->phase = phase_of(a, b);
    knob->quiet_ms = KNOB_REST_MS;
    knob->heading = 1;
    knob->doubt = 0;
}

void knob_see(knob_t *knob, uint8_t a, uint8_t b)
{
    const uint8_t phase = phase_of(a, b);
    const uint8_t turn = (phase - knob->phase) & 3;
    if (turn == 0)
        return;
    if (turn == 2) {
        /* Both changed at once: a step was lost. A knob in motion goes on as it went; one at rest may start either way. */
        knob->impossible++;
        knob->steps += 2 * knob->heading;
        knob->doubt = knob->quiet_ms >= KNOB_REST_MS;
    } else {
        const int8_t heading = turn == 1 ? 1 : -1;
        if (knob->doubt && heading != knob->heading)
            knob->steps += 4 * heading;
        knob->doubt = 0;
        knob->heading = heading;
        knob->steps += heading;
    }
    knob->phase = phase;
    knob->quiet_ms = 0;
}

void knob_ms(knob_t *knob)
{
    if (knob->quiet_ms < KNOB_REST_MS)
        knob->quiet_ms++;
}
