// A helper with sides that are impossible in every context: each costs a
// question at every call in place, one in all with a summary.
static unsigned mix(unsigned h)
{
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    if ((h & 7u) * 2u == 15u)
        return 0;
    h ^= h >> 12;
    if ((h | 1u) % 2u == 0u)
        return 1;
    return h;
}

int bucket(unsigned a, unsigned b, unsigned c)
{
    unsigned h = mix(a) + mix(b) + mix(c);
    if (h % 16 == 3)
        return 1;
    if (mix(h) % 16 == 5)
        return 2;
    return mix(a ^ b) % 2 ? 3 : 4;
}
