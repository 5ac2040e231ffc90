// The main of test programs that have none of their own; in a file by itself,
// so that the linker takes it only then.
#include "testlib/testlib.h"

int main(int argc, char **argv)
{
    return tr_test_main(argc, argv);
}
