import { cutText, nestsDeeper } from '@drawbridge/contracts';
import { hideInUrls, hideSensitive } from '@drawbridge/piece-kit';
import { redactBeginning, type Redactor } from '../redaction/redactor.js';

const LIMIT = 16_000;
/** Maximum nesting of logged JSON, the same as for requests. Logged JSON is sent as a protobuf Struct, which is parsed recursively. */
const MAX_LEVELS = 32;

/**
 * Returns an input for the run log as a JSON string. Removes the credential, values of secret properties and of sensitive keys, and secrets in URLs.
 * Reads only the beginning of a long input.
 */
export function toLoggedInput(input: unknown, isSecret: (key: string) => boolean, redactor: Redactor): string {
  const json = JSON.stringify(hideSensitive(input, isSecret));
  const { shown, isCut } = redactBeginning(json, LIMIT, redactor.json);
  return isCut ? toPreview(shown) : toLogged(shown);
}

/**
 * Returns redacted JSON for the run log, with at most 16 kB and 32 levels. Replaces longer JSON, and JSON that was already shortened (`isCut`), by a
 * preview of its beginning.
 */
export function toLogged(json: string, isCut = false): string {
  if (isCut || json.length > LIMIT) return toPreview(json.slice(0, 2 * LIMIT));
  const hidden = hideInUrls(json);
  return hidden.length > LIMIT || nestsDeeper(hidden, MAX_LEVELS) ? toPreview(hidden) : hidden;
}

/** Applies the nesting limit to a logged value, because older rows were stored without the limit. */
export function fromLogged(value: unknown): unknown {
  const json = JSON.stringify(value);
  return nestsDeeper(json, MAX_LEVELS) ? JSON.parse(toPreview(json)) : value;
}

function toPreview(beginning: string): string {
  return JSON.stringify({ truncated: true, preview: cutText(hideInUrls(beginning), LIMIT) });
}
