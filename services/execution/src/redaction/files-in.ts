const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Returns the contents, in base64, of each FILE in an output: an object with `filename`, `mimeType` and `base64` alone. */
export function filesIn(json: string): ReadonlySet<string> {
  const files = new Set<string>();
  if (!json.includes('"base64":"')) return files;
  const left: unknown[] = [JSON.parse(json)];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (isFile(next)) files.add(next.base64);
    else for (const value of Object.values(next)) left.push(value);
  }
  return files;
}

function isFile(value: object): value is { base64: string } {
  const { filename, mimeType, base64 } = value as Record<string, unknown>;
  const isShaped = typeof filename === 'string' && typeof mimeType === 'string' && Object.keys(value).length === 3;
  return isShaped && typeof base64 === 'string' && base64.length % 4 === 0 && BASE64.test(base64);
}
