// Drives the extension for VS Code with a stand-in for VS Code: node vscode.js EXTENSION KIN
//
// It opens a schema and another YAML file, asks every provider, and prints one line for each answer.
'use strict';

const Module = require('module');
const [extension, kin] = process.argv.slice(2);

class Position { constructor(line, character) { Object.assign(this, { line, character }); } }
class Range {
    constructor(a, b, c, d) { this.start = new Position(a, b); this.end = new Position(c, d); }
}
const record = (...names) => class { constructor(...values) { names.forEach((name, i) => { this[name] = values[i]; }); } };
const providers = {};
const sent = new Map();
const handlers = {};
const on = (name) => (handler) => { handlers[name] = handler; return { dispose() {} }; };
const provide = (name) => (selector, provider) => { providers[name] = provider; return { dispose() {} }; };
const uriOf = (text) => ({ fsPath: text.replace('file://', ''), toString: () => text });
const warnings = [];

const vscode = {
    Position, Range,
    Uri: { parse: uriOf },
    Location: record('uri', 'range'),
    Diagnostic: record('range', 'message', 'severity'),
    DiagnosticRelatedInformation: record('location', 'message'),
    DiagnosticSeverity: { Error: 0, Warning: 1 },
    CompletionItem: record('label', 'kind'),
    MarkdownString: record('value'),
    Hover: record('contents', 'range'),
    DocumentSymbol: record('name', 'detail', 'kind', 'range', 'selectionRange'),
    DocumentHighlight: record('range', 'kind'),
    CodeAction: record('title', 'kind'),
    CodeActionKind: { Empty: { append: (kind) => kind } },
    CodeLens: record('range', 'command'),
    InlayHint: record('position', 'label'),
    WorkspaceEdit: class {
        constructor() { this.edits = []; }
        replace(uri, range, text) { this.edits.push(text); }
        createFile(uri) { this.edits.push(uri.toString()); }
    },
    window: {
        createOutputChannel: () => ({ append() {}, dispose() {} }),
        showWarningMessage: (text) => warnings.push(text),
    },
    commands: { registerCommand: () => ({ dispose() {} }) },
    languages: {
        createDiagnosticCollection: () => ({
            set: (uri, list) => sent.set(uri.toString(), list), clear: () => sent.clear(), dispose() {},
        }),
        registerCompletionItemProvider: provide('completion'),
        registerHoverProvider: provide('hover'),
        registerDefinitionProvider: provide('definition'),
        registerReferenceProvider: provide('references'),
        registerDocumentHighlightProvider: provide('highlights'),
        registerDocumentSymbolProvider: provide('symbols'),
        registerRenameProvider: provide('rename'),
        registerCodeActionsProvider: provide('actions'),
        registerCodeLensProvider: provide('lenses'),
        registerInlayHintsProvider: provide('inlays'),
    },
    workspace: {
        getConfiguration: () => ({ get: (name, fallback) => (name === 'path' ? kin : fallback) }),
        workspaceFolders: [{ uri: uriOf(`file://${process.cwd()}`), name: 'here' }],
        textDocuments: [],
        onDidOpenTextDocument: on('open'),
        onDidChangeTextDocument: on('change'),
        onDidSaveTextDocument: on('save'),
        onDidCloseTextDocument: on('close'),
    },
};
const load = Module._load;
Module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest));

const document = (name, text) => ({
    uri: uriOf(`file://${process.cwd()}/${name}`), languageId: 'yaml', version: 1, text, getText() { return this.text; },
});
const placeOf = (text, word) => {
    const before = text.slice(0, text.indexOf(word)).split('\n');
    return new Position(before.length - 1, before[before.length - 1].length);
};
const until = async (condition) => {
    for (let i = 0; i < 500 && !condition(); i++)
        await new Promise((resolve) => setTimeout(resolve, 10));
};

const wrong = `# A schema
kin: 1
package: sky
contexts: { game: { default: true } }
components:
  Position: { fields: { x: flaot } }
  Asleep: {}
groups: { still: { all: [Position, Asleep] } }
systems: { Move: { group: still } }
`;

async function main() {
    const { activate, deactivate } = require(extension);
    activate({ subscriptions: [] });
    handlers.open(document('other.yaml', 'version: 3\nservices: {}\n'));
    const schema = document('sky.yaml', wrong);
    const uri = schema.uri.toString();
    handlers.open(schema);
    await until(() => sent.has(uri));
    console.log(`diagnostic: ${sent.get(uri)[0].message} [${sent.get(uri)[0].code}]`);
    const place = sent.get(uri)[0].range;
    const [fix] = await providers.actions.provideCodeActions(schema, place, {});
    console.log(`action: ${fix.title}, ${fix.edit.edits}`);
    schema.text = wrong.replace('flaot', 'float');
    schema.version = 2;
    handlers.change({ document: schema });
    await until(() => sent.get(uri).length === 0);
    console.log(`diagnostics: ${sent.get(uri).length}`);
    const at = placeOf(schema.text, 'Asleep]');
    const whole = new Range(0, 0, 99, 0);
    console.log(`completion: ${(await providers.completion.provideCompletionItems(schema, at)).map((item) => item.label)}`);
    console.log(`hover: ${(await providers.hover.provideHover(schema, at)).contents.value.split('\n')[0]}`);
    console.log(`definition: ${(await providers.definition.provideDefinition(schema, at))[0].range.start.line}`);
    console.log(`references: ${(await providers.references.provideReferences(schema, at, {})).length}`);
    console.log(`highlights: ${(await providers.highlights.provideDocumentHighlights(schema, at)).length}`);
    console.log(`symbols: ${(await providers.symbols.provideDocumentSymbols(schema)).map((item) => item.name)}`);
    console.log(`prepare: ${(await providers.rename.prepareRename(schema, at)).placeholder}`);
    console.log(`rename: ${(await providers.rename.provideRenameEdits(schema, at, 'Still')).edits}`);
    await providers.rename.provideRenameEdits(schema, at, 'still').catch((error) => console.log(`refused: ${error.message}`));
    console.log(`lenses: ${(await providers.lenses.provideCodeLenses(schema)).map((item) => item.command.title)}`);
    console.log(`inlays: ${(await providers.inlays.provideInlayHints(schema, whole)).map((item) => item.label)}`);
    console.log(`other: ${[...sent.keys()].length}, ${warnings.length} warnings`);
    await deactivate();
}

main();
