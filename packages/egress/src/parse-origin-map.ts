import { readFileSync } from 'node:fs';
import { readOriginMap } from './origin-map.js';

/**
 * Parses ORIGIN_MAP: a JSON object, or the path of a file that contains one. Absent or empty means no mapping. Throws an Error that names the
 * invalid entry or the unreadable file.
 */
export function parseOriginMap(text: string | undefined): Record<string, string> {
  const written = text?.trim() ?? '';
  if (written === '') return {};

  const map = toRecord(parseJson(written.startsWith('{') ? written : readMapFile(written)));
  readOriginMap(map);
  return map;
}

function readMapFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`ORIGIN_MAP: ${JSON.stringify(path)} is neither a JSON object nor the path of a readable file`, {
      cause: error,
    });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('ORIGIN_MAP: not valid JSON');
  }
}

function toRecord(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('ORIGIN_MAP: not a JSON object');
  }
  const entries = Object.entries(value).map(([from, to]): [string, string] => {
    if (typeof to !== 'string') throw new Error(`ORIGIN_MAP: the target of "${from}" is not a string`);
    return [from, to];
  });
  return Object.fromEntries(entries);
}
