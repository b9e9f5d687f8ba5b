import type { JsonValue } from './json.js';
import { member } from './member.js';

interface Registered {
  /** All webhooks at the provider, each with an `id`. */
  listed: AsyncIterable<JsonValue>;
  /** The path of the address in a webhook. */
  urlAt: readonly string[];
  remove(id: string): Promise<void>;
}

/**
 * Removes the webhooks that earlier attempts left at `webhookUrl`. Otherwise each event would arrive twice. Reads the whole list first,
 * because a removal would shift its pages. Throws as `listed` and `remove` do.
 */
export async function removeWebhooksAt(webhookUrl: string, { listed, urlAt, remove }: Registered): Promise<void> {
  const ids: string[] = [];
  for await (const webhook of listed) {
    const id = member(webhook, 'id');
    if (id && member(webhook, ...urlAt) === webhookUrl) ids.push(String(id));
  }
  for (const id of ids) await remove(id);
}
