import { toHost } from '@drawbridge/contracts';
import { type JsonValue } from '@drawbridge/piece-kit';
import { type PolicyCall } from './policy.js';
import { type FoundText, placeBelow } from './read-input.js';

/** A recipient of a call, or an entry of a policy's list: an email address, `@domain` or an id. */
interface Recipient {
  /** An email address in lower case, or an unchanged id. */
  id: string;
  /** The value of `id` in lower case. */
  folded: string;
  /** The domain of an email address, such as `@acme.com`. */
  domain?: string;
}

const SEVERAL = /[,;<>\s]/;
/** Matches a display name and an address. */
const NAMED = /^[^<>]*<([^<>\s]+)>\s*$/;
/** Characters around or within an address that do not change the recipient. */
const QUOTES = /["'`“”‘’«»()[\]\\]/g;
const MAILTO = /^mailto:/i;
/** Matches a character that allows several interpretations of a string. A string without such a character is read only as written. */
const READ_OTHERWISE = new RegExp(`${QUOTES.source}|[%:?&=,;]`);
/** Maximum number of recipients of one call that rules read. */
const MAX_RECIPIENTS = 1_000;
/** Maximum length of one recipient, which is longer than any address and any usual `mailto:` URL. A longer string counts as too many recipients. */
const MAX_CHARACTERS = 4_000;
/** Matches one item of a separated list. The matches are read one by one, so that a field with only separators does not create a long list. */
const PIECE = /[^,;]+/g;
const WORD = /[^\s<>]+/g;

export interface Recipients {
  recipients: readonly (Recipient & { path: string })[];
  /** The path of the first occurrence of each `folded` and `domain`, for all interpretations of the strings. */
  places: ReadonlyMap<string, string>;
  areTooMany: boolean;
}

/** Returns all recipients in the fields that the action declares: single values and lists, including comma-separated strings. */
export function recipientsOf({ input, recipients: fields }: Pick<PolicyCall, 'input' | 'recipients'>): Recipients {
  const found: FoundText[] = [];
  for (const field of fields) if (Object.hasOwn(input, field)) collect(input[field], field, found);
  const recipients: (Recipient & { path: string })[] = [];
  const places = new Map<string, string>();
  let looked = 0;
  for (const { text, path } of found) {
    for (const part of partsOf(text)) {
      if (part.length > MAX_CHARACTERS) return { recipients, places, areTooMany: true };
      const asItStands = toRecipient(part);
      const read = READ_OTHERWISE.test(part) ? readingsOf(part).map(toRecipient) : [];
      looked += 1 + read.length;
      if (looked > MAX_RECIPIENTS) return { recipients, places, areTooMany: true };
      recipients.push({ ...asItStands, path });
      addPlaces(places, [asItStands, ...read], path);
    }
  }
  return { recipients, places, areTooMany: false };
}

function addPlaces(places: Map<string, string>, readings: Recipient[], path: string): void {
  for (const { folded, domain = folded } of readings)
    for (const name of [folded, domain]) if (!places.has(name)) places.set(name, path);
}

function collect(value: JsonValue | undefined, path: string, found: FoundText[]): void {
  if (typeof value === 'number' || typeof value === 'string') found.push({ text: String(value), path });
  else if (Array.isArray(value)) value.forEach((item, index) => collect(item, `${path}[${index}]`, found));
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) collect(inner, placeBelow(path, key), found);
  }
}

/** Splits a field into recipients. `Ann <ann@acme.com>, bob@acme.com` contains two. In any other format, each word can be a recipient. */
function* partsOf(text: string): Generator<string> {
  if (!SEVERAL.test(text)) {
    if (text !== '') yield text;
    return;
  }
  for (const [piece] of text.matchAll(PIECE)) {
    const named = NAMED.exec(piece)?.[1];
    if (named !== undefined) yield named;
    else for (const [word] of piece.matchAll(WORD)) yield word;
  }
}

/**
 * Returns other interpretations of a string: without quotes, and each address of a `mailto:` URL. Only denylists compare them. An allowlist must
 * contain the string as written.
 */
function readingsOf(part: string): string[] {
  const plain = part.replace(/%([0-7][0-9a-f])/gi, (_escape, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  const read = plain
    .replace(QUOTES, '')
    .replace(MAILTO, '')
    .split(/[?&=,;]/);
  return [...new Set(read)].filter((one) => one !== part);
}

export function toRecipient(text: string): Recipient {
  const at = text.lastIndexOf('@');
  const name = at < 0 ? '' : text.slice(at + 1);
  // A URL decodes `%` in a host, but an email address does not. A name with `%` is therefore not a host.
  const host = name.includes('%') ? undefined : toHost(name);
  if (host === undefined) return { id: text, folded: text.toLowerCase() };
  const id = `${text.slice(0, at).toLowerCase()}@${host}`;
  return { id, folded: id, domain: `@${host}` };
}
