#!/usr/bin/env python3
"""Branch sides of the functions in bench/unit/functions: those that brute force
over a small domain reaches, those that `troupe unit` covers, and those that the
written tests take by gcov's count.  Brute force and gcov know nothing of the
engine.  Prints a table."""
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
import time

here = os.path.dirname(os.path.abspath(__file__))
troupe = os.environ.get('TROUPE', os.path.join(here, '../../build/troupe'))


def sides(folder, source, function):
    """Sides taken and sides there are, in one function, by gcov."""
    subprocess.run(['gcov', '-b', '-c', '--json-format', '-o', folder] +
                   [f for f in os.listdir(folder) if f.endswith('.gcda')],
                   cwd=folder, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    taken = there = 0
    for name in os.listdir(folder):
        if not name.endswith('.gcov.json.gz'):
            continue
        for f in json.load(gzip.open(os.path.join(folder, name)))['files']:
            if os.path.basename(f['file']) != os.path.basename(source):
                continue
            for line in f['lines']:
                if line.get('function_name') != function:
                    continue
                for b in line['branches']:
                    there += 1
                    taken += b['count'] > 0
    return taken, there


def build_and_run(folder, arguments):
    exe = os.path.join(folder, 'a.out')
    subprocess.run(['gcc', '-g', '-O0', '-w', '--coverage', '-o', exe] +
                   arguments, cwd=folder, check=True)
    subprocess.run([exe], cwd=folder, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


def main():
    total = dict(reachable=0, covered=0, gcov=0, seconds=0.0, n=0)
    print('| function | sides by gcov: there, reachable | unit: covered, '
          'infeasible, open | gcov of the tests | tests, traps | s |')
    print('|---|--:|--:|--:|--:|--:|')
    for name in sorted(os.listdir(os.path.join(here, 'functions'))):
        source = os.path.join(here, 'functions', name)
        text = open(source).read().split('#ifdef BRUTE')[0]
        function = re.findall(r'^[\w *]*?\b(\w+)\([^;]*?\)\n\{', text,
                              re.M)[-1]
        with tempfile.TemporaryDirectory() as d:
            build_and_run(d, ['-DBRUTE', source])
            reachable, there = sides(d, source, function)
        with tempfile.TemporaryDirectory() as d:
            begin = time.time()
            subprocess.run([troupe, 'unit', source + ':' + function,
                            '--time=10s', '--json=out.json', '-q'], cwd=d,
                           stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
            seconds = time.time() - begin
            said = json.load(open(os.path.join(d, 'out.json')))
            f = said['functions'][0]
            ended = sum(c['end'] != 'return' for c in f['cases'])
            measured = 0
            if f['test']:
                build_and_run(d, [f['test'], '-lcmocka', '-lm'])
                measured, _ = sides(d, source, function)
        print(f"| {function} | {there}, {reachable} | {f['covered']}, "
              f"{f['infeasible']}, {f['open']} | {measured} | "
              f"{len(f['cases']) - ended}, {ended} | {seconds:.1f} |",
              flush=True)
        total['reachable'] += reachable
        total['covered'] += f['covered']
        total['gcov'] += measured
        total['seconds'] += seconds
        total['n'] += 1
    print(f"\n{total['n']} functions: brute force reaches "
          f"{total['reachable']} sides, the written tests "
          f"{total['gcov']} by gcov; unit says {total['covered']}; mean "
          f"{total['seconds'] / total['n']:.1f} s")


if __name__ == '__main__':
    sys.exit(main())
