// Kin store: adds the components that distinguish kinds of entities.

#include "store.h"

enum { KINDS = 26, FLAGS = 8 };

// A function for each kind, because each generated function takes another type of value.
#define KIND(Name, name)                                                                                               \
    static void add_##name(game_context *game, game_entity entity)                                                     \
    {                                                                                                                  \
        game_add_kind_##name(game, entity, (Kind##Name){1.0f});                                                        \
    }
KIND(A, a)
KIND(B, b)
KIND(C, c)
KIND(D, d)
KIND(E, e)
KIND(F, f)
KIND(G, g)
KIND(H, h)
KIND(I, i)
KIND(J, j)
KIND(K, k)
KIND(L, l)
KIND(M, m)
KIND(N, n)
KIND(O, o)
KIND(P, p)
KIND(Q, q)
KIND(R, r)
KIND(S, s)
KIND(T, t)
KIND(U, u)
KIND(V, v)
KIND(W, w)
KIND(X, x)
KIND(Y, y)
KIND(Z, z)

static void (*const add_kind[KINDS])(game_context *, game_entity) = {
    add_a, add_b, add_c, add_d, add_e, add_f, add_g, add_h, add_i, add_j, add_k, add_l, add_m,
    add_n, add_o, add_p, add_q, add_r, add_s, add_t, add_u, add_v, add_w, add_x, add_y, add_z};

static kin_status (*const set_flag[FLAGS])(game_context *, game_entity, bool) = {
    game_set_f0, game_set_f1, game_set_f2, game_set_f3, game_set_f4, game_set_f5, game_set_f6, game_set_f7};

void kin_store_add_kind(const kin_store *world, game_entity entity, uint32_t number)
{
    add_kind[number % KINDS](world->game, entity);
}

void kin_store_add_flags(const kin_store *world, game_entity entity, uint32_t flags)
{
    for (uint32_t b = 0; b < FLAGS; b++)
        set_flag[b](world->game, entity, (flags >> b & 1) != 0);
}
