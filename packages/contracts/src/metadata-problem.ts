const MAX_KEYS = 50;
/** Maximum number of bytes of the metadata as JSON in UTF-8. */
const MAX_BYTES = 16 * 1024;

/** Returns the reason why the metadata of a record is invalid, or undefined. */
export function metadataProblem(metadata: object): string | undefined {
  const keys = Object.keys(metadata).length;
  if (keys > MAX_KEYS) return `must have at most ${MAX_KEYS} keys, has ${keys}`;
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  return bytes > MAX_BYTES ? `must be at most ${MAX_BYTES} bytes as JSON, is ${bytes}` : undefined;
}
