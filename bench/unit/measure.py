#!/usr/bin/env python3
"""Branch sides, traps and sizes of suites of the functions in
bench/unit/functions: by brute force over a small domain, as `troupe unit` says,
and as llvm-cov counts in the written tests.  Brute force and llvm-cov know
nothing of the engine.

    measure.py [NAME...] [--keep DIR] [-- OPTION OF troupe unit...]
"""
import itertools
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
troupe = os.environ.get('TROUPE', os.path.join(here, '../../build/troupe'))
PROFILE = ['-fprofile-instr-generate', '-fcoverage-mapping']


def llvm_sides(folder, exe, source, function):
    """Sides taken and sides there are, as (line, column, which), by llvm-cov."""
    raw = [os.path.join(folder, f) for f in os.listdir(folder)
           if f.endswith('.profraw')]
    data = os.path.join(folder, 'profdata')
    subprocess.run(['llvm-profdata-19', 'merge', '-o', data] + raw, check=True,
                   stderr=subprocess.DEVNULL)
    out = subprocess.run(['llvm-cov-19', 'export', exe, '-instr-profile', data],
                         check=True, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL).stdout
    taken, there = set(), set()
    for f in json.loads(out)['data'][0]['functions']:
        if f['name'].split(':')[-1] != function:
            continue
        lines = open(f['filenames'][0]).read().split('\n')
        for b in f['branches']:
            line, column, yes, no = b[0], b[1], b[4], b[5]
            text = lines[line - 1]
            if re.search(r'\bswitch\s*\($', text[:column - 1]):
                yes = None  # its false side is the default nobody wrote
            if yes is not None:
                there.add((line, column, True))
            if yes:
                taken.add((line, column, True))
            if re.match(r'(case|default)\b', text[column - 1:]):
                continue
            there.add((line, column, False))
            if no:
                taken.add((line, column, False))
    return taken, there


def compiled(folder, arguments, exe='a.out'):
    exe = os.path.join(folder, exe)
    subprocess.run(['clang-19', '-g', '-O0', '-w', '-o', exe] + PROFILE +
                   arguments, cwd=folder, check=True)
    return exe


def run(folder, exe):
    env = dict(os.environ, LLVM_PROFILE_FILE=os.path.join(folder,
                                                          '%p.profraw'))
    return subprocess.run([exe], cwd=folder, env=env, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout.decode()


def lines_of(exe, addresses):
    """Source lines of addresses."""
    if not addresses:
        return {}
    out = subprocess.run(['addr2line', '-e', exe] + addresses,
                         stdout=subprocess.PIPE).stdout.decode().split('\n')
    found = {}
    for a, line in zip(addresses, out):
        m = re.search(r':(\d+)', line)
        found[a] = int(m.group(1)) if m else 0
    return found


def smallest(sets):
    """The size of the smallest choice of sets whose union is that of all."""
    everything = set().union(*sets) if sets else set()
    if not everything:
        return min(len(sets), 1)
    sets = [s for s in sets if not any(s < t for t in sets)]
    for n in range(1, 7):
        if n > 3 and len(sets) > 60:
            break
        for some in itertools.combinations(sets, n):
            if set().union(*some) == everything:
                return n
    n, left = 0, set(everything)
    while left:
        left -= max(sets, key=lambda s: len(s & left))
        n += 1
    return n


def truth(folder, source, function):
    brute = ['-DBRUTE', f'-DFUNCTION="{function}"', '-no-pie', '-rdynamic',
             '-include', os.path.join(here, 'brute.h'), source, '-lm', '-ldl']
    exe = compiled(folder, brute)
    run(folder, exe)
    taken, there = llvm_sides(folder, exe, source, function)
    exe = os.path.join(folder, 'edges')
    subprocess.run(['gcc', '-g', '-O0', '-w', '-o', exe,
                    '-fsanitize-coverage=trace-pc'] + brute, check=True)
    said = run(folder, exe).split('\n')
    traps, sets = set(), []
    addresses = [w.split()[2] for w in said if w.startswith('trap')]
    place = lines_of(exe, list(dict.fromkeys(addresses)))
    for w in said:
        if w.startswith('trap'):
            traps.add(place[w.split()[2]])
        elif w.startswith('end'):
            traps.add(int(w.split()[1]))
        elif w.startswith('set'):
            n = [int(x) for x in w.split()[1:]]
            sets.append((n[2], n[0], n[1], frozenset(n[3:])))
    seen, simple = set(), 0
    for written, _, _, edges in sorted(sets, key=lambda s: s[:3]):
        if not edges <= seen or (not simple and not written):
            simple += not written
            seen |= edges
    returned = [s[3] for s in sets if not s[0]]
    return dict(taken=taken, there=there, traps=traps, simple=simple,
                smallest=smallest(returned))


def measured(folder, source, function, options):
    begin = resource.getrusage(resource.RUSAGE_CHILDREN)
    p = subprocess.run([troupe, 'unit', source + ':' + function,
                        '--time=10s', '--json=out.json', '-q'] + options,
                       cwd=folder, stdout=subprocess.DEVNULL,
                       stderr=subprocess.PIPE)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime
    path = os.path.join(folder, 'out.json')
    if not os.path.exists(path):
        print(f'{function}: status {p.returncode}: {p.stderr.decode()}')
        return None
    f = json.load(open(path))['functions'][0]
    f['cpu'] = cpu
    f['by_llvm'] = set()
    if f['test']:
        exe = compiled(folder, [f['test'], '-lcmocka', '-lm'])
        run(folder, exe)
        f['by_llvm'], f['llvm_there'] = llvm_sides(folder, exe, source,
                                                   function)
    return f


def function_of(source):
    text = open(source).read().split('#ifdef BRUTE')[0]
    return re.findall(r'^[\w *]*?\b(\w+)\([^;]*?\)\n\{', text, re.M)[-1]


def main():
    words, options, keep = sys.argv[1:], [], None
    if '--' in words:
        options = words[words.index('--') + 1:]
        words = words[:words.index('--')]
    if '--keep' in words:
        i = words.index('--keep')
        keep = words[i + 1]
        del words[i:i + 2]
    names = words or sorted(f[:-2] for f in
                            os.listdir(os.path.join(here, 'functions')))
    total = dict.fromkeys('reachable covered llvm there infeasible open tests '
                          'simple smallest traps found invented'.split(), 0)
    times = []
    print('| function | sides there, reachable | covered, infeasible, open '
          '| llvm-cov | tests, simplest first, smallest | traps found, there '
          '| CPU s |\n|---|--:|--:|--:|--:|--:|--:|')
    for name in names:
        source = os.path.join(here, 'functions', name + '.c')
        function = function_of(source)
        with tempfile.TemporaryDirectory() as d:
            t = truth(d, source, function)
        with tempfile.TemporaryDirectory() as d:
            f = measured(d, source, function, options)
            if keep and f:
                shutil.copytree(d, os.path.join(keep, name),
                                dirs_exist_ok=True)
        if not f:
            continue
        ended = [c for c in f['cases'] if c['end'] != 'return']
        tests = len(f['cases']) - len(ended)
        lines = {c['line'] for c in ended}
        got = dict(reachable=len(t['taken']), there=len(t['there']),
                   covered=f['covered'], infeasible=f['infeasible'],
                   open=f['open'], llvm=len(f['by_llvm']), tests=tests,
                   simple=t['simple'], smallest=t['smallest'],
                   traps=len(t['traps']), found=len(t['traps'] & lines),
                   invented=len(lines - t['traps']))
        for k in got:
            total[k] += got[k]
        times.append(f['cpu'])
        remarks = ''
        missing = sorted(t['taken'] - f['by_llvm'])
        if missing:
            remarks += f' not taken {missing}'
        if f['by_llvm'] - t['taken']:
            remarks += f" beyond {sorted(f['by_llvm'] - t['taken'])}"
        if t['traps'] - lines:
            remarks += f" traps missed {sorted(t['traps'] - lines)}"
        if lines - t['traps']:
            remarks += f" traps beyond {sorted(lines - t['traps'])}"
        if not f['test'] and f['cases']:
            remarks += ' no file'
        print(f"| {function} | {got['there']}, {got['reachable']} "
              f"| {f['covered']}, {f['infeasible']}, {f['open']} "
              f"| {got['llvm']} | {tests}, {t['simple']}, {t['smallest']} "
              f"| {got['found']}, {got['traps']} | {f['cpu']:.1f} |",
              flush=True)
        if remarks:
            print(f'{function}:{remarks}', file=sys.stderr, flush=True)
    times.sort()
    if times:
        print(f"\n{len(times)} functions: {total['reachable']} of "
              f"{total['there']} sides reachable; covered {total['covered']}, "
              f"infeasible {total['infeasible']}, open {total['open']}; "
              f"llvm-cov {total['llvm']}; tests {total['tests']}, simplest "
              f"first {total['simple']}, smallest {total['smallest']}; traps "
              f"{total['found']} of {total['traps']}, beyond the domain "
              f"{total['invented']}; CPU mean "
              f"{sum(times) / len(times):.1f} s, 95 % below "
              f"{times[int(0.95 * (len(times) - 1))]:.1f} s")


if __name__ == '__main__':
    sys.exit(main())
