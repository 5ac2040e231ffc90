#!/usr/bin/env python3
"""Ways of `troupe unit` side by side, on the functions of test/unit/oracles: the
heap solver against branching at each access, bounds one after the other against
each at once, all cases against local paths; summaries of callees against calls
in place (--inline), on bench/unit/helpers, too.
With the word `summaries` only the last table."""
import json
import os
import resource
import subprocess
import sys
import tempfile

import measure

helpers = os.path.join(measure.here, 'helpers')
oracles = os.path.join(measure.here, '../../test/unit/oracles')


def unit(what, *options):
    with tempfile.TemporaryDirectory() as d:
        begin = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([measure.troupe, 'unit', os.path.join(oracles, what),
                        '--dry-run', '--time=60s', '--json=out.json', '-q',
                        *options], cwd=d, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        end = resource.getrusage(resource.RUSAGE_CHILDREN)
        f = json.load(open(os.path.join(d, 'out.json')))['functions'][0]
    f['cpu'] = end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime
    return f


def levels(f):
    last = f['levels'][-1]
    return (f"{last['cases']} on {last['paths']} | {last['steps']} | "
            f"{last['asked']} | {f['cpu']:.1f}")


def pre(name):
    return ['--pre', os.path.join(oracles, name)]


def both_ways(what, *options):
    by, inline = (unit(what, *options, *way) for way in ([], ['--inline']))
    row = f"| {' '.join([os.path.basename(what), *options[:2]])} "
    for f in by, inline:
        row += (f"| {f['covered']}, {f['infeasible']}, {f['open']} | {f['paths followed']} "
                f"| {f['steps']} | {f['asked']} | {f['cpu']:.2f} ")
    print(row + '|', flush=True)


def summaries():
    print('\nSummaries of callees (left) against calls in place:\n')
    head = '| sides covered, infeasible, open | paths | steps | questions | CPU s '
    print('| function ' + head * 2 + '|')
    print('|---' + '|--:' * 10 + '|')
    for what in 'grades.c:report', 'grades.c:best', 'ledger.c:settle', 'hash.c:bucket':
        both_ways(os.path.join(helpers, what))
    for what in 'reduce', 'reduce_all', 'multiple':
        both_ways('fraction.c:' + what, '--loop', '1', *pre('pre_fraction.c'),
                  '--model', os.path.join(oracles, 'copy_row.c'))


def main():
    if sys.argv[1:] == ['summaries']:
        return summaries()
    head = '| cases on paths | steps | questions | CPU s '
    print('Lazy against the heap solver:\n')
    print('| function, bound ' + head * 2 + '|')
    print('|---' + '|--:' * 8 + '|')
    for what in 'pair.c', 'alias.c:after_writes', 'subtract.c':
        for k in '1', '2', '3':
            if what.startswith('alias') and k != '1':
                continue
            print(f"| {what[:-2]} {k} | "
                  f"{levels(unit(what, '--loop', k, '--lazy'))} | "
                  f"{levels(unit(what, '--loop', k))} |", flush=True)
    print('\nOne bound after the other (1..3) against the last at once:\n')
    print('| function | cases by bound | steps 1..3, 3 | questions 1..3, 3 |')
    print('|---|--:|--:|--:|')
    for what, options in (('power.c', []), ('subtract.c', []),
                          ('fraction.c:reduce', pre('pre_fraction.c'))):
        up = unit(what, '--loop', '1..3', *options)['levels']
        once = unit(what, '--loop', '3', *options)['levels'][-1]
        print(f"| {what} | {', '.join(str(l['cases']) for l in up)} "
              f"| {up[-1]['steps']}, {once['steps']} "
              f"| {up[-1]['asked']}, {once['asked']} |", flush=True)
    print('\nAll cases (--loop 1) against local paths:\n')
    print('| function | cases, CPU s | traces tried, feasible, CPU s |')
    print('|---|--:|--:|')
    for what, options in (('least.c:least', []),
                          ('fraction.c:multiple', pre('pre_fraction.c')),
                          ('fraction.c:reduce', pre('pre_fraction.c')),
                          ('subtract.c', [])):
        plain = unit(what, '--loop', '1', *options)
        local = unit(what, '--local', *options)
        print(f"| {what} | {plain['levels'][-1]['cases']}, {plain['cpu']:.1f} "
              f"| {local['traces']}, {local['feasible']}, {local['cpu']:.1f} "
              '|', flush=True)
    summaries()


if __name__ == '__main__':
    sys.exit(main())
