import { createSecretKey } from 'node:crypto';
import { type MasterKeys, readMasterKeys } from '../master-keys.js';

/** Returns master keys that are given in the text itself. */
export function plainKeys(text: string): MasterKeys {
  const entries = readMasterKeys(text);
  const byId = new Map(entries.map(({ id, given }) => [id, createSecretKey(given, 'base64')]));
  return { current: entries[0]!.id, byId };
}
