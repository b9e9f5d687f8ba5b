import { readFileSync } from 'node:fs';
import type { Description } from './check-request.js';

/** Reads the fixture in the folder of a piece. `name` selects one of several fixtures. */
export function readDescription(piece: string, name = piece): Description {
  return JSON.parse(
    readFileSync(new URL(`../src/${piece}/${name}.fixture.json`, import.meta.url), 'utf8'),
  ) as Description;
}
