#include "beams.h"

#define LEAST_TICKS (BEAM_LEAST_US * BEAM_TICKS_PER_US)

void beams_start(beams_t *beams, uint8_t broken)
{
    beams->broken = broken;
    beams->young = 0;
    beams->marble = broken;
    for (uint8_t i = 0; i < BEAMS; i++) {
        beams->passages[i] = 0;
        beams->since[i] = 0;
        beams->clear_ms[i] = 0;
    }
}

/* A young break is old enough, or not: a marble counts once, at its first break that is. */
static void judge(beams_t *beams, uint8_t i, uint8_t bit, uint16_t tick)
{
    if ((uint16_t)(tick - beams->since[i]) < LEAST_TICKS)
        return;
    beams->young &= ~bit;
    beams->marble |= bit;
    beams->passages[i]++;
}

void beams_see(beams_t *beams, uint8_t broken, uint16_t tick)
{
    uint8_t changed = broken ^ beams->broken;
    beams->broken = broken;
    for (uint8_t i = 0, bit = 1; changed; i++, bit <<= 1) {
        if (!(changed & bit))
            continue;
        changed &= ~bit;
        beams->clear_ms[i] = 0;
        if (beams->marble & bit)
            continue;
        if (broken & bit) {
            beams->since[i] = tick;
            beams->young |= bit;
        } else {
            judge(beams, i, bit, tick);
            beams->young &= ~bit;
        }
    }
}

void beams_ms(beams_t *beams, uint16_t tick)
{
    const uint8_t leaving = beams->marble & ~beams->broken;
    uint8_t todo = beams->young | leaving;
    for (uint8_t i = 0, bit = 1; todo; i++, bit <<= 1) {
        todo &= ~bit;
        if (beams->young & bit)
            judge(beams, i, bit, tick);
        else if ((leaving & bit) && beams->clear_ms[i]++ >= BEAM_CLEAR_MS)
            beams->marble &= ~bit;
    }
}
