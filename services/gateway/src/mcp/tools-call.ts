import { ApiError, invalid } from '@drawbridge/contracts';
import { type Clients, LOOKUP } from '../clients.js';
import { bodyTooLarge } from '../http/read-body.js';
import { WITHOUT_FILES_BYTES } from '../rest/require-files.js';
import { againOf, asTool, type CallTool, toRequest } from './call-tool.js';
import { SEARCH } from './code/code-tools.js';
import { type AgentCall, codeToolsCall } from './code/code-tools-call.js';
import { CALL, findTools, isSearched, toCalled } from './find-tools.js';
import { CONTINUE, OPTIONS } from './listed-tool.js';
import { isObject, type JsonObject, RPC_CODES, RpcError } from './protocol/message.js';
import { type Era } from './protocol/revisions.js';
import { type Elicited, elicitedBy, type InputRequired, type ToolResult, toResult, toToolError } from './results.js';
import { type OfferedTool, type SurfaceOf } from './tool-list.js';

/** The field of `_meta` in which clients send an idempotency key. A model cannot set `_meta`: it sends the key as an argument of `svc_continue`. */
const KEY_META = 'svc/idempotencyKey';
const MAX_KEY = 255;

interface Call extends AgentCall {
  params: JsonObject;
  era: Era;
}

interface Needs extends Pick<Clients, 'properties' | 'codeRuns'> {
  surfaceOf: SurfaceOf;
  callTool: CallTool;
}

/** Serves `tools/call`. Throws RpcError for an unknown tool. Returns invalid arguments as a result. */
export async function toolsCall(needs: Needs, call: Call): Promise<ToolResult | InputRequired> {
  const { agent, params, era } = call;
  const { name, arguments: given = {} } = params;
  if (typeof name !== 'string') throw invalidParams('params.name must be a string');
  if (!isObject(given)) throw invalidParams('params.arguments must be an object');
  const elicited = elicitedBy(params, era.mayElicitUrl);
  if (elicited.isDeclined)
    return toToolError(new ApiError('FORBIDDEN', 'The user declined. The action was not executed'));
  if (agent.door.mode === 'CODE') return codeToolsCall(needs, { ...call, name, given, elicited });
  const { tools } = await needs.surfaceOf(agent);
  const run = (tool: OfferedTool, args: JsonObject): Promise<ToolResult | InputRequired> => {
    requireFits(call, tool);
    const idempotencyKey = elicited.requestState ?? keyOf(params);
    return needs.callTool({ ...call, tool, arguments: args, idempotencyKey, offset: 0, elicited });
  };
  if (name === CONTINUE) return asTool(() => continued(needs, { ...call, tools, given, elicited }));
  if (name === OPTIONS) return asTool(() => optionsOf(needs, { ...call, tools, given, offset: 0 }));
  if (isSearched(agent.door) && name === SEARCH) return asTool(() => findTools({ tools }, given));
  if (isSearched(agent.door) && name === CALL) return asTool(async () => run(...toCalled({ tools }, given)));
  const tool = tools.get(name);
  if (!tool) throw invalidParams(`Unknown tool: ${name.slice(0, 200)}`);
  return run(tool, given);
}

/** Throws VALIDATION_ERROR (413) for a large body, unless the tool takes files. */
function requireFits({ isLarge }: Call, { described }: OfferedTool): void {
  if (isLarge && !described.takesFiles) throw bodyTooLarge(WITHOUT_FILES_BYTES);
}

type Tools = ReadonlyMap<string, OfferedTool>;
type OwnCall = Call & { tools: Tools; given: JsonObject };

function continued(needs: Needs, call: OwnCall & { elicited: Elicited }): Promise<ToolResult | InputRequired> {
  const { tools, given, elicited } = call;
  const { tool, arguments: repeated, idempotencyKey, offset = 0 } = given;
  const found = tool === OPTIONS ? undefined : requireTool(tools, tool);
  if (found) requireFits(call, found);
  const problems = {
    ...(!isObject(repeated) && { arguments: 'must be the object that was sent before' }),
    ...(!isKey(idempotencyKey) && { idempotencyKey: `must be a string of 1 to ${MAX_KEY} characters` }),
    // Without its idempotency key, an action that changes something would run a second time.
    ...(found &&
      isLost(found, idempotencyKey) && { idempotencyKey: 'is required: send the idempotencyKey of the result' }),
    ...(!isOffset(offset) && { offset: 'must be a whole number of at least 0' }),
  };
  if (Object.keys(problems).length > 0) throw invalid(problems);
  if (!found) return optionsOf(needs, { ...call, given: repeated as JsonObject, offset: offset as number });
  const key = elicited.requestState ?? (idempotencyKey as string | undefined);
  return needs.callTool({
    ...{ ...call, tool: found, arguments: repeated as JsonObject },
    ...{ idempotencyKey: key, offset: offset as number, elicited },
  });
}

/**
 * Lists the values for an argument, like the REST endpoints that list them for a form. Requests the values again for each part of a long result. Throws
 * VALIDATION_ERROR (413) for a large body, even if the tool takes files, because the REST endpoints have the same limit.
 */
async function optionsOf(
  { properties }: Needs,
  { agent, tools, given, offset, isLarge }: OwnCall & { offset: number },
): Promise<ToolResult> {
  if (isLarge) throw bodyTooLarge(WITHOUT_FILES_BYTES);
  const { tool: name, argument, arguments: known = {}, search } = given;
  const tool = requireTool(tools, name);
  const problems = {
    ...(typeof argument !== 'string' && { argument: 'must be the name of an argument' }),
    ...(!isObject(known) && { arguments: 'must be an object' }),
    ...(search !== undefined &&
      (typeof search !== 'string' || search.length > 200) && { search: 'must be a string of at most 200 characters' }),
  };
  if (Object.keys(problems).length > 0) throw invalid(problems);
  const propertyName = argument as string;
  const { call, ...its } = toRequest({ agent, tool, arguments: known as JsonObject });
  const { optionProperties, dynamicProperties, integrationDisplayName: from } = tool.described;
  const form = { ...call, propertyName };
  const searched = { ...form, searchValue: search as string | undefined };
  const found = optionProperties.includes(propertyName)
    ? await properties.resolveToolOptions({ ...its, form: searched }, LOOKUP)
    : dynamicProperties.includes(propertyName)
      ? await properties.resolveToolProperties({ ...its, form }, LOOKUP)
      : noOptions(tool, propertyName);
  const again = againOf({ tool: { name: OPTIONS }, arguments: given });
  return toResult({ tool: OPTIONS, from, outputJson: JSON.stringify(found), offset, again });
}

function noOptions({ described }: OfferedTool, argument: string): never {
  const known = [...described.optionProperties, ...described.dynamicProperties];
  const have =
    known.length > 0 ? `the arguments with options are ${known.join(', ')}` : 'no argument of this tool has options';
  throw invalid({ argument: `${argument} has no options; ${have}` });
}

function requireTool(tools: Tools, name: unknown): OfferedTool {
  const tool = typeof name === 'string' ? tools.get(name) : undefined;
  if (!tool) throw invalid({ tool: 'must be the name of another tool of this server' });
  return tool;
}

function keyOf({ _meta: meta }: JsonObject): string | undefined {
  const key = isObject(meta) ? meta[KEY_META] : undefined;
  if (!isKey(key)) throw invalidParams(`params._meta.${KEY_META} must be a string of 1 to ${MAX_KEY} characters`);
  return key as string | undefined;
}

function isKey(key: unknown): boolean {
  return key === undefined || (typeof key === 'string' && key !== '' && [...key].length <= MAX_KEY);
}

const isLost = ({ described }: OfferedTool, key: unknown): boolean => key === undefined && described.effect !== 'read';

const isOffset = (offset: unknown): boolean => Number.isSafeInteger(offset) && (offset as number) >= 0;

function invalidParams(message: string): RpcError {
  return new RpcError(RPC_CODES.invalidParams, message);
}
