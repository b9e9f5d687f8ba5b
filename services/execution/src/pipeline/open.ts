import { type Credential } from '@drawbridge/piece-kit';
import { redactor, type Redactor } from '../redaction/redactor.js';
import { secretsOf } from '../redaction/secrets-of.js';
import { type Pipeline } from './pipeline.js';
import { type Resolved } from './resolve.js';

/** The credential of a run, with what takes it out of all that comes of it; without a connection there is none. */
export interface Opened {
  connectionId?: string;
  credential?: Credential;
  /** Of the credential. */
  version?: string;
  redact: Redactor;
}

/** Decrypted for this run. Fails as the vault does. */
export async function open({ vault }: Pipeline, { piece }: Resolved, connectionId?: string): Promise<Opened> {
  if (connectionId === undefined) return { redact: redactor([]) };
  const { type, credentialJson, version } = await vault.openConnection({ connectionId });
  const credential = { type, ...JSON.parse(credentialJson) } as Credential;
  return { connectionId, credential, version, redact: redactor(secretsOf(credential, piece.auth?.props)) };
}
