/** A protobuf Struct is decoded by recursion, a few levels for each of ours, up to a limit of its own. */
const MAX_DEPTH = 32;

/** What valid JSON may hold and we can't keep, by path: NUL (PostgreSQL), the key `__proto__` and deep nesting (protobuf). */
export function unkeepable(body: unknown): Record<string, string> {
  const problems: Record<string, string> = {};
  visit(body, '', 0, problems);
  return problems;
}

function visit(value: unknown, path: string, depth: number, problems: Record<string, string>): void {
  if (typeof value === 'string' && value.includes('\0')) problems[path] = 'must not hold a NUL character';
  if (typeof value !== 'object' || value === null) return;
  if (depth === MAX_DEPTH) {
    problems[path] = `must not nest deeper than ${MAX_DEPTH} levels`;
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    const place = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    if (key === '__proto__') problems[place] = 'is no name for a key';
    else if (key.includes('\0')) problems[place.replaceAll('\0', '')] = 'must not hold a NUL character';
    else visit(inner, place, depth + 1, problems);
  }
}
