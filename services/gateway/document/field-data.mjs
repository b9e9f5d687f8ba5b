import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** Reads a file of this folder with entries for field names, and for single fields as `Schema.name`. */
export function readFieldData(name) {
  const { names, schemas } = parse(readFileSync(join(import.meta.dirname, name), 'utf8'));
  return {
    /** `path` is `Schema.name`. */
    of: (path) => schemas[path],
    named: (field) => names[field],
  };
}
