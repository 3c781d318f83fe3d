// Runs a program in WebAssembly: node wasi.mjs PROGRAM [ARGUMENT…]. It sees the current folder.
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const args = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args, env: process.env, preopens: { '.': '.' }, returnOnExit: true });
const program = await WebAssembly.compile(await readFile(args[0]));
const running = await WebAssembly.instantiate(program, { wasi_snapshot_preview1: wasi.wasiImport });
try {
    process.exitCode = wasi.start(running);
} catch (trap) { // tests have redirected stderr
    console.log(trap.stack);
    process.exitCode = 1;
}
