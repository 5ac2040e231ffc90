// Names of the C library, and a variable that every call changes.
static int index;

int dup(int n)
{
    index++;
    return n > 3 ? index : 0;
}
