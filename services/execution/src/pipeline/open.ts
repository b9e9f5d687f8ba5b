import { ApiError } from '@drawbridge/contracts';
import { type Credential, type Piece } from '@drawbridge/piece-kit';
import { type Approved } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { type OpenConnectionRequest } from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { detached } from '@drawbridge/rpc';
import { LRUCache } from 'lru-cache';
import { redactor, type Redactor } from '../redaction/redactor.js';
import { secretsOf } from '../redaction/secrets-of.js';
import { type Pipeline } from './pipeline.js';

/** The credential of a run, with what takes it out of all that comes of it; without a connection there is none. */
export interface OpenedCredential {
  connectionId?: string;
  /** What the connection is called. */
  account?: string;
  /** Grows when the credential of the connection is replaced. */
  generation?: number;
  credential?: Credential;
  /** Of the credential. */
  version?: string;
  /** Whether the vault can fetch another one where the provider takes this for ended. */
  renewable?: boolean;
  redact: Redactor;
}

/** Where a credential is used, and by what. */
export interface Used {
  request: { workspaceId?: string };
  piece: Piece;
}

export const NOTHING = redactor([]);
/** A redactor holds a credential in the clear: no longer than the vault keeps one encrypted. */
const KEPT_MS = 1_000;
const MAX_BYTES = 32 * 1024 * 1024;

/** A token that has ended is refreshed first, at a provider that may take its time. */
const OPEN = { timeoutMs: 45_000 };

/**
 * Decrypted for this run; `asItIs`: to be known alone, so that nothing is refreshed; `ending`: also where it was deleted seconds ago. Fails as the
 * vault does.
 */
export async function open(
  { vault, redactorFor }: Pick<Pipeline, 'vault' | 'redactorFor'>,
  { request: { workspaceId }, piece }: Used,
  connectionId?: string,
  how: Pick<OpenConnectionRequest, 'asItIs' | 'ending'> = {},
): Promise<OpenedCredential> {
  if (connectionId === undefined) return { redact: NOTHING };
  const asked = { connectionId, workspaceId, ...how };
  const { type, credentialJson, version, renewable, ...opened } = await vault.openConnection(asked, OPEN);
  const { displayName: account, generation } = opened;
  const credential = { type, ...JSON.parse(credentialJson) } as Credential;
  const redact = redactorFor(`${connectionId} ${version}`, () => secretsOf(credential, piece.auth?.props));
  return { connectionId, account, generation, credential, version, renewable, redact };
}

type Renewed = OpenedCredential & { approval?: Approved };

/**
 * Another credential for one that the provider took for ended, with what takes both out of what comes of the run. Fails as the vault
 * does, and with CONNECTION_REQUIRED where the run has an approval and the connection was reconnected meanwhile: an approval covers one
 * generation of the credential.
 */
export async function renew(
  { vault, redactorFor }: Pipeline,
  { request: { workspaceId }, piece }: Used,
  { connectionId = '', credential: old, version: before = '', generation: approved, approval }: Renewed,
): Promise<Required<Pick<OpenedCredential, 'credential' | 'version' | 'redact'>>> {
  const request = { connectionId, workspaceId, version: before };
  // From the claim on no caller that hangs up ends what a run does.
  const secret = detached(() => vault.renewConnection(request, OPEN), OPEN.timeoutMs);
  const { type, credentialJson, version, generation } = await secret;
  if (approval && generation !== approved)
    throw new ApiError('CONNECTION_REQUIRED', 'The connection was reconnected while the action ran');
  const credential = { type, ...JSON.parse(credentialJson) } as Credential;
  const redact = redactorFor(`${connectionId} ${before} ${version}`, () =>
    [old, credential].flatMap((one) => (one ? secretsOf(one, piece.auth?.props) : [])),
  );
  return { credential, version, redact };
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
