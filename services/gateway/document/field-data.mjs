import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** Reads a YAML file of this folder: `names` has a value for each field name, and `schemas` the exceptions by `Schema.field`. */
export function readFieldData(name) {
  const { names, schemas } = parse(readFileSync(join(import.meta.dirname, name), 'utf8'));
  return {
    /** `path` is `Schema.field`. */
    of: (path) => schemas[path],
    named: (field) => names[field],
  };
}
