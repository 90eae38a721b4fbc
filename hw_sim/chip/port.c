#define _GNU_SOURCE
#include "chip.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <avr_uart.h>

static const char *port_path;
static int pty = -1, pty_host = -1;
static uint8_t incoming[4096];
static size_t incoming_first, incoming_count;
static int line_full;

void port_plug(void)
{
    if (!port_path || pty >= 0)
        return;
    if (openpty(&pty, &pty_host, NULL, NULL, NULL))
        fail("no pty: %s", strerror(errno));
    struct termios raw;
    tcgetattr(pty_host, &raw);
    cfmakeraw(&raw);
    tcsetattr(pty_host, TCSANOW, &raw);
    fcntl(pty, F_SETFL, O_NONBLOCK);
    unlink(port_path);
    if (symlink(ttyname(pty_host), port_path))
        fail("%s: %s", port_path, strerror(errno));
}

void port_unplug(void)
{
    incoming_count = 0;
    if (pty < 0)
        return;
    unlink(port_path);
    close(pty);
    close(pty_host);
    pty = pty_host = -1;
}

static void sent(avr_irq_t *irq, uint32_t value, void *unused)
{
    (void)irq;
    (void)unused;
    const uint8_t byte = value;
    if (!port_path)
        printf("tx %llu %02x\n", (unsigned long long)now_us(), byte);
    else if (pty >= 0 && write(pty, &byte, 1) < 0 && errno != EAGAIN)
        fail("the pty: %s", strerror(errno));
}

static void may_send(avr_irq_t *irq, uint32_t value, void *full)
{
    (void)irq;
    (void)value;
    line_full = (int)(intptr_t)full;
}

void port_push(void)
{
    avr_irq_t *input = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    while (incoming_count && !line_full && powered) {
        incoming_count--;
        avr_raise_irq(input, incoming[incoming_first++]);
    }
}

/* More is read only when all is said: what the chip has no room for waits in the pty. */
void port_hear(void)
{
    if (pty >= 0 && incoming_count == 0) {
        const ssize_t size = read(pty, incoming, sizeof incoming);
        incoming_first = 0;
        incoming_count = size > 0 ? size : 0;
    }
    port_push();
}

int port_fd(void)
{
    return incoming_count ? -1 : pty;
}

size_t port_unhex(const char *text, uint8_t *bytes, size_t room)
{
    size_t size = 0;
    unsigned byte;
    for (; size < room && sscanf(text, "%2x", &byte) == 1; text += 2)
        bytes[size++] = byte;
    return size;
}

void port_say(const char *hex)
{
    if (incoming_first + incoming_count > sizeof incoming / 2) {
        memmove(incoming, incoming + incoming_first, incoming_count);
        incoming_first = 0;
    }
    const size_t end = incoming_first + incoming_count;
    incoming_count += port_unhex(hex, incoming + end, sizeof incoming - end);
}

void port_after_reset(void)
{
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    line_full = 0;
}

void port_connect(const char *path)
{
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), sent, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XON), may_send, (void *)0);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XOFF), may_send, (void *)1);
    port_path = path;
    port_plug();
}
