import { LRUCache } from 'lru-cache';
import { redactor, type Redactor } from './redactor.js';

/** It holds a credential in the clear: no longer than the vault keeps one encrypted. */
const KEPT_MS = 1_000;
const MAX_BYTES = 32 * 1024 * 1024;

/** The redactor of a credential; `credential` names it and its version, `secrets` is asked where none is kept. */
export type RedactorFor = (credential: string, secrets: () => readonly string[]) => Redactor;

/** Building one costs as much as reading an answer, so that those of a busy connection are built once a second. */
export function redactors(keptMs = KEPT_MS): RedactorFor {
  const kept = new LRUCache<string, Redactor>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
    ttl: keptMs,
    ttlAutopurge: true,
  });
  return (credential, secrets) => {
    const known = kept.get(credential);
    if (known) return known;
    const built = redactor(secrets());
    kept.set(credential, built);
    return built;
  };
}
