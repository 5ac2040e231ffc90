// Functions that are defined in another file.
int next_number(void);
void log_it(const char *s, int n);
const char *name_of(int n);
int total(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        int x = next_number();
        if (x < 0)
            return -1;
        if (x == 77) {
            log_it("seventy", x);
            continue;
        }
        sum += x;
    }
    const char *s = name_of(sum);
    if (s && s[0] == 'q')
        return 1000;
    return sum;
}

int sensor(int id, int *value, unsigned *flags);

int warmest(int n)
{
    int most = -1;
    for (int i = 0; i < n; i++) {
        int value;
        unsigned flags;
        if (sensor(i, &value, &flags) < 0)
            return -2;
        if (flags & 2)
            continue;
        if (value > most)
            most = value;
    }
    return most;
}
