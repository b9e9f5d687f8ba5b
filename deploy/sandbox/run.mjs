// Waits for JavaScript on the file descriptor of the first argument and runs it as a module. `input` is a global; standard input holds its JSON.
import { closeSync, fstatSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';

const FILE = '/tmp/code.mjs';

writeSync(1, '.'); // The supervisor waits for this byte and drops it.
const fd = Number(process.argv[2]);
const code = readFileSync(fd);
closeSync(fd);
process.argv.splice(1, 2, FILE);

const json = Buffer.alloc(fstatSync(0).size);
readSync(0, json, 0, json.length, 0); // A read at a position leaves the file offset at 0, so that the code can read standard input, too.
globalThis.input = JSON.parse(json.toString());
globalThis.require = createRequire(FILE);
if (process.env.HTTP_PROXY) {
  const { EnvHttpProxyAgent, setGlobalDispatcher } = globalThis.require('undici');
  setGlobalDispatcher(new EnvHttpProxyAgent());
}
writeFileSync(FILE, code);
await import(FILE);
