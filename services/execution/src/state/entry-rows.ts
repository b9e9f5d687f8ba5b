import { type JsonObject, type JsonValue, type StateEntry } from '@drawbridge/piece-kit';

/** Matches entries that have not expired. */
export const LIVE = '(expires_at IS NULL OR expires_at > now())';
export const HEAD = 'key, seq::text, note, created_at, expires_at';

export interface EntryRow {
  key: string;
  seq: string;
  value?: JsonValue;
  note: JsonObject;
  created_at: Date;
  expires_at: Date | null;
}

export function toEntry({ key, value, note, created_at: createdAt, expires_at: expiresAt }: EntryRow): StateEntry {
  const times = { createdAt: createdAt.toISOString(), expiresAt: expiresAt?.toISOString() ?? null };
  return { key, ...(value !== undefined && { value }), note, ...times };
}
