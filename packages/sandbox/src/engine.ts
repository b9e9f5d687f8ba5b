// The types of WebAssembly are in the library for browsers.
/// <reference lib="dom" />
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { MAX_VM_BYTES } from './limits.js';

const PAGE = 65_536;
const HEADER_BYTES = 8;
const MEMORY_SECTION = 5;

export interface Engine {
  module: WebAssembly.Module;
  /** Identifies the build of the engine. A snapshot can be resumed only by the build that created it. */
  id: string;
}

let loaded: Engine | undefined;

/** Compiles the engine once per process. Workers receive the compiled module. */
export function loadEngine(): Engine {
  if (loaded) return loaded;
  const binary = readFileSync(createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm'));
  const id = createHash('sha256').update(binary).digest('hex').slice(0, 32);
  return (loaded = { id, module: new WebAssembly.Module(limitMemory(binary, MAX_VM_BYTES / PAGE)) });
}

/**
 * Adds a maximum to the memory that the binary declares without one, so that the runtime never grows the memory beyond it, whatever the engine does.
 * Throws Error if the binary does not declare exactly one memory without flags.
 */
export function limitMemory(binary: Uint8Array, maxPages: number): Uint8Array<ArrayBuffer> {
  for (let at = HEADER_BYTES; at < binary.length;) {
    const size = readNumber(binary, at + 1);
    const end = size.next + size.value;
    if (binary[at] === MEMORY_SECTION) {
      const [count, flags] = binary.subarray(size.next, end);
      if (count !== 1 || flags !== 0) break;
      const { value: minPages } = readNumber(binary, size.next + 2);
      const section = [1, 1, ...toNumber(minPages), ...toNumber(maxPages)];
      const changed = [MEMORY_SECTION, ...toNumber(section.length), ...section];
      return Uint8Array.from([...binary.subarray(0, at), ...changed, ...binary.subarray(end)]);
    }
    at = end;
  }
  throw new Error(
    'The sandbox cannot limit the memory of this version of quickjs-wasi. Install the version that package.json pins.',
  );
}

/** Reads a LEB128 number, the number format of WebAssembly. */
function readNumber(binary: Uint8Array, start: number): { value: number; next: number } {
  let value = 0;
  for (let at = start, shift = 0; ; at++, shift += 7) {
    const byte = binary[at] ?? 0;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return { value, next: at + 1 };
  }
}

function toNumber(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...toNumber(value >>> 7)];
}
