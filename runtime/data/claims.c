/* Claims on the caller's arrays. */
#include <stdlib.h>

#include "runtime/data/claims.h"

struct tw_claim {
    uintptr_t from, to;
    int writes;
    struct tw_claimant *by;
    struct tw_claim *next;
};

struct tw_claimant *tw_claimant_new(void)
{
    struct tw_claimant *c = malloc(sizeof *c);

    if (!c) return NULL;
    atomic_init(&c->owners, 1);
    atomic_init(&c->ended, 0);
    if ((c->token = tw_data_token())) return c;
    free(c);
    return NULL;
}

static void let_go(struct tw_claimant *c)
{
    if (atomic_fetch_sub(&c->owners, 1) > 1) return;
    tw_data_free_later(c->token);
    free(c);
}

void tw_claimant_end(struct tw_claimant *c)
{
    atomic_store(&c->ended, 1);
    let_go(c);
}

static struct tw_claim claim_of(const struct tw_range *r)
{
    const uintptr_t from = (uintptr_t)r->from;
    return (struct tw_claim){.from = from,
                             .to = r->bytes > UINTPTR_MAX - from ? UINTPTR_MAX : from + r->bytes,
                             .writes = (r->mode & TW_W) != 0};
}

static int conflict(const struct tw_claim *a, const struct tw_claim *b)
{
    return (a->writes || b->writes) && a->from < b->to && b->from < a->to;
}

static void drop(struct tw_claim **at)
{
    struct tw_claim *c = *at;

    *at = c->next;
    let_go(c->by);
    free(c);
}

int tw_claims_find(struct tw_claim **list, const struct tw_range *range, int n, struct tw_data **token, int room)
{
    int count = 0;

    for (struct tw_claim **at = list; *at;) {
        struct tw_claim *c = *at;
        int hit = 0;
        if (atomic_load(&c->by->ended)) {
            drop(at);
            continue;
        }
        for (int k = 0; k < n && !hit; k++) {
            const struct tw_claim mine = claim_of(&range[k]);
            hit = conflict(&mine, c);
        }
        for (int k = 0; k < count && k < room; k++)
            if (token[k] == c->by->token) hit = 0;
        if (hit && count < room) token[count] = c->by->token;
        count += hit;
        at = &c->next;
    }
    return count;
}

/* Who follows a claim that covers another follows that one, too. */
static void forget_covered(struct tw_claim **list, const struct tw_claim *mine)
{
    for (struct tw_claim **at = list; *at;)
        if (mine->writes && mine->from <= (*at)->from && (*at)->to <= mine->to)
            drop(at);
        else
            at = &(*at)->next;
}

int tw_claims_add(struct tw_claim **list, const struct tw_range *range, int n, struct tw_claimant *by)
{
    struct tw_claim *mine = NULL;

    for (int k = 0; k < n; k++) {
        struct tw_claim *c = malloc(sizeof *c);
        if (!c) {
            tw_claims_clear(&mine);
            return -1;
        }
        *c = claim_of(&range[k]);
        c->by = by;
        c->next = mine;
        mine = c;
        atomic_fetch_add(&by->owners, 1);
    }
    for (const struct tw_claim *c = mine; c; c = c->next)
        forget_covered(list, c);
    while (mine) {
        struct tw_claim *c = mine;
        mine = c->next;
        c->next = *list;
        *list = c;
    }
    return 0;
}

void tw_claims_clear(struct tw_claim **list)
{
    while (*list)
        drop(list);
}
