import { type JsonObject } from '@drawbridge/piece-kit';

/** Returns the form of a message. Slack expects a layout as JSON in one field. */
export function messageForm({ blocks, ...form }: JsonObject): JsonObject {
  return { ...form, ...(blocks && { blocks: JSON.stringify(blocks) }) };
}
