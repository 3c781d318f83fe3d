// Tests what needs no editor: which documents are schemas, that the files that package.json names exist, and that each
// snippet, as it is inserted, is part of a schema that kin accepts. KIN is the program.
'use strict';

const assert = require('assert');
const { spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');
const Module = require('module');

const KIN = process.env.KIN || 'kin';
const here = (name) => path.join(__dirname, name);

// The extension is loaded with an editor and a client that have no functions.
function loadExtension() {
    const load = Module._load;
    const missing = new Proxy({}, { get: () => class {} });
    const isMissing = (name) => name === 'vscode' || name.startsWith('vscode-languageclient');
    Module._load = (name, ...rest) => (isMissing(name) ? missing : load(name, ...rest));
    try {
        return require(here('extension.js'));
    } finally {
        Module._load = load;
    }
}

function testDocuments() {
    const { isSchema } = loadExtension();
    const yaml = (text, languageId = 'yaml') => ({ languageId, getText: () => text });
    const schemas = ['kin: 1\n', '# A game.\n#\n\nkin: 1\n', '---\nkin: 1', '\uFEFFkin: 1\n', '# a\r\nkin : 1\r\n', '"kin": 1\n', 'content: 1\n'];
    const others = ['', 'name: kin\n', 'kinds: 1\n', 'a: 1\nkin: 1\n', '# kin: 1\n', 'kin\n', 'contents: 1\n'];
    schemas.forEach((text) => assert(isSchema(yaml(text)), JSON.stringify(text)));
    others.forEach((text) => assert(!isSchema(yaml(text)), JSON.stringify(text)));
    assert(!isSchema(yaml('kin: 1\n', 'markdown')));
}

function testFiles() {
    const extension = JSON.parse(fs.readFileSync(here('package.json')));
    const files = [extension.icon, ...extension.contributes.snippets.map((each) => each.path)];
    files.forEach((file) => assert(fs.existsSync(here(file)), file));
    const version = spawnSync(KIN, ['--version'], { encoding: 'utf8' }).stdout;
    assert(version.includes(extension.version), `kin is ${version.trim()}, the extension ${extension.version}`);
}

// What is inserted before anything is typed.
function expand(body) {
    return body
        .join('\n')
        .replace(/\$\{\d+\|([^,|]*)[^}]*\|\}/g, '$1')
        .replace(/\$\{\d+:([^}]*)\}/g, '$1')
        .replace(/\$\d/g, '');
}

function testSnippets() {
    const snippets = JSON.parse(fs.readFileSync(here('snippets.json')));
    const text = Object.fromEntries(Object.values(snippets).map((each) => [each.prefix, expand(each.body)]));
    const indent = (lines) => lines.replace(/^/gm, '  ');
    const schema = [
        text.kin.replace('components:', `contexts:\n  game: {}\ncomponents:`),
        ...['component', 'flag', 'relation'].map((prefix) => indent(text[prefix])),
        '  Velocity: { fields: { x: float } }\n  Team: { fields: { side: int32 } }',
        `groups:\n${indent(text.group)}\n  dying: { all: [Health] }`,
        `indices:\n${indent(text.index)}`,
        `blueprints:\n${indent(text.blueprint)}`,
        `schedule:\n  simulation: {}\nsystems:\n${indent(text.system)}\n${indent(text.reactive)}\n`,
    ].join('\n');
    const run = spawnSync(KIN, ['check', '-'], { input: schema, encoding: 'utf8' });
    assert.strictEqual(run.status, 0, `${run.error || run.stderr}\n${schema}`);
}

testDocuments();
testFiles();
testSnippets();
console.log('vscode: documents, files and snippets are as they should be');
