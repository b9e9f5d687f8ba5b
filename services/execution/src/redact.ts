import { cutText } from '@drawbridge/contracts';
import { type Credential } from '@drawbridge/piece-kit';

const REDACTED = '[redacted]';
const LOG_LIMIT = 16_000;
/** Keys under which people put secrets, whatever the integration. */
const SENSITIVE_KEY = /authorization|cookie|passw|secret|token|api[-_]?key|private[-_]?key/i;

export type Redact = <T>(value: T) => T;

type Replace = (text: string) => string;

/**
 * Replaces a credential's values wherever they stand in a JSON value, in keys too: as they are, base64 (in each of the
 * three ways that it can lie inside a longer text), hex, and URL-encoded.
 */
export function redactor(secrets: readonly string[]): Redact {
  const forms = [...new Set(secrets.filter((secret) => secret !== '').flatMap(formsOf))];
  forms.sort((a, b) => b.length - a.length);
  const shortest = forms.at(-1)?.length ?? 0;
  // Most texts of an answer are too short to hold any form: they are not searched.
  const replace: Replace = (text) =>
    text.length < shortest ? text : forms.reduce((rest, form) => rest.replaceAll(form, REDACTED), text);
  return (value) => (forms.length === 0 ? value : walk(value, replace));
}

/**
 * What of an opened credential is secret. Of custom properties we can't know: all of them. Of what else a token answer
 * held: what stands under a telling key.
 */
export function secretsOf(credential: Credential | undefined): string[] {
  switch (credential?.type) {
    case undefined:
      return [];
    case 'SECRET_TEXT':
      return [credential.secretText];
    case 'BASIC_AUTH':
      return [credential.password];
    case 'CUSTOM_AUTH':
      return stringsIn(credential.props);
    case 'OAUTH2':
    case 'PLATFORM_OAUTH2': {
      const telling = Object.entries(credential.data ?? {}).filter(([key]) => SENSITIVE_KEY.test(key));
      return [credential.accessToken, ...telling.flatMap(([, value]) => stringsIn(value))];
    }
    default:
      return credential satisfies never;
  }
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

/** What the run log may keep of an input: values under telling keys and of secret properties are hidden. */
export function hideSensitive(value: unknown, secretKeys: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => hideSensitive(item, NONE));
  if (typeof value !== 'object' || value === null) return value;
  const hidden = (key: string): boolean => secretKeys.has(key) || SENSITIVE_KEY.test(key);
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    hidden(key) ? REDACTED : hideSensitive(inner, NONE),
  ]);
  return Object.fromEntries(entries);
}

const NONE: ReadonlySet<string> = new Set();

/** At most 16 kB; of more, the beginning. */
export function cut(json: string): string {
  if (json.length <= LOG_LIMIT) return json;
  return JSON.stringify({ truncated: true, preview: cutText(json, LOG_LIMIT) });
}

function walk<T>(value: T, replace: Replace): T;
function walk(value: unknown, replace: Replace): unknown {
  if (typeof value === 'string') return replace(value);
  if (typeof value === 'number') return replace(String(value)) === String(value) ? value : REDACTED;
  if (Array.isArray(value)) return value.map((item) => walk(item, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [replace(key), walk(inner, replace)]));
}

function formsOf(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const texts = [secret, escaped, ...urlForms(secret)];
  // A file that quotes it in any of these is base64 here.
  return [...texts, ...texts.flatMap((text) => binaryForms(Buffer.from(text)))];
}

function binaryForms(bytes: Buffer): string[] {
  const hex = bytes.toString('hex');
  return [hex, hex.toUpperCase(), ...base64Forms(bytes)];
}

/** Encoders differ in what they leave as it is, in how they write a space, and in the case of the digits (RFC 3986 §2.1). */
function urlForms(secret: string): string[] {
  const encoded = encodeURIComponent(secret);
  const strict = encoded.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  const forms = [encoded, strict, form];
  return [...forms, ...forms.map((text) => text.replace(/%../g, (byte) => byte.toLowerCase()))];
}

/** The characters that depend on the secret alone, for each of its three positions in a base64 group. */
function base64Forms(bytes: Buffer): string[] {
  const inside = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const first = [0, 2, 3][offset]!;
    const partial = (offset + bytes.length) % 3 === 0 ? 0 : 1;
    return text.slice(first, text.length - partial);
  });
  const whole = inside.filter((form) => form.length >= 4);
  return [...whole, ...whole.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))];
}
