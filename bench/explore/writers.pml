/* programs/orders/writers.c with 8 senders, for Spin: one channel between each
 * sender and the receiver, as in delivery model `pair`. */
#define N 8

chan go[N] = [1] of { bit };
chan to[N] = [1] of { byte };
byte got[N];

proctype writer(byte i)
{
    go[i]?1;
    to[i]!i
}

proctype receiver()
{
    byte n = 0, v;
    do
    :: n == N -> break
    :: to[0]?v -> got[n] = v; n++
    :: to[1]?v -> got[n] = v; n++
    :: to[2]?v -> got[n] = v; n++
    :: to[3]?v -> got[n] = v; n++
    :: to[4]?v -> got[n] = v; n++
    :: to[5]?v -> got[n] = v; n++
    :: to[6]?v -> got[n] = v; n++
    :: to[7]?v -> got[n] = v; n++
    od
}

init {
    byte i = 0;
    atomic {
        run receiver();
        do
        :: i < N -> run writer(i); i++
        :: else -> break
        od
    }
    i = 0;
    do
    :: i < N -> go[i]!1; i++
    :: else -> break
    od
}
