/* The board of PROTOCOL.md: senses in, frames out. Interrupts only count; everything else happens in one loop. */
#include <avr/interrupt.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "pins.h"
#include "sensors.h"
#include "settings.h"
#include "slots.h"
#include "uart.h"
#include "wire.h"

#define FIRMWARE 1, 0, 0
#define DETENTS_PER_TURN 10
#define CAN_KNOB_BEAMS_LAMP (0x01 | 0x02 | 0x04 | 0x20)
#define CAN_SLOTS 0x08

#define REPORT_MS 250
#define REPORT_MS_LEAST 50
#define REPORT_MS_MOST 1000
#define CHANGE_MS 5 /* a STATE takes 3 ms on the line */
#define BLINK_MS 250

/* As the wire has them: little-endian, like this chip. */
typedef struct __attribute__((packed)) {
    uint8_t major, minor;
    uint16_t boot_id;
    uint8_t detents_per_turn, edges_per_detent;
    uint16_t capabilities, report_ms;
    uint8_t firmware[3];
    char serial_number[SERIAL_NUMBER_SIZE];
} hello_t;

typedef struct __attribute__((packed)) {
    uint16_t boot_id;
    uint32_t uptime_ms;
    /* from here on, a change is news */
    int32_t knob;
    uint16_t impossible;
    uint8_t zeroings, beams, passages[BEAMS];
    uint16_t occupied, occupied_valid;
} state_t;

_Static_assert(sizeof(hello_t) == 29 && sizeof(state_t) == 26, "payloads are as PROTOCOL.md has them");
#define NEWS(state) ((const uint8_t *)&(state)->knob)
#define NEWS_SIZE (sizeof(state_t) - offsetof(state_t, knob))

static uint16_t boot_id;
static uint8_t seq;
static block_t incoming;
static senses_t senses;
static state_t told;
static uint8_t untold; /* a STATE is owed, changed or not */
static uint32_t told_ms;
static uint16_t report_ms = REPORT_MS;
static int32_t zero;
static uint8_t zeroings;
static uint16_t occupied;
static uint32_t lamp_since_ms, lamp_ms;

/* A watchdog that fired stays on, and short: off before anything else, or the chip starts for ever. */
__attribute__((naked, used, section(".init3"))) void watchdog_off(void)
{
    MCUSR = 0;
    wdt_disable();
}

static uint8_t send(uint8_t type, const void *payload, uint8_t size)
{
    uint8_t wire[FRAME_MAX];
    if (!uart_send(wire, wire_encode(wire, type, seq, payload, size)))
        return 0;
    seq++;
    return 1;
}

static uint8_t send_hello(void)
{
    hello_t hello = {PROTOCOL_MAJOR, PROTOCOL_MINOR, boot_id, DETENTS_PER_TURN, settings.edges_per_detent,
                     CAN_KNOB_BEAMS_LAMP, report_ms, {FIRMWARE}, ""};
    if (settings.slots)
        hello.capabilities |= CAN_SLOTS;
    memcpy(hello.serial_number, settings.serial_number, SERIAL_NUMBER_SIZE);
    return send(HELLO, &hello, sizeof hello);
}

/* STATE, when something changed or when it is due. Without room on the line it is told later, as it is then. */
static void report(void)
{
    state_t now = {boot_id, senses.ms, senses.steps - zero, senses.impossible, zeroings, senses.broken,
                   {0}, occupied, settings.slots ? 0xFFFF : 0};
    memcpy(now.passages, senses.passages, BEAMS);
    const uint32_t since_ms = senses.ms - told_ms;
    const uint8_t changed = memcmp(NEWS(&now), NEWS(&told), NEWS_SIZE) != 0;
    if (!untold && since_ms < report_ms && !(changed && since_ms >= CHANGE_MS))
        return;
    if (send(STATE, &now, sizeof now)) {
        told = now;
        told_ms = senses.ms;
        untold = 0;
    }
}

static uint8_t lamp_is_lit(void)
{
    const uint32_t for_ms = senses.ms - lamp_since_ms;
    if (for_ms >= lamp_ms)
        lamp_ms = 0;
    return lamp_ms && for_ms / BLINK_MS % 2 == 0;
}

/* Obey a command; answers why not, or 0. */
static uint8_t obey(const frame_t *command)
{
    switch (command->type) {
    case SET_ZERO:
        zero = senses.steps;
        zeroings++;
        return 0;
    case SET_REPORTING: {
        const uint16_t asked_ms = command->payload[0] | (uint16_t)command->payload[1] << 8;
        if (asked_ms < REPORT_MS_LEAST || asked_ms > REPORT_MS_MOST)
            return BAD_VALUE;
        report_ms = asked_ms;
        return 0;
    }
    case IDENTIFY:
        lamp_since_ms = senses.ms;
        lamp_ms = command->payload[0] * 1000UL;
        return 0;
    default:
        return UNKNOWN_COMMAND;
    }
}

static void answer(const frame_t *command)
{
    const uint8_t type = command->type;
    if (type < GET_HELLO)
        return; /* only devices speak these */
    if (type == GET_HELLO) {
        send_hello();
        untold = 1;
        return;
    }
    if ((type == SET_REPORTING && command->size < 2) || (type == IDENTIFY && command->size < 1))
        return; /* too short to be one */
    const uint8_t refusal = obey(command);
    const uint8_t payload[3] = {type, command->seq, refusal};
    send(refusal ? NACK : ACK, payload, refusal ? 3 : 2);
}

static void listen(void)
{
    frame_t command;
    /* one command a turn: its answer must find room */
    for (int16_t byte; (byte = uart_next()) >= 0;) {
        if (wire_take(&incoming, byte, &command)) {
            answer(&command);
            return;
        }
    }
}

int main(void)
{
    settings_read();
    boot_id = settings_boot_id();
    LAMP_DDR |= LAMP;
    if (settings.slots)
        slots_start();
    sensors_start(settings.broken_level);
    uart_start();
    wdt_enable(WDTO_250MS);
    set_sleep_mode(SLEEP_MODE_IDLE);
    sei();

    static const uint8_t end = 0;
    uart_send(&end, 1); /* so that a boot loader's chatter is a block of its own */
    sensors_read(&senses);
    send_hello();
    untold = 1;
    uint8_t slots_ms = 0;
    for (;;) {
        const uint32_t before_ms = senses.ms;
        sensors_read(&senses);
        if (senses.ms != before_ms) {
            wdt_reset(); /* only while the clock goes, too */
            const uint8_t lit = lamp_is_lit();
            if (lit)
                LAMP_PORT |= LAMP;
            else
                LAMP_PORT &= ~LAMP;
            if (settings.slots && !lit && ++slots_ms >= SLOTS_EVERY_MS) {
                slots_ms = 0;
                occupied = slots_look();
            }
        }
        listen();
        report();
        sleep_mode(); /* the clock wakes it within a millisecond */
    }
}
