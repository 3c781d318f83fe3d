#!/usr/bin/env python3
"""How long `kin lsp` takes to answer, and how much memory it has.

    bench/lsp.py KIN SCHEMA      one table for the schema, and one for 1,000 components and 500 groups

An edit changes a word and waits for the diagnostics of the text. Questions are asked at every place of the text with a
line deleted or cut, as while one types: completion, hover, definition. Times are those that an editor sees, in
milliseconds, with the pipes between.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

EDITS = 40
QUESTIONS = 750
METHODS = ('textDocument/completion', 'textDocument/hover', 'textDocument/definition')


class Server:
    def __init__(self, kin):
        self.process = subprocess.Popen([kin, 'lsp'], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.asked = 0
        self.ask('initialize', {'processId': None, 'rootUri': None, 'capabilities': {}})
        self.tell('initialized', {})

    def send(self, message):
        body = json.dumps({'jsonrpc': '2.0', **message}).encode()
        self.process.stdin.write(b'Content-Length: %d\r\n\r\n' % len(body) + body)
        self.process.stdin.flush()

    def receive(self):
        size = 0
        while line := self.process.stdout.readline().strip():
            if line.lower().startswith(b'content-length:'):
                size = int(line.split(b':')[1])
        return json.loads(self.process.stdout.read(size))

    def tell(self, method, parameters):
        self.send({'method': method, 'params': parameters})

    def ask(self, method, parameters):
        self.asked += 1
        self.send({'id': self.asked, 'method': method, 'params': parameters})
        while self.receive().get('id') != self.asked:
            pass

    def change(self, uri, version, text):
        self.tell('textDocument/didChange', {'textDocument': {'uri': uri, 'version': version},
                                             'contentChanges': [{'text': text}]})

    def wait_for_diagnostics(self):
        while self.receive().get('method') != 'textDocument/publishDiagnostics':
            pass

    def memory(self):
        status = pathlib.Path(f'/proc/{self.process.pid}/status').read_text()
        return int(status.split('VmHWM:')[1].split()[0]) / 1024

    def end(self):
        self.ask('shutdown', None)
        self.tell('exit', None)
        self.process.wait()


def timed(work):
    begun = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - begun)


def edited(text, number):
    """The text with a mistake in one of its types, another one each time."""
    places = [at for at in range(len(text)) if text.startswith('float', at)]
    at = places[number % len(places)]
    return text[:at] + 'flaot' + text[at + 5:]


def broken(text, number):
    """The text without one of its lines, or with one cut in half; and the place of that."""
    lines = text.split('\n')
    line = number * 7 % (len(lines) - 1)
    if number % 2 == 0:
        del lines[line]
        return '\n'.join(lines), line, len(lines[line]) // 2
    lines[line] = lines[line][:len(lines[line]) // 2]
    return '\n'.join(lines), line, len(lines[line])


def row(name, times, bars):
    times.sort()
    at = {'median': times[len(times) // 2], '99 %': times[len(times) * 99 // 100], 'longest': times[-1]}
    shown = '  '.join(f'{word} {at[word]:7.2f}{f" (bar {bar})" if bar else ""}' for word, bar in bars.items())
    print(f'  {name:24}{shown}')


def large():
    components = ''.join(f'  C{i}: {{ fields: {{ x: float, y: float, count: int32 }} }}\n' for i in range(1000))
    groups = ''.join(f'  g{i}: {{ all: [C{i}, C{i + 500}], none: [C{(i * 7) % 499}] }}\n' for i in range(1, 500))
    return f'kin: 1\npackage: large\ncontexts: {{ game: {{ default: true }} }}\ncomponents:\n{components}groups:\n{groups}'


def measure(kin, path):
    text = pathlib.Path(path).read_text()
    uri = 'file://' + os.path.realpath(path)
    begun = time.perf_counter()
    server = Server(kin)
    server.tell('textDocument/didOpen', {'textDocument': {'uri': uri, 'languageId': 'yaml', 'version': 0, 'text': text}})
    server.wait_for_diagnostics()
    start = 1000 * (time.perf_counter() - begun)
    print(f'{path}: {len(text.splitlines())} lines')
    is_large = len(text.splitlines()) > 1000
    print(f'  {"start to diagnostics":24}{start:.2f}{"" if is_large else " (bar 20)"}')

    version, edits, questions = 0, [], []
    for number in range(EDITS):
        version += 1
        server.change(uri, version, edited(text, number))
        edits.append(timed(server.wait_for_diagnostics))
    row('an edit', edits, {'median': 40 if is_large else 5, 'longest': None if is_large else 20})

    for number in range(QUESTIONS // len(METHODS)):
        version += 1
        changed, line, character = broken(text, number)
        server.change(uri, version, changed)
        server.wait_for_diagnostics()
        for method in METHODS:
            at = {'textDocument': {'uri': uri}, 'position': {'line': line, 'character': character}}
            questions.append(timed(lambda: server.ask(method, at)))
    row('a question', questions, {'median': None if is_large else 2, '99 %': None if is_large else 10})
    print(f'  {"memory":24}{server.memory():.1f} MB{"" if is_large else " (bar 8)"}')
    server.end()


measure(*sys.argv[1:])
with tempfile.TemporaryDirectory() as folder:
    whole = pathlib.Path(folder, 'large.yaml')
    whole.write_text(large())
    measure(sys.argv[1], whole)
