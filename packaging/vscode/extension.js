// Starts `kin lsp` with the first document that is a schema or content of Kin. Other documents in YAML are left to other
// servers: a document is one of these if its first key is `kin` or `content`.
'use strict';

const { commands, window, workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

const SCHEMA = /^\uFEFF?(?:[ \t]*(?:#[^\n]*|---[ \t]*)?\r?\n)*["']?(?:kin|content)["']?[ \t]*:/;

let client = null;

function isSchema(document) {
    return document.languageId === 'yaml' && SCHEMA.test(document.getText());
}

// A document may become a schema while it is edited, and cease to be one; the server knows those that are.
const known = new Set();

const middleware = {
    didOpen(document, next) {
        if (!isSchema(document))
            return Promise.resolve();
        known.add(document.uri.toString());
        return next(document);
    },
    didChange(event, next) {
        if (known.has(event.document.uri.toString()))
            return next(event);
        return client.sendOpen(event.document);
    },
    didSave(document, next) {
        return known.has(document.uri.toString()) ? next(document) : Promise.resolve();
    },
    didClose(document, next) {
        return known.delete(document.uri.toString()) ? next(document) : Promise.resolve();
    },
};

class Client extends LanguageClient {
    // Opens a document that has become a schema.
    sendOpen(document) {
        const open = this.getFeature('textDocument/didOpen').getProvider(document);
        return open ? open.send(document) : Promise.resolve();
    }
}

function start() {
    const settings = workspace.getConfiguration('kin');
    const folders = settings.get('include').flatMap((folder) => ['-I', folder]);
    const server = { command: settings.get('path'), args: ['lsp', ...folders] };
    known.clear();
    client = new Client('kin', 'Kin', server, { documentSelector: [{ scheme: 'file', language: 'yaml' }], middleware });
    return client.start().catch((error) => {
        client = null;
        window.showErrorMessage(`Kin: '${server.command} lsp' does not start (${error.message}). Set kin.path.`);
    });
}

function startFor(document) {
    if (client === null && isSchema(document))
        start();
}

async function restart() {
    await deactivate();
    workspace.textDocuments.forEach(startFor);
}

function activate(context) {
    context.subscriptions.push(
        commands.registerCommand('kin.restart', restart),
        workspace.onDidOpenTextDocument(startFor),
        workspace.onDidChangeTextDocument((event) => startFor(event.document)),
        workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('kin') && restart()),
    );
    workspace.textDocuments.forEach(startFor);
}

async function deactivate() {
    const ended = client;
    client = null;
    if (ended !== null)
        await ended.stop();
}

module.exports = { activate, deactivate, isSchema };
