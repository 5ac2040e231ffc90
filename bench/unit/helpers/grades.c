// Few decisions of its own, many in helpers that only give a number.
static int clamp(int x, int lo, int hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

static int grade(int points)
{
    points = clamp(points, 0, 100);
    if (points >= 90)
        return 5;
    if (points >= 75)
        return 4;
    if (points >= 50)
        return 3;
    return points > 0;
}

int report(int a, int b, int c, int d, int e, int f)
{
    int sum = grade(a) + grade(b) + grade(c) + grade(d) + grade(e) + grade(f);
    if (sum == 30)
        return 1;
    if (sum == 1 && a < 0)
        return 2;
    if (sum == 17 && a > b && b > c && c > d)
        return 3;
    return 0;
}

// The sum is never more than 30: in place all 15,625 ways must be followed to
// show it.
int best(int a, int b, int c, int d, int e, int f)
{
    int sum = grade(a) + grade(b) + grade(c) + grade(d) + grade(e) + grade(f);
    return sum > 30 ? -1 : sum;
}
