import { createHash, randomUUID } from 'node:crypto';
import { ApiError } from '@drawbridge/contracts';
import { type Action, inputSchema, isEnabled, type JsonSchema, type Piece, type Property } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';
import {
  type AskedTool,
  ToolDescription,
  type ToolServiceDefinition,
} from '@drawbridge/proto/drawbridge/catalog/v1/tools';
import { caller, type Implementation } from '@drawbridge/rpc';
import { configuredIn, type ConfiguredInstance, defaultInstance } from './configured-instances.js';
import { type Parts } from './parts.js';
import {
  formSchema,
  mergeInput,
  type PartialHead,
  type PartialInput,
  pickPartials,
  within,
} from './partials/apply-partials.js';

type Needs = Pick<Parts, 'requireWorkspace' | 'instances' | 'partials'>;

/** Part of the tag. After a deployment the pieces may differ, so a tag of another process must not match. */
const PROCESS = randomUUID();

/**
 * Describes actions to agents. A list can have hundreds of entries, is requested often and rarely changes, so a client first sends only the tag of
 * the descriptions that it has. The tag changes with each change of the workspace's configured integrations and partials.
 */
export function tools({ requireWorkspace, instances, partials }: Needs): Implementation<ToolServiceDefinition> {
  return {
    async describeTools({ workspaceId, tools: asked, knownTag, isFresh }) {
      const { orgId } = caller();
      const configured = await configuredIn(instances, workspaceId, requireWorkspace, { isFresh });
      const tag = `${PROCESS} ${instances.versionOf(configured)}`;
      if (tag === knownTag) return { tag, isUnchanged: true, tools: [] };
      const described = asked.map((tool) => describe({ orgId, partials }, meantBy(configured, tool)));
      return { tag, isUnchanged: false, tools: await Promise.all(described) };
    },
  };
}

/** The action and the partials that a call of a tool resolves to. */
interface MeantTool {
  asked: AskedTool;
  /** Absent if the tool cannot be called. */
  code?: { piece: Piece; action: Action };
  /** Absent if the workspace did not configure the integration, or the call does not select one of several. */
  configured?: ConfiguredInstance;
  /** The partials that apply. */
  heads: PartialHead[];
}

function meantBy(configured: readonly ConfiguredInstance[], asked: AskedTool): MeantTool {
  const { integrationName, actionName, workspaceIntegrationId: id, partialIds } = asked;
  const piece = findPiece(integrationName);
  const action = piece && Object.hasOwn(piece.actions, actionName) ? piece.actions[actionName] : undefined;
  const instance = id ? configured.find((one) => one.instance.id === id) : defaultInstance(configured, integrationName);
  const isOffered = action && (instance || id === undefined) && isEnabled(action, actionName, instance?.enabledActions);
  const heads = instance ? applying(instance.partials, actionName, partialIds) : [];
  return { asked, configured: instance, heads, ...(piece && action && isOffered && { code: { piece, action } }) };
}

/**
 * Returns the partials that apply to a tool, or none if a requested partial was deleted. The tool is then described without partials, and a call of
 * the tool fails with an error that contains the id of the deleted partial.
 */
function applying(
  heads: readonly PartialHead[],
  actionName: string,
  ids: readonly string[] | undefined,
): PartialHead[] {
  try {
    return pickPartials(heads, { actionName }, ids);
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
}

const versionsOf = (heads: readonly PartialHead[]): string[] => heads.map(({ id, updatedAt }) => id + updatedAt);

/**
 * Returns a hash of the versions of partials. Unlike the tag of the descriptions, it is equal in every process, because clients compare hashes from
 * different processes.
 */
const partialsTag = (heads: readonly PartialHead[]): string =>
  createHash('sha256')
    .update(JSON.stringify(versionsOf(heads)))
    .digest('base64url');

const UNKNOWN = ToolDescription.create({ inputSchemaJson: '{}', effect: 'destructive', reachesOutside: true });

async function describe(
  { orgId, partials }: Pick<Needs, 'partials'> & { orgId: string },
  { asked, code, heads, configured }: MeantTool,
): Promise<ToolDescription> {
  if (!code) return UNKNOWN;
  const { piece, action } = code;
  const partialIds = heads.map(({ id }) => id);
  const applied = await partials({ orgId, heads, operation: { actionName: asked.actionName }, partialIds });
  const said = applied.map((partial) => within(action.props, partial));
  const schema = withDefaults(formSchema(inputSchema(action.props), said), asked.defaultKeys);
  const keys = Object.keys(schema.properties ?? {});
  const named = (is: (property: Property) => boolean): string[] => keys.filter((key) => is(action.props[key]!));
  return {
    isCallable: true,
    integrationDisplayName: piece.displayName,
    displayName: action.displayName,
    description: action.description,
    inputSchemaJson: JSON.stringify(schema),
    effect: action.effect,
    category: action.category,
    connectionStrategy: configured?.instance.connectionStrategy,
    connectionId: configured?.instance.connectionId,
    defaultedKeys: defaultedKeys(keys, said, asked.defaultKeys),
    partialsTag: partialsTag(heads),
    adds: action.adds,
    idempotent: action.idempotent,
    reachesOutside: piece.auth !== undefined,
    optionProperties: named(({ loadOptions }) => loadOptions !== undefined),
    dynamicProperties: named(({ loadProps }) => loadProps !== undefined),
    takesFiles: named(({ type }) => type === 'FILE').length > 0,
  };
}

/** Returns the keys, in the order of the schema, that have a value even if a call omits them. */
export function defaultedKeys(
  keys: readonly string[],
  partials: readonly PartialInput[],
  defaultKeys: readonly string[],
): string[] {
  const values = mergeInput(partials, {});
  return keys.filter((key) => Object.hasOwn(values, key) || defaultKeys.includes(key));
}

function withDefaults({ required = [], ...schema }: JsonSchema, keys: readonly string[]): JsonSchema {
  return { ...schema, required: required.filter((key) => !keys.includes(key)) };
}
