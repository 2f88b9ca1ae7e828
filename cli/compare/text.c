/* Words of others in reports: arguments may be any bytes, tables from elsewhere, and what a command says may be cut
 * anywhere. JSON takes UTF-8 only, and a terminal obeys control characters. */
#include <string.h>

#include "cli/compare/compare.h"

static int control(unsigned long code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/* The code of the UTF-8 character at `text` and its length; 0: there is none (RFC 3629: no overlong ones, no
 * surrogates). */
static size_t character(const char *text, unsigned long *code)
{
    static const unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *c = (const unsigned char *)text;
    const size_t n = *c < 0x80 ? 1 : *c < 0xc0 ? 0 : *c < 0xe0 ? 2 : *c < 0xf0 ? 3 : *c < 0xf8 ? 4 : 0;

    if (n == 0) return 0;
    *code = n == 1 ? *c : *c & (0x7fu >> n);
    for (size_t k = 1; k < n; k++) {
        if ((c[k] & 0xc0) != 0x80) return 0; /* the end of the text, too */
        *code = *code << 6 | (c[k] & 0x3f);
    }
    return *code < least[n] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000) ? 0 : n;
}

int compare_text_controls(const char *text)
{
    unsigned long code;

    for (size_t n; *text; text += n ? n : 1)
        if ((n = character(text, &code)) && control(code)) return 1;
    return 0;
}

int compare_text_clean(const char *text)
{
    unsigned long code;

    for (size_t n; *text; text += n)
        if (!(n = character(text, &code)) || control(code)) return 0;
    return 1;
}

void compare_text_repair(char *text)
{
    unsigned long code;

    for (size_t n; *text; text += n) {
        if (!(n = character(text, &code)))
            n = 1, *text = '?';
        else if (control(code))
            memset(text, '?', n);
    }
}

void compare_text_cut(char *text)
{
    size_t end = strlen(text), at = end;

    while (at > 0 && end - at < 3 && ((unsigned char)text[at - 1] & 0xc0) == 0x80)
        at--;
    if (at == 0) return;
    const unsigned char first = (unsigned char)text[at - 1];
    const size_t whole = first < 0xc0 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    if (end - at < whole) text[at - 1] = 0;
}
