import type { Output } from './run-context.js';
import type { JsonObject } from './json.js';

/** Makes a JSON object of anything: a list is `{items}`, nothing is `{}`, bytes are a FILE, any other value `{value}`. */
export function toOutput(output: Output): JsonObject {
  if (output === undefined || output === null) return {};
  if (Array.isArray(output)) return { items: output };
  if (output instanceof Uint8Array) {
    return { filename: 'file', mimeType: 'application/octet-stream', base64: Buffer.from(output).toString('base64') };
  }
  return typeof output === 'object' ? output : { value: output };
}
