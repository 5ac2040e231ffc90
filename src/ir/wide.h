// 128-bit integers, which ISO C has not.
#ifndef IR_WIDE_H
#define IR_WIDE_H

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

#endif
