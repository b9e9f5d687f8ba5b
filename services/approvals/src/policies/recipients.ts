import { type JsonValue } from '@drawbridge/piece-kit';
import { toHost } from './hosts.js';
import { type PolicyCall } from './policy.js';
import { placeBelow } from './texts.js';

/** Somebody who receives something, or one of a policy's list: an email, `@domain` or an id. */
interface Recipient {
  /** An email in lower case, an id as it stands. */
  id: string;
  /** In lower case. */
  folded: string;
  /** `@acme.com`, of an email. */
  domain?: string;
}

/** Somebody's name, and who it is. */
const NAMED = /^[^<>]*<([^<>\s]+)>\s*$/;
/** What stands around an address, or in it, and changes nothing about who it is. */
const QUOTES = /["'`“”‘’«»()[\]\\]/g;
const MAILTO = /^mailto:/i;
/** An input that names more is not looked through to its end. */
const MAX_RECIPIENTS = 1_000;

export interface Recipients {
  recipients: readonly (Recipient & { path: string })[];
  /** Where each `folded` and `domain` was found first, of all that somebody may be read as. */
  places: ReadonlyMap<string, string>;
  areTooMany: boolean;
}

/** Everybody whom the fields name that the action marks: one each, or lists, with commas too. */
export function recipientsOf({ input, recipients: fields }: Pick<PolicyCall, 'input' | 'recipients'>): Recipients {
  const found = fields.flatMap((field) => (Object.hasOwn(input, field) ? named(input[field]!, field) : []));
  const parts = found.flatMap(({ text, path }) => partsOf(text).map((part) => ({ part, path })));
  const recipients: (Recipient & { path: string })[] = [];
  const places = new Map<string, string>();
  let looked = 0;
  for (const { part, path } of parts) {
    const readings = readingsOf(part);
    looked += readings.length;
    if (looked > MAX_RECIPIENTS) return { recipients, places, areTooMany: true };
    recipients.push({ ...toRecipient(part), path });
    const names = readings.map(toRecipient).flatMap(({ folded, domain = folded }) => [folded, domain]);
    for (const name of names) if (!places.has(name)) places.set(name, path);
  }
  return { recipients, places, areTooMany: false };
}

function named(value: JsonValue, path: string): { text: string; path: string }[] {
  if (typeof value === 'number' || typeof value === 'string') return [{ text: String(value), path }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    named(inner!, Array.isArray(value) ? `${path}[${key}]` : placeBelow(path, key)),
  );
}

/** `Ann <ann@acme.com>, bob@acme.com` names two. Of what is not written so each word may be whom it is sent to. */
function partsOf(text: string): string[] {
  return text.split(/[,;]/).flatMap((part) => {
    const named = NAMED.exec(part)?.[1];
    return named === undefined ? part.split(/[\s<>]/).filter((one) => one !== '') : [named];
  });
}

/** Allowed is who stands there alone; denied also who is read out of it: without quotes, and each whom a `mailto:` names. */
function readingsOf(part: string): string[] {
  const plain = part.replace(/%([0-7][0-9a-f])/gi, (_escape, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  const read = plain
    .replace(QUOTES, '')
    .replace(MAILTO, '')
    .split(/[?&=,;]/);
  return [...new Set([part, ...read])];
}

export function toRecipient(text: string): Recipient {
  const at = text.lastIndexOf('@');
  const host = at < 0 ? undefined : toHost(text.slice(at + 1));
  if (host === undefined) return { id: text, folded: text.toLowerCase() };
  const id = `${text.slice(0, at).toLowerCase()}@${host}`;
  return { id, folded: id, domain: `@${host}` };
}
