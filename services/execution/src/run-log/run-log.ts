import { cutText } from '@drawbridge/contracts';
import { hideInUrls, hideSensitive } from '@drawbridge/piece-kit';
import { redactBeginning, type Redactor } from '../redaction/redactor.js';
import { nestsDeeper } from '../running/output-bound.js';

const LIMIT = 16_000;
/** As in what callers send: a protobuf Struct, in which the log travels, is read by recursion. */
const MAX_LEVELS = 32;

/**
 * An input as the run log keeps it, JSON text: without the credential, values under telling keys and of secret properties,
 * and what URLs carry of that kind. Of a long one only the beginning is looked at.
 */
export function toLoggedInput(input: unknown, isSecret: (key: string) => boolean, redactor: Redactor): string {
  const json = JSON.stringify(hideSensitive(input, isSecret));
  const { shown, isCut } = redactBeginning(json, LIMIT, redactor.json);
  return isCut ? toPreview(shown) : toLogged(shown);
}

/** A redacted JSON text as the run log keeps it: at most 16 kB and 32 levels; of more, or of what `isCut` already, the beginning. */
export function toLogged(json: string, isCut = false): string {
  if (isCut || json.length > LIMIT) return toPreview(json.slice(0, 2 * LIMIT));
  const hidden = hideInUrls(json);
  return hidden.length > LIMIT || nestsDeeper(hidden, MAX_LEVELS) ? toPreview(hidden) : hidden;
}

/** What the run log keeps, as it can be passed on: also where it was kept before there was a bound. */
export function fromLogged(value: unknown): unknown {
  const json = JSON.stringify(value);
  return nestsDeeper(json, MAX_LEVELS) ? JSON.parse(toPreview(json)) : value;
}

function toPreview(beginning: string): string {
  return JSON.stringify({ truncated: true, preview: cutText(hideInUrls(beginning), LIMIT) });
}
