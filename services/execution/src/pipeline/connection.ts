import { ApiError } from '@drawbridge/contracts';
import { type Credential, type Piece } from '@drawbridge/piece-kit';
import { type Approved } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { type Instance, type Invocation } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import {
  type OpenConnectionRequest,
  type SelectConnectionRequest,
  type SelectedConnection as Selected,
} from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { type ExecuteActionRequest } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { detached } from '@drawbridge/rpc';
import { LRUCache } from 'lru-cache';
import { type CalledTool } from '../claims/idempotency-key.js';
import { redactor, type Redactor } from '../redaction/redactor.js';
import { secretsOf } from '../redaction/secrets-of.js';
import { type Pipeline } from './pipeline.js';

/** The fields of a call that select a connection. */
type Naming = Pick<ExecuteActionRequest, 'integrationName' | 'endUserId' | 'connectionExternalId'> & {
  workspaceId?: string;
};

/** The connection that a call uses, before it is opened. */
export type SelectedConnection = Required<Pick<Selected, 'connectionId'>> & Selected;

/** Selects the connection that a call uses. Returns undefined if the action runs without a connection. Throws the errors of the vault. */
export async function select(
  { vault }: Pick<Pipeline, 'vault'>,
  { request, invocation, tool }: { request: Naming; invocation: Invocation; tool?: CalledTool },
): Promise<SelectedConnection | undefined> {
  const asked = toSelection(request, invocation);
  if (!asked) return undefined;
  const { connectionId, ...selected } = await vault.selectConnection({ ...asked, ...givenTo(tool) });
  return connectionId === undefined ? undefined : { ...selected, connectionId };
}

/**
 * Treats a connection that an MCP tool names like a connection that is fixed in the integration: all end users share it, and the workspace must have
 * access to it.
 */
function givenTo({ connectionId }: Partial<CalledTool> = {}): Partial<SelectConnectionRequest> {
  return connectionId === undefined ? {} : { connectionStrategy: 'fixed', connectionId };
}

/** Builds the request to the vault. Returns undefined if the integration uses no connection and the request does not name one. */
export function toSelection(
  request: Naming,
  { connectionTypes, connectionRequired: required, instance }: Invocation,
): SelectConnectionRequest | undefined {
  const { integrationName, workspaceId, endUserId, connectionExternalId: externalId } = request;
  if (connectionTypes.length === 0 && externalId === undefined) return undefined;
  const { connectionStrategy, connectionId } = instance ?? {};
  return { integrationName, workspaceId, endUserId, externalId, connectionStrategy, connectionId, required };
}

/**
 * Builds the invocation of a piece in this process, without a request to the catalog. The configured integration must be known or not exist. The
 * input is not validated.
 */
export function invocationOf({ auth }: Piece, instance?: Instance): Invocation {
  const connectionTypes = [...(auth?.types ?? [])];
  return { instance, input: undefined, connectionTypes, connectionRequired: auth?.required ?? false };
}

/** The credential of a run and the redactor that removes it from outputs. Both are empty for a run without a connection. */
export interface OpenedCredential {
  connectionId?: string;
  /** The display name of the connection. */
  account?: string;
  /** A number that increases when the credential of the connection is replaced. */
  generation?: number;
  credential?: Credential;
  /** The version of the credential. It changes with each refresh and each replacement. */
  version?: string;
  /** True if the vault can renew the credential when the provider reports it as expired. */
  renewable?: boolean;
  redact: Redactor;
}

/** The workspace and the piece that use a credential. */
export interface Used {
  request: { workspaceId?: string };
  piece: Piece;
}

export const NOTHING = redactor([]);
/**
 * Time for which redactors are cached, in milliseconds. A redactor contains the credential in plain text, so it is cached no longer than the vault
 * caches an encrypted credential.
 */
const KEPT_MS = 1_000;
const MAX_BYTES = 32 * 1024 * 1024;

/** The timeout allows for a slow provider, because the vault refreshes an expired token before it returns the credential. */
const OPEN = { timeoutMs: 45_000 };

/**
 * Decrypts the credential for one run. With `asItIs`, an expired token is not refreshed, for callers that only redact. With `ending`, a connection
 * that was deleted a few seconds ago is also accepted, so that a trigger can end its subscription. Throws the errors of the vault.
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
 * Renews a credential that the provider reports as expired. Returns the new credential, with a redactor for the old and the new one. Throws the
 * errors of the vault. Throws CONNECTION_REQUIRED if the run has an approval and the connection was reconnected in the meantime, because an approval
 * covers one generation of the credential.
 */
export async function renew(
  { vault, redactorFor }: Pipeline,
  { request: { workspaceId }, piece }: Used,
  { connectionId = '', credential: old, version: before = '', generation: approved, approval }: Renewed,
): Promise<Required<Pick<OpenedCredential, 'credential' | 'version' | 'redact'>>> {
  const request = { connectionId, workspaceId, version: before };
  // A caller that disconnects after the claim does not cancel the run.
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

/**
 * Returns the redactor of a credential. `credential` is the cache key: the id of the connection and the version. `secrets` is called on a cache miss.
 */
export type RedactorFor = (credential: string, secrets: () => readonly string[]) => Redactor;

/** Caches redactors for a second, because building a redactor costs as much as redacting a response. */
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
