#!/usr/bin/env python3
"""Code from elsewhere: every function of single-header libraries that Debian has
(libstb-dev, uthash-dev), with `troupe unit`.  A table of statuses with reasons.

    libraries.py [--time SECONDS A LIBRARY]
"""
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
troupe = os.environ.get('TROUPE', os.path.join(here, '../../build/troupe'))
# Header, what makes it an implementation.
LIBRARIES = [
    ('stb/stb_divide.h', '#define STB_DIVIDE_IMPLEMENTATION\n'),
    ('stb/stb_perlin.h', '#define STB_PERLIN_IMPLEMENTATION\n'),
    ('stb/stb_rect_pack.h', '#define STB_RECT_PACK_IMPLEMENTATION\n'),
    ('stb/stb_c_lexer.h', '#define STB_C_LEXER_IMPLEMENTATION\n'
                          '#include <stdlib.h>\n'),
    ('stb/stb_easy_font.h', '#include <string.h>\n'),
    ('stb/stb_hexwave.h', '#define STB_HEXWAVE_IMPLEMENTATION\n'),
    ('utstring.h', ''),
]


def reason(f):
    if f.get('refused'):
        return 'not tested: ' + f['refused']
    if not f['test']:
        return 'no test' if not f['cases'] else 'not written'
    if f['open']:
        return 'open: ' + collections.Counter(
            s.get('why', '').split(' (')[0] for s in f['sides']
            if s['state'] == 'open').most_common(1)[0][0]
    return 'all sides'


def main():
    seconds = 60
    if '--time' in sys.argv:
        seconds = int(sys.argv[sys.argv.index('--time') + 1])
    print('| library | functions | sides | covered, infeasible, open | tests, '
          'traps | files | statuses |\n|---|--:|--:|--:|--:|--:|---|')
    for header, before in LIBRARIES:
        path = os.path.join('/usr/include', header)
        if not os.path.exists(path):
            print(f'| {header} | not installed |')
            continue
        with tempfile.TemporaryDirectory() as d:
            name = os.path.basename(header)[:-2]
            with open(os.path.join(d, name + '.c'), 'w') as out:
                out.write(before + open(path).read())
            p = subprocess.run([troupe, 'unit', name + '.c',
                                f'--time={seconds}s', '--json=out.json', '-q',
                                '--', '-I/usr/include/stb', '-w'], cwd=d,
                               stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT)
            if not os.path.exists(os.path.join(d, 'out.json')):
                words = p.stdout.decode(errors='replace').strip()
                print(f'| {name} | status {p.returncode}: {words[:200]} |',
                      flush=True)
                continue
            said = json.load(open(os.path.join(d, 'out.json')))
            if 'functions' not in said:
                print(f"| {name} | status {p.returncode}: "
                      f"{p.stdout.decode(errors='replace').strip()[:200]} |",
                      flush=True)
                continue
            fs = said['functions']
            if os.environ.get('KEEP'):
                shutil.copytree(d, os.path.join(os.environ['KEEP'], name),
                                dirs_exist_ok=True)
        ended = sum(c['end'] != 'return' for f in fs for c in f['cases'])
        tests = sum(len(f['cases']) for f in fs) - ended
        sides = sum(len(f['sides']) for f in fs)
        statuses = collections.Counter(reason(f) for f in fs)
        print(f"| {name} | {len(fs)} | {sides} "
              f"| {sum(f['covered'] for f in fs)}, "
              f"{sum(f['infeasible'] for f in fs)}, "
              f"{sum(f['open'] for f in fs)} | {tests}, {ended} "
              f"| {sum(f['test'] is not None for f in fs)} | "
              + '; '.join(f'{n} {r}' for r, n in statuses.most_common(6))
              + ' |', flush=True)


if __name__ == '__main__':
    sys.exit(main())
