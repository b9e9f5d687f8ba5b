import { createSecretKey } from 'node:crypto';
import { type MasterKeys, readMasterKeys } from '../master-keys.js';

/** Master keys that stand in the text themselves. */
export function plainKeys(text: string): MasterKeys {
  const entries = readMasterKeys(text);
  const byId = new Map(entries.map(({ id, given }) => [id, createSecretKey(given, 'base64')]));
  return { current: entries[0]!.id, byId };
}
