import { choices, MAX_PROBLEMS } from '@drawbridge/contracts';
import { type Piece } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';
import { type Connection } from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { type Check, compileCheck, type Problems } from './problems.js';

/** A requested configuration of an integration in a workspace. Unchanged fields are absent and not validated again. */
export interface RequestedConfiguration {
  workspaceId: string;
  integrationName: string;
  /** The resulting strategy and connection, if the request sets one of them. */
  connection?: { connectionStrategy: string; connectionId?: string | null };
  enabledActions?: readonly unknown[];
  settings?: object;
}

/** Returns the problems of a workspace integration. `known` contains the requested connection, if it belongs to the organization. */
export function configurationProblems(
  wanted: RequestedConfiguration,
  known: ReadonlyMap<string, Connection>,
): Problems {
  const piece = findPiece(wanted.integrationName);
  const name = wanted.integrationName;
  const ofPiece = piece ? pieceProblems(piece, wanted, known) : { integrationName: `${name} is not in the catalog` };
  return { ...ofPiece, ...(wanted.settings && settingsProblems(wanted.settings)) };
}

function pieceProblems(piece: Piece, wanted: RequestedConfiguration, known: ReadonlyMap<string, Connection>): Problems {
  const { workspaceId, connection } = wanted;
  const given = connection?.connectionId;
  const connectionId =
    missingConnection(piece, wanted) ??
    (given ? unusableConnection(piece, { workspaceId, connectionId: given }, known) : undefined);
  return { ...(connectionId && { connectionId }), ...actionProblems(piece, wanted.enabledActions ?? []) };
}

function missingConnection({ name, auth }: Piece, { connection }: RequestedConfiguration): string | undefined {
  if (!connection || connection.connectionId) return undefined;
  const needed = auth?.required && connection.connectionStrategy !== 'per_user';
  return needed ? `is required: ${name} with strategy ${connection.connectionStrategy} needs a connection` : undefined;
}

/** Returns why the whole workspace cannot use a connection with this piece. `known` contains connections of the organization. */
export function unusableConnection(
  { name }: Piece,
  { workspaceId, connectionId }: { workspaceId: string; connectionId: string },
  known: ReadonlyMap<string, Connection>,
): string | undefined {
  const found = known.get(connectionId.toLowerCase());
  if (!found) return `connection ${connectionId} not found`;
  if (found.integrationName !== name) return `is a connection of ${found.integrationName}, not of ${name}`;
  if (found.scope === 'ORGANIZATION') return undefined;
  if (found.scope === 'WORKSPACE' && found.workspaceId === workspaceId.toLowerCase()) return undefined;
  return 'must have scope ORGANIZATION, or WORKSPACE in this workspace';
}

function actionProblems({ name, actions }: Piece, enabled: readonly unknown[]): Problems {
  const known = Object.keys(actions);
  const unknown = [...enabled.entries()].filter(([, action]) => !known.includes(String(action)));
  // Builds at most MAX_PROBLEMS messages. Each message searches all known actions for similar names, and an error response contains no more problems.
  const named = unknown.slice(0, MAX_PROBLEMS).map(([index, action]) => {
    return [`enabledActions[${index}]`, `${name} has no such action.${choices(String(action), known)}`];
  });
  return Object.fromEntries(named);
}

const NEEDED_WHEN_EXTERNAL = { type: 'string', minLength: 1, maxLength: 255 };

const ADVANCED_CODE = {
  type: 'object',
  properties: {
    timeoutSeconds: { type: 'number', minimum: 1, maximum: 300 },
    sandboxPersistence: { enum: ['ephemeral', 'persistent'] },
    storageMountScope: { enum: ['none', 'end_user', 'workspace', 'external'] },
    storageExternalId: NEEDED_WHEN_EXTERNAL,
    network: { type: 'boolean' },
  },
  additionalProperties: false,
  if: { properties: { storageMountScope: { const: 'external' } }, required: ['storageMountScope'] },
  then: { required: ['storageExternalId'] },
};

const PERSISTENCE = {
  type: 'object',
  properties: {
    scope: { enum: ['end_user', 'workspace', 'external'] },
    externalId: NEEDED_WHEN_EXTERNAL,
  },
  additionalProperties: false,
  if: { properties: { scope: { const: 'external' } }, required: ['scope'] },
  then: { required: ['externalId'] },
};

/**
 * The settings of the `code` integration. `fetch` allows the code to send HTTP requests. The API contract does not define `fetch`, so it is validated
 * here.
 */
const CODE = { type: 'object', properties: { fetch: { type: 'boolean' } }, additionalProperties: false };

const SETTINGS = {
  type: 'object',
  properties: { advancedCode: ADVANCED_CODE, code: CODE, persistence: PERSISTENCE },
};

/** Maximum size of the settings in bytes of JSON, because the list of a workspace contains the settings of all its integrations. */
const MAX_BYTES = 16 * 1024;

let check: Check | undefined;

/**
 * Returns the problems of the settings of a configured integration. Validates only the groups that Drawbridge reads, because all other keys belong to
 * the customer.
 */
export function settingsProblems(settings: object): Problems {
  const bytes = Buffer.byteLength(JSON.stringify(settings));
  if (bytes > MAX_BYTES) return { settings: `must be at most ${MAX_BYTES} bytes as JSON (got ${bytes})` };
  check ??= compileCheck(SETTINGS, 'settings');
  return check(settings);
}
