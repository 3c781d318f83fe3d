// The client of `kin lsp` for VS Code. It has no dependencies, so that the extension installs without a network.
//
// The server starts with the first schema, a YAML file whose first key is `kin:`; other YAML files are not sent to it.
'use strict';

const { spawn } = require('child_process');
const vscode = require('vscode');

let server; // the session; undefined while there is none

const isSchema = (document) =>
    document.languageId === 'yaml' &&
    /^\uFEFF?(?:\s*(?:#.*)?\r?\n|---.*\r?\n|%.*\r?\n)*\s*\{?\s*["']?kin["']?\s*:/.test(document.getText());

const toRange = (range) =>
    new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
const toLocation = (location) => new vscode.Location(vscode.Uri.parse(location.uri), toRange(location.range));
const fromRange = (range) => ({ start: { ...fromPosition(range.start) }, end: { ...fromPosition(range.end) } });
const fromPosition = (position) => ({ line: position.line, character: position.character });

function toEdit(edit) {
    const result = new vscode.WorkspaceEdit();
    for (const change of edit.documentChanges ?? []) {
        if (change.kind === 'create')
            result.createFile(vscode.Uri.parse(change.uri), { ignoreIfExists: true });
        else
            for (const part of change.edits)
                result.replace(vscode.Uri.parse(change.textDocument.uri), toRange(part.range), part.newText);
    }
    for (const [uri, edits] of Object.entries(edit.changes ?? {}))
        for (const part of edits)
            result.replace(vscode.Uri.parse(uri), toRange(part.range), part.newText);
    return result;
}

function toDiagnostic(item) {
    const severity = item.severity === 1 ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
    const diagnostic = new vscode.Diagnostic(toRange(item.range), item.message, severity);
    diagnostic.code = item.code;
    diagnostic.source = item.source;
    diagnostic.relatedInformation = item.relatedInformation.map(
        (note) => new vscode.DiagnosticRelatedInformation(toLocation(note.location), note.message));
    return diagnostic;
}

function toSymbol(item) {
    const symbol = new vscode.DocumentSymbol(item.name, item.detail, item.kind - 1, toRange(item.range),
                                             toRange(item.selectionRange));
    symbol.children = item.children.map(toSymbol);
    return symbol;
}

function toCompletion(item) {
    const result = new vscode.CompletionItem(item.label, item.kind - 1);
    result.detail = item.detail;
    if (item.documentation)
        result.documentation = new vscode.MarkdownString(item.documentation.value);
    result.range = toRange(item.textEdit.range);
    result.insertText = item.textEdit.newText;
    return result;
}

// A server process, and the requests that it has not answered.
class Session {
    constructor(output, diagnostics) {
        const configuration = vscode.workspace.getConfiguration('kin');
        const folders = configuration.get('include', []).flatMap((folder) => ['-I', folder]);
        const root = vscode.workspace.workspaceFolders?.[0]?.uri;
        this.waiting = new Map();
        this.number = 0;
        this.bytes = Buffer.alloc(0);
        this.diagnostics = diagnostics;
        this.process = spawn(configuration.get('path', 'kin'), ['lsp', ...folders], { cwd: root?.fsPath });
        this.process.on('error', (error) => {
            this.end();
            vscode.window.showWarningMessage(`Kin: the program cannot be started: ${error.message}`);
        });
        this.process.on('exit', () => this.end());
        this.process.stdin.on('error', () => this.end());
        this.process.stderr.on('data', (text) => output.append(text.toString()));
        this.process.stdout.on('data', (bytes) => this.read(bytes));
        const workspaceFolders = (vscode.workspace.workspaceFolders ?? []).map(
            (folder) => ({ uri: folder.uri.toString(), name: folder.name }));
        this.ready = this.ask('initialize', {
            processId: process.pid,
            rootUri: root?.toString() ?? null,
            workspaceFolders,
            capabilities: {
                general: { positionEncodings: ['utf-16'] },
                workspace: { workspaceEdit: { documentChanges: true, resourceOperations: ['create'] } },
            },
        }).then(() => this.tell('initialized', {}));
    }

    send(message) {
        const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
        if (this.process.stdin.writable)
            this.process.stdin.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
    }

    tell(method, params) {
        this.send({ method, params });
    }

    // Resolves to the result; to null without a server. An error is one that the user should see.
    ask(method, params) {
        return new Promise((resolve, reject) => {
            if (this.hasEnded) {
                resolve(null);
                return;
            }
            this.waiting.set(++this.number, { resolve, reject });
            this.send({ id: this.number, method, params });
        });
    }

    read(bytes) {
        this.bytes = Buffer.concat([this.bytes, bytes]);
        for (;;) {
            const header = this.bytes.indexOf('\r\n\r\n');
            const length = header < 0 ? null : /content-length: *(\d+)/i.exec(this.bytes.toString('ascii', 0, header));
            const end = length ? header + 4 + Number(length[1]) : Infinity;
            if (this.bytes.length < end)
                return;
            this.handle(JSON.parse(this.bytes.toString('utf8', header + 4, end)));
            this.bytes = this.bytes.subarray(end);
        }
    }

    handle(message) {
        const waiting = this.waiting.get(message.id);
        this.waiting.delete(message.id);
        if (message.method === 'textDocument/publishDiagnostics')
            this.diagnostics.set(vscode.Uri.parse(message.params.uri), message.params.diagnostics.map(toDiagnostic));
        else if (message.error && waiting)
            waiting.reject(new Error(message.error.message));
        else if (waiting)
            waiting.resolve(message.result);
    }

    end() {
        this.hasEnded = true;
        for (const { resolve } of this.waiting.values())
            resolve(null);
        this.waiting.clear();
        this.diagnostics.clear();
    }

    stop() {
        if (this.hasEnded)
            return Promise.resolve();
        return this.ask('shutdown', null).then(() => this.tell('exit', null));
    }
}

function at(document, position) {
    return { textDocument: { uri: document.uri.toString() }, position: position && fromPosition(position) };
}

// Asks the server about a schema. Resolves to null for other files.
async function ask(document, method, params) {
    if (!server || !server.opened.has(document.uri.toString()))
        return null;
    return server.ask(method, params);
}

function activate(context) {
    const output = vscode.window.createOutputChannel('Kin');
    const diagnostics = vscode.languages.createDiagnosticCollection('kin');

    function open(document) {
        const uri = document.uri.toString();
        if (!isSchema(document) || server?.opened.has(uri))
            return;
        if (!server || server.hasEnded) {
            server = new Session(output, diagnostics);
            server.opened = new Set();
        }
        server.opened.add(uri);
        const session = server;
        session.ready.then(() => session.tell('textDocument/didOpen', {
            textDocument: { uri, languageId: 'yaml', version: document.version, text: document.getText() },
        }));
    }

    function change({ document }) {
        const uri = document.uri.toString();
        if (!server?.opened.has(uri)) {
            open(document);
            return;
        }
        server.tell('textDocument/didChange', {
            textDocument: { uri, version: document.version },
            contentChanges: [{ text: document.getText() }],
        });
    }

    function tellOf(method) {
        return (document) => {
            if (server?.opened.has(document.uri.toString()))
                server.tell(method, at(document));
            if (method === 'textDocument/didClose')
                server?.opened.delete(document.uri.toString());
        };
    }

    const yaml = { language: 'yaml' };
    const languages = vscode.languages;
    context.subscriptions.push(
        output, diagnostics,
        vscode.workspace.onDidOpenTextDocument(open),
        vscode.workspace.onDidChangeTextDocument(change),
        vscode.workspace.onDidSaveTextDocument(tellOf('textDocument/didSave')),
        vscode.workspace.onDidCloseTextDocument(tellOf('textDocument/didClose')),
        vscode.commands.registerCommand('kin.restart', async () => {
            await server?.stop();
            server = undefined;
            vscode.workspace.textDocuments.forEach(open);
        }),
        languages.registerCompletionItemProvider(yaml, {
            async provideCompletionItems(document, position) {
                const list = await ask(document, 'textDocument/completion', at(document, position));
                return list?.items.map(toCompletion);
            },
        }, ' ', ':', '[', ',', '{', '.', '<', '-'),
        languages.registerHoverProvider(yaml, {
            async provideHover(document, position) {
                const hover = await ask(document, 'textDocument/hover', at(document, position));
                return hover && new vscode.Hover(new vscode.MarkdownString(hover.contents.value),
                                                 hover.range && toRange(hover.range));
            },
        }),
        languages.registerDefinitionProvider(yaml, {
            async provideDefinition(document, position) {
                return (await ask(document, 'textDocument/definition', at(document, position)))?.map(toLocation);
            },
        }),
        languages.registerReferenceProvider(yaml, {
            async provideReferences(document, position, asked) {
                const params = { ...at(document, position), context: asked };
                return (await ask(document, 'textDocument/references', params))?.map(toLocation);
            },
        }),
        languages.registerDocumentHighlightProvider(yaml, {
            async provideDocumentHighlights(document, position) {
                const list = await ask(document, 'textDocument/documentHighlight', at(document, position));
                return list?.map((item) => new vscode.DocumentHighlight(toRange(item.range), item.kind - 1));
            },
        }),
        languages.registerDocumentSymbolProvider(yaml, {
            async provideDocumentSymbols(document) {
                return (await ask(document, 'textDocument/documentSymbol', at(document)))?.map(toSymbol);
            },
        }),
        languages.registerRenameProvider(yaml, {
            async prepareRename(document, position) {
                const place = await ask(document, 'textDocument/prepareRename', at(document, position));
                if (!place)
                    throw new Error('nothing here can be renamed');
                return { range: toRange(place.range), placeholder: place.placeholder };
            },
            async provideRenameEdits(document, position, newName) {
                const edit = await ask(document, 'textDocument/rename', { ...at(document, position), newName });
                return edit && toEdit(edit);
            },
        }),
        languages.registerCodeActionsProvider(yaml, {
            async provideCodeActions(document, range, asked) {
                const only = asked.only && [asked.only.value];
                const params = { ...at(document), range: fromRange(range), context: { diagnostics: [], only } };
                return (await ask(document, 'textDocument/codeAction', params))?.map((item) => {
                    const action = new vscode.CodeAction(item.title, vscode.CodeActionKind.Empty.append(item.kind));
                    action.edit = toEdit(item.edit);
                    action.isPreferred = item.isPreferred;
                    action.diagnostics = item.diagnostics?.map(toDiagnostic);
                    return action;
                });
            },
        }),
        languages.registerCodeLensProvider(yaml, {
            async provideCodeLenses(document) {
                const list = await ask(document, 'textDocument/codeLens', at(document));
                return list?.map((item) => new vscode.CodeLens(toRange(item.range), item.command));
            },
        }),
        languages.registerInlayHintsProvider(yaml, {
            async provideInlayHints(document, range) {
                const params = { ...at(document), range: fromRange(range) };
                return (await ask(document, 'textDocument/inlayHint', params))?.map((item) => {
                    const place = new vscode.Position(item.position.line, item.position.character);
                    const hint = new vscode.InlayHint(place, item.label);
                    hint.paddingLeft = item.paddingLeft;
                    return hint;
                });
            },
        }));
    vscode.workspace.textDocuments.forEach(open);
}

function deactivate() {
    return server?.stop();
}

module.exports = { activate, deactivate };
