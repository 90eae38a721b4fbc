/* The board's chip: the firmware's own ELF on libsimavr, its pins driven by lines on stdin, its serial line on a pty.
 *
 *   host ELF [PATH]         PATH becomes a link to the pty; without it, what is sent is told on stdout
 *
 * Times are microseconds of simulated time since the start, which passes only as `until` and `pace` allow.
 *
 *   pin T LINE LEVEL        a line of the board has this level from T on (entry1.., exit1.., knob_a, knob_b, slot1.1..)
 *   until T                 run to T; answers `at T`
 *   let T                   may run to T; answers nothing
 *   pace SPEED              go on by itself, SPEED simulated seconds in a real one; 0 stops
 *   say HEX                 bytes come in on the serial line
 *   eeprom HEX              before the start only: what the EEPROM holds from address 0 on
 *   reset                   the reset button
 *   unplug, cut, plug       the cable with the power; without it, as where the board has its own; both back
 *   deaf                    the chip's clock interrupt stops: only the watchdog helps
 *   figures                 answers `figures` and what was measured since the start
 *   quit                    as does the end of stdin
 *
 * It tells: `tx T HEX` (without PATH), `lamp T LEVEL`, `crashed T`.
 */
#include "chip.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <avr_eeprom.h>
#include <avr_extint.h>

#define SLICE_US 2000 /* commands and bytes are looked at this often: two turns of the firmware's clock */

avr_t *avr;
elf_firmware_t firmware;
uint64_t base_cycles;
int powered = 1;
static uint64_t last_cycle;
static uint64_t limit_us;
static double speed;
static struct timespec paced_from;
static uint64_t paced_from_us;
static int until_asked, quitting;

void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "chip: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    exit(2);
}

uint64_t now_us(void)
{
    return (base_cycles + avr->cycle) / CYCLES_PER_US;
}

static void silent(avr_t *chip, const int level, const char *format, va_list arguments)
{
    (void)chip;
    if (level == LOG_ERROR)
        vfprintf(stderr, format, arguments);
}

/* The simulator would sleep in real time where the chip sleeps. */
static void no_sleep(avr_t *chip, avr_cycle_count_t cycles)
{
    (void)chip;
    (void)cycles;
}

#define A_CENTURY ((avr_cycle_count_t)100 * 365 * 24 * 3600 * 1000000 * CYCLES_PER_US)

/* A timer that is due at the end of a slice, where the simulator would sleep on. */
static avr_cycle_count_t pause_here(avr_t *chip, avr_cycle_count_t when, void *unused)
{
    (void)chip;
    (void)when;
    (void)unused;
    return 0;
}

/* A timer that is never due: when it is gone, the chip was reset. */
static avr_cycle_count_t stay(avr_t *chip, avr_cycle_count_t when, void *unused)
{
    (void)chip;
    (void)unused;
    return when + A_CENTURY;
}

/* After every reset, whoever did it: the simulator forgot its timers, and much that it was told. */
static void after_reset(void)
{
    if (avr->cycle < last_cycle)
        base_cycles += last_cycle - avr->cycle;
    last_cycle = avr->cycle;
    avr->state = cpu_Running;
    /* or a low pin before the firmware has said what it wants of it raises interrupts for ever */
    avr_extint_set_strict_lvl_trig(avr, EXTINT_IRQ_OUT_INT0, 0);
    avr_extint_set_strict_lvl_trig(avr, EXTINT_IRQ_OUT_INT1, 0);
    avr_cycle_timer_register(avr, A_CENTURY, stay, NULL);
    port_after_reset();
    figures_after_reset();
    pins_after_reset();
}

static void reset(void)
{
    last_cycle = avr->cycle;
    avr_reset(avr);
    after_reset();
}

static void power_on(void)
{
    reset();
    memset(avr->data + RAM_START, PAINT, avr->ramend + 1 - RAM_START);
}

static void make_chip(const char *path)
{
    avr_global_logger_set(silent);
    if (elf_read_firmware(path, &firmware))
        fail("%s is no firmware", path);
    strcpy(firmware.mmcu, "atmega328p");
    firmware.frequency = CYCLES_PER_US * 1000000;
    avr = avr_make_mcu_by_name(firmware.mmcu);
    if (!avr)
        fail("libsimavr knows no %s", firmware.mmcu);
    avr_init(avr);
    avr->log = LOG_ERROR;
    avr_load_firmware(avr, &firmware);
    avr->sleep = no_sleep;
    pins_connect();
    figures_connect();
    power_on();
}

static double real_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec - paced_from.tv_sec + (now.tv_nsec - paced_from.tv_nsec) / 1e9;
}

static void obey(char *command)
{
    char name[16];
    unsigned long long at_us;
    int level;
    if (sscanf(command, "pin %llu %15s %d", &at_us, name, &level) == 3) {
        pins_plan(at_us, pins_line(name), level);
    } else if (sscanf(command, "until %llu", &at_us) == 1) {
        limit_us = at_us;
        until_asked = 1;
    } else if (sscanf(command, "let %llu", &at_us) == 1) {
        limit_us = at_us;
    } else if (sscanf(command, "pace %lf", &speed) == 1) {
        clock_gettime(CLOCK_MONOTONIC, &paced_from);
        limit_us = paced_from_us = now_us();
    } else if (!strncmp(command, "say ", 4)) {
        port_say(command + 4);
    } else if (!strncmp(command, "eeprom ", 7)) {
        uint8_t bytes[1024];
        avr_eeprom_desc_t content = {bytes, 0, port_unhex(command + 7, bytes, sizeof bytes)};
        avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &content);
    } else if (!strcmp(command, "reset")) {
        reset();
    } else if (!strcmp(command, "unplug")) {
        powered = 0;
        port_unplug();
    } else if (!strcmp(command, "cut")) {
        port_unplug();
    } else if (!strcmp(command, "plug")) {
        port_plug();
        if (!powered) {
            powered = 1;
            power_on();
        }
    } else if (!strcmp(command, "deaf")) {
        avr->data[0x6E] = 0; /* TIMSK0 */
    } else if (!strcmp(command, "figures")) {
        figures_tell();
    } else if (!strcmp(command, "quit")) {
        quitting = 1;
    } else {
        fail("what is: %s", command);
    }
}

/* Obey what has come, up to an `until`; where nothing has, wait for the first for `wait_ms`. */
static void listen_to_commands(int wait_ms)
{
    static char text[1 << 16];
    static size_t size;
    struct pollfd ends[2] = {{STDIN_FILENO, POLLIN, 0}, {port_fd(), POLLIN, 0}};
    if (!memchr(text, '\n', size)) {
        fflush(stdout);
        if (poll(ends, ends[1].fd >= 0 && wait_ms ? 2 : 1, wait_ms) <= 0 || !(ends[0].revents & (POLLIN | POLLHUP)))
            return;
        const ssize_t got = read(STDIN_FILENO, text + size, sizeof text - size);
        if (got <= 0) {
            quitting = 1;
            return;
        }
        size += got;
    }
    char *from = text;
    for (char *end; !until_asked && !quitting && (end = memchr(from, '\n', text + size - from)); from = end + 1) {
        *end = 0;
        obey(from);
    }
    size -= from - text;
    memmove(text, from, size);
}

static void run_slice(uint64_t until_us)
{
    if (!powered) {
        base_cycles += (until_us - now_us()) * CYCLES_PER_US;
        pins_pass_unpowered();
        return;
    }
    while (now_us() < until_us) {
        last_cycle = avr->cycle;
        const uint64_t left = until_us * CYCLES_PER_US - base_cycles - avr->cycle;
        avr->run_cycle_limit = left;
        avr_cycle_timer_register(avr, left, pause_here, NULL);
        const int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed) {
            printf("crashed %llu\n", (unsigned long long)now_us());
            quitting = 1;
            return;
        }
        if (!avr_cycle_timer_status(avr, stay, NULL))
            after_reset();
        port_push();
    }
}

int main(int count, char **arguments)
{
    if (count < 2 || count > 3)
        fail("usage: host ELF [PATH]");
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    make_chip(arguments[1]);
    port_connect(count == 3 ? arguments[2] : NULL);
    printf("ready\n");
    while (!quitting) {
        if (speed > 0)
            limit_us = paced_from_us + (uint64_t)(real_s() * speed * 1e6);
        const uint64_t now = now_us();
        if (now >= limit_us) {
            if (until_asked) {
                until_asked = 0;
                printf("at %llu\n", (unsigned long long)now);
            }
            listen_to_commands(speed > 0 ? 1 : -1);
            port_hear();
            continue;
        }
        port_hear();
        run_slice(limit_us - now > SLICE_US ? now + SLICE_US : limit_us);
        pins_tell_lamp();
        if (!until_asked)
            listen_to_commands(0);
    }
    port_unplug();
    return 0;
}
