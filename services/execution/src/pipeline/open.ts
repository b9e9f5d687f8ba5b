import { type Credential } from '@drawbridge/piece-kit';
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
