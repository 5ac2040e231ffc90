enum state { IDLE, DIAL, TALK, BUSY };
enum state machine(enum state s, int event)
{
    switch (s) {
    case IDLE:
        return event == 1 ? DIAL : IDLE;
    case DIAL:
        if (event == 2)
            return TALK;
        if (event == 3)
            return BUSY;
        return event == 0 ? IDLE : DIAL;
    case TALK:
    case BUSY:
        return event == 0 ? IDLE : s;
    }
    return IDLE;
}
#ifdef BRUTE
static void brute(void)
{
    for (int s = 0; s < 5; s++)
        for (int e = 0; e < 5; e++)
            TRY(machine((enum state)s, e));
}
#endif
