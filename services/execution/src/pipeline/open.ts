import { type Credential } from '@drawbridge/piece-kit';
import { LRUCache } from 'lru-cache';
import { redactor, type Redactor } from '../redaction/redactor.js';
import { secretsOf } from '../redaction/secrets-of.js';
import { type ActionCall, type Pipeline } from './pipeline.js';
import { type ResolvedCall } from './resolve.js';

/** The credential of a run, with what takes it out of all that comes of it; without a connection there is none. */
export interface OpenedCredential {
  connectionId?: string;
  credential?: Credential;
  /** Of the credential. */
  version?: string;
  redact: Redactor;
}

const NOTHING = redactor([]);
/** A redactor holds a credential in the clear: no longer than the vault keeps one encrypted. */
const KEPT_MS = 1_000;
const MAX_BYTES = 32 * 1024 * 1024;

/** Decrypted for this run. Fails as the vault does. */
export async function open(
  { vault, redactorFor }: Pipeline,
  { request: { workspaceId }, piece }: Pick<ActionCall & ResolvedCall, 'request' | 'piece'>,
  connectionId?: string,
): Promise<OpenedCredential> {
  if (connectionId === undefined) return { redact: NOTHING };
  const { type, credentialJson, version } = await vault.openConnection({ connectionId, workspaceId });
  const credential = { type, ...JSON.parse(credentialJson) } as Credential;
  const redact = redactorFor(`${connectionId} ${version}`, () => secretsOf(credential, piece.auth?.props));
  return { connectionId, credential, version, redact };
}

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
