#include "sensors.h"

#include <avr/interrupt.h>
#include <string.h>
#include <util/atomic.h>

#include "knob.h"
#include "pins.h"

/* Touched with interrupts off only. */
static knob_t knob;
static beams_t beams;
static uint32_t ms;
static uint8_t inverted; /* 0xFF where a broken beam reads 0 */

static uint8_t broken_beams(void)
{
    return ((ENTRY_PIN >> 4) | (EXIT_PIN << 4)) ^ inverted;
}

static void see_knob(void)
{
    const uint8_t levels = KNOB_PIN;
    knob_see(&knob, !(levels & KNOB_A), !(levels & KNOB_B));
}

/* The two contacts share one body by alias: the compiler would fold two equal ones into a call whose return
   enables interrupts, and chatter would pile them up. */
ISR(INT0_vect)
{
    see_knob();
}
ISR(INT1_vect, ISR_ALIASOF(INT0_vect));

ISR(PCINT1_vect)
{
    beams_see(&beams, broken_beams(), TCNT1);
}
ISR(PCINT2_vect, ISR_ALIASOF(PCINT1_vect));

/* Every millisecond. It looks at the pins, too: whatever an interrupt missed is made good here. */
ISR(TIMER0_COMPA_vect)
{
    ms++;
    see_knob();
    knob_ms(&knob);
    beams_see(&beams, broken_beams(), TCNT1);
    beams_ms(&beams, TCNT1);
}

void sensors_start(uint8_t broken_level)
{
    KNOB_PORT |= KNOB_A | KNOB_B; /* pull-ups */
    ENTRY_PORT |= ENTRY_MASK;
    EXIT_PORT |= EXIT_MASK;
    inverted = broken_level ? 0 : 0xFF;

    TCCR1B = _BV(CS11); /* 2 MHz: BEAM_TICKS_PER_US */
    TCCR0A = _BV(WGM01);
    TCCR0B = _BV(CS01) | _BV(CS00);
    OCR0A = F_CPU / 64 / 1000 - 1;
    TIMSK0 = _BV(OCIE0A);

    const uint8_t levels = KNOB_PIN;
    knob_start(&knob, !(levels & KNOB_A), !(levels & KNOB_B));
    beams_start(&beams, broken_beams());

    EICRA = _BV(ISC10) | _BV(ISC00); /* every change */
    EIMSK = _BV(INT1) | _BV(INT0);
    PCMSK1 = EXIT_MASK;
    PCMSK2 = ENTRY_MASK;
    PCICR = _BV(PCIE1) | _BV(PCIE2);
}

void sensors_read(senses_t *now)
{
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        now->ms = ms;
        now->steps = knob.steps;
        now->impossible = knob.impossible;
        now->broken = beams.broken;
        memcpy(now->passages, beams.passages, BEAMS);
    }
}
