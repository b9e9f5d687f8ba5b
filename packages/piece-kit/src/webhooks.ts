import { createHmac, timingSafeEqual } from 'node:crypto';
import { member, scalarAt } from './answer.js';
import { type Http } from './http.js';
import { type JsonObject, type JsonValue } from './json.js';
import { ProviderError } from './provider-error.js';
import { type Registration, type TriggerContext } from './trigger.js';

export interface Signed {
  algorithm: 'sha1' | 'sha256' | 'sha512';
  secret: string | Uint8Array;
  /** The signed parts in order. Bodies must be bytes. */
  content: readonly (string | Uint8Array)[];
  /** The signatures of the request. One valid signature is enough, because providers send several during the rotation of a secret. */
  signature: string | readonly string[] | undefined;
  encoding: 'hex' | 'base64' | 'base64url';
  /** The prefix of the signature, as in `sha256=…`. */
  prefix?: string;
}

/** Returns whether a request is signed with the secret (HMAC, RFC 2104), in constant time. Returns false for an empty secret. */
export function isSigned({ algorithm, secret, content, signature = [], encoding, prefix = '' }: Signed): boolean {
  if (secret.length === 0) return false;
  const hmac = createHmac(algorithm, secret);
  for (const part of content) hmac.update(part);
  const expected = prefix + hmac.digest(encoding);
  return [signature].flat().some((given) => isSameText(given, expected));
}

/** Compares in constant time if both strings have the same length. The length is not secret. */
export function isSameText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Returns whether a signed time (seconds since 1970) is within this distance of `now`. An older request may be a replay. */
export function isRecent(seconds: string | number | undefined, now: number, withinSeconds: number): boolean {
  const at = /^\d{1,12}$/.test(String(seconds)) ? Number(seconds) * 1000 : NaN;
  return Math.abs(now - at) <= withinSeconds * 1000;
}

interface Registered {
  /** All webhooks at the provider, each with an `id`. */
  listed: AsyncIterable<JsonValue>;
  /** The path of the URL in an item of `listed`. */
  urlAt: readonly string[];
  remove(id: string): Promise<void>;
}

/**
 * Removes the webhooks that earlier attempts created for `webhookUrl`, because otherwise each event would arrive twice. Reads the whole list first,
 * because a removal would shift its pages. Throws as `listed` and `remove` do.
 */
export async function removeWebhooksAt(webhookUrl: string, { listed, urlAt, remove }: Registered): Promise<void> {
  const ids: string[] = [];
  for await (const webhook of listed) {
    const id = scalarAt(webhook, 'id');
    if (id !== undefined && member(webhook, ...urlAt) === webhookUrl) ids.push(id);
  }
  for (const id of ids) await remove(id);
}

/** Deletes a resource. A 404 and a 410 count as success, because a user may have deleted the resource at the provider. */
export async function deleteIfThere(http: Http, path: string): Promise<void> {
  await http.request({ method: 'DELETE', path }).catch((error: unknown) => {
    if (!(error instanceof ProviderError) || (error.status !== 404 && error.status !== 410)) throw error;
  });
}

interface Subscribed<Input> {
  /** Lists the webhooks at the provider, each with an `id`. */
  list(context: TriggerContext<Input>): AsyncIterable<JsonValue>;
  /** The path of the URL in a listed webhook. Default: `url`. */
  urlAt?: readonly string[];
  /**
   * Creates the webhook. The state of the registration contains its `id`. If it contains none, `disable` finds the webhook in the list by its URL.
   */
  create(context: Enabled<Input>): Promise<Registration>;
  /** Removes the webhook with an id. It must succeed if the webhook does not exist, as `deleteIfThere` does. */
  remove(context: TriggerContext<Input>, id: string): Promise<void>;
}

type Enabled<Input> = TriggerContext<Input> & { webhookUrl: string; secret: string };

/**
 * Returns `enable` and `disable` of a webhook trigger with one subscription at the provider. `enable` first removes the webhooks that earlier
 * attempts created.
 */
export function oneSubscription<Input>({ list, urlAt = ['url'], create, remove }: Subscribed<Input>) {
  const removeAll = (context: Enabled<Input>): Promise<void> =>
    removeWebhooksAt(context.webhookUrl, { listed: list(context), urlAt, remove: (id) => remove(context, id) });
  return {
    async enable(context: Enabled<Input>): Promise<Registration> {
      await removeAll(context);
      return create(context);
    },
    async disable(context: Enabled<Input> & { state: JsonObject }): Promise<void> {
      const id = scalarAt(context.state, 'id');
      // The state that an earlier version of a piece stored may contain no id.
      return id === undefined ? removeAll(context) : remove(context, id);
    },
  };
}
