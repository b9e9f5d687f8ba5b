import { cutText } from '@drawbridge/contracts';
import { nestsDeeper } from '../running/output-bound.js';
import { isSensitiveKey, redactBeginning, REDACTED, type Redactor } from '../redaction/redactor.js';

export const LIMIT = 16_000;
/** As in what callers send: a protobuf Struct, in which the log travels, is read by recursion. */
const MAX_LEVELS = 32;

const QUERY_VALUE = /([?&;])([^?&;=#\s"\\]+)=([^&;#\s"\\]*)/g;
const PASSWORD = /(:\/\/[^\s/?#:@"\\]*):[^\s/?#@"\\]*@/g;

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

/** Values under telling keys and of secret properties are hidden. */
export function hideSensitive(value: unknown, isSecret: (key: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => hideSensitive(item, isNever));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    isSecret(key) || isSensitiveKey(key) ? REDACTED : hideSensitive(inner, isNever),
  ]);
  return Object.fromEntries(entries);
}

const isNever = (): boolean => false;

/** `https://user:password@host/?token=…`, in any text. */
export function hideInUrls(text: string): string {
  if (!text.includes('=') && !text.includes('@')) return text;
  const hidden = text.replace(QUERY_VALUE, (whole, mark: string, name: string) =>
    isSensitiveKey(name) ? `${mark}${name}=${REDACTED}` : whole,
  );
  return hidden.replace(PASSWORD, `$1:${REDACTED}@`);
}
