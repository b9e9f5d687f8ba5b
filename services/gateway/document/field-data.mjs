import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** Reads a file of this folder that says something of fields by name, and of single fields as `Schema.name`. */
export function readFieldData(name) {
  const { names, schemas } = parse(readFileSync(join(import.meta.dirname, name), 'utf8'));
  return {
    /** `path` is `Schema.name`. */
    of: (path) => schemas[path],
    named: (field) => names[field],
  };
}
