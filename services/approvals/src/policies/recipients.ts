import { type JsonValue } from '@drawbridge/piece-kit';
import { toHost } from './hosts.js';
import { type PolicyCall } from './policy.js';

export interface Recipient {
  /** As it is compared: an email in lower case, an id as it stands. */
  id: string;
  /** In lower case. */
  folded: string;
  /** `@acme.com`, of an email. */
  domain?: string;
  path: string;
}

/** Everybody whom the fields name that the action marks: one each, or lists, with commas too. */
export function recipientsOf({ input, recipients }: Pick<PolicyCall, 'input' | 'recipients'>): Recipient[] {
  return recipients.flatMap((field) => (Object.hasOwn(input, field) ? namedIn(input[field]!, field) : []));
}

function namedIn(value: JsonValue, path: string): Recipient[] {
  if (typeof value === 'number') return [{ ...toRecipient(String(value)), path }];
  if (typeof value === 'string') return partsOf(value).map((part) => ({ ...toRecipient(part), path }));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    namedIn(inner!, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`),
  );
}

/** `Ann <ann@acme.com>, bob@acme.com` names two. */
function partsOf(text: string): string[] {
  return text.split(/[,;]/).flatMap((part) => {
    const start = part.lastIndexOf('<');
    const end = part.indexOf('>', start);
    const named = start >= 0 && end > start ? part.slice(start + 1, end) : part;
    return named.split(/\s/).filter((one) => one !== '');
  });
}

/** A recipient, or one of a policy's list: an email, `@domain` or an id. */
export function toRecipient(text: string): Omit<Recipient, 'path'> {
  const at = text.lastIndexOf('@');
  const host = at < 0 ? undefined : toHost(text.slice(at + 1));
  if (host === undefined) return { id: text, folded: text.toLowerCase() };
  const id = `${text.slice(0, at).toLowerCase()}@${host}`;
  return { id, folded: id, domain: `@${host}` };
}
