import { type Action } from './action.js';
import { isSensitiveKey } from './sensitive-names.js';

const QUERY_VALUE = /([?&;])([^?&;=#\s"\\]+)=([^&;#\s"\\]*)/g;
const PASSWORD = /(:\/\/[^\s/?#:@"\\]*):[^\s/?#@"\\]*@/g;

/** The replacement for hidden values. */
export const REDACTED = '[redacted]';

/** Returns a check for the keys of an action's input that hold a secret. */
export function isSecretOf({ props }: Pick<Action, 'props'>): (key: string) => boolean {
  return (key) => Object.hasOwn(props, key) && props[key]?.type === 'SECRET_TEXT';
}

/** Hides values under sensitive keys and those of secret properties. */
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

/** Hides secrets in URLs within any text, including JSON: `https://user:password@host/?token=…`. */
export function hideInUrls(text: string): string {
  if (!text.includes('=') && !text.includes('@')) return text;
  const hidden = text.replace(QUERY_VALUE, (whole, mark: string, name: string) =>
    isSensitiveKey(name) ? `${mark}${name}=${REDACTED}` : whole,
  );
  return hidden.replace(PASSWORD, `$1:${REDACTED}@`);
}
