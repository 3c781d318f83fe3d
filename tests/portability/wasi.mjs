// Runs a program in WebAssembly: node wasi.mjs PROGRAM [ARGUMENT…]. It sees the folder that it is run in.
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const args = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args, env: process.env, preopens: { '.': '.' }, returnOnExit: true });
const program = await WebAssembly.compile(await readFile(args[0]));
const running = await WebAssembly.instantiate(program, { wasi_snapshot_preview1: wasi.wasiImport });
try {
    process.exitCode = wasi.start(running);
} catch (trap) { // tests have led stderr elsewhere
    console.log(trap.stack);
    process.exitCode = 1;
}
