/** Limits all fields of a credential together. */
const MAX_BYTES = 64 * 1024;
/** Values in `props` or `data`, at any depth. */
const MAX_VALUES = 100;

/**
 * Returns the fields that are too large, by key. The limit exists because the answers of runs are searched for every secret. Texts count in bytes,
 * objects in bytes of their JSON.
 */
export function sizeProblems(fields: Record<string, unknown>): Record<string, string> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const problems = given
    .filter(([, value]) => typeof value === 'object' && holdsMoreThan(value, MAX_VALUES))
    .map(([field]) => [field, `must hold at most ${MAX_VALUES} values`]);
  const sizes = given.map(([field, value]): [string, number] => [field, bytesOf(value)]);
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  const [largest] = sizes.sort((a, b) => b[1] - a[1]);
  if (largest && total > MAX_BYTES) problems.push([largest[0], `a credential must have at most ${MAX_BYTES} bytes`]);
  return Object.fromEntries(problems);
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));
}

function holdsMoreThan(value: unknown, most: number): boolean {
  const left = [value];
  let seen = 0;
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== 'object' || next === null) continue;
    const inner = Object.values(next);
    seen += inner.length;
    if (seen > most) return true;
    left.push(...inner);
  }
  return false;
}
