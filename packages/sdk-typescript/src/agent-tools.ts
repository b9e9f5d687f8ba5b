import { type ActionCall } from './actions.js';
import { type ApprovalOptions } from './approvals.js';
import { ApprovedCalls } from './approved-calls.js';
import { type Drawbridge } from './client.js';
import { type Catalog as BuiltIn } from './gen/catalog.js';
import { readCatalog } from './generate.js';
import { type CatalogAction, type CatalogSchemas, type JsonSchema } from './json-schema.js';
import { approvalText, errorText } from './tool-texts.js';

/** The name of an action, `github.create_issue`, or `github.*` for all actions of an integration. The compiler checks it against the `Catalog`. */
export type ActionPattern<Catalog = BuiltIn> = {
  [Integration in keyof Catalog & string]: `${Integration}.${(keyof Catalog[Integration] & string) | '*'}`;
}[keyof Catalog & string];

/**
 * The actions that an agent may call, and the workspace, end user and connection of every call, as `client.actions.execute` takes them. To use a
 * selector of one integration, such as `integrationAlias`, call the function once for each integration and join the tools.
 */
export interface ToolOptions<Catalog = BuiltIn>
  extends
    Omit<ActionCall, 'integrationName' | 'actionName' | 'input' | 'idempotencyKey'>,
    Pick<ApprovalOptions, 'onApprovalRequired' | 'pollMs'> {
  actions: readonly ActionPattern<Catalog>[];
  /**
   * `return` (the default) gives the model a text with the link of the approval. The same call runs after the approval. `wait` waits for the
   * decision before it returns.
   */
  onApproval?: 'wait' | 'return';
}

/** An action as a tool of any framework. */
export interface AgentTool {
  /** The name for the model: at most 64 letters, digits and underscores, unique among the returned tools. */
  name: string;
  description: string;
  /** Describes the input, which is an object. */
  schema: JsonSchema;
  /**
   * Runs the action. Returns its output, or a text for the model if it did not run or failed. Throws any error that the model cannot act on: of the
   * key, the configuration, the connection or the service.
   */
  call(input: object, signal?: AbortSignal): Promise<unknown>;
}

const MAX_NAME = 64;

/** Returns the actions that `actions` names as tools. Rejects with TypeError if the instance does not have one of them. */
export async function agentTools<Catalog>(
  client: Drawbridge<Catalog>,
  { actions, ...how }: ToolOptions<Catalog>,
): Promise<AgentTool[]> {
  const integrations = [...new Set(actions.map((pattern) => pattern.split('.', 1)[0]!))];
  const names = new Set<string>();
  return choose(await readCatalog(client, { integrations }), actions).map(({ integration, action, ...described }) => {
    const name = newName(`${integration}_${action}`, names);
    const target = { integrationName: integration, actionName: action };
    return { ...described, name, call: caller(client, { name, target, how }) };
  });
}

interface Chosen extends CatalogAction {
  integration: string;
  action: string;
}

function choose(catalog: CatalogSchemas, patterns: readonly string[]): Chosen[] {
  const chosen = new Map<string, Chosen>();
  for (const pattern of patterns) {
    const [integration = '', ...rest] = pattern.split('.');
    const wanted = rest.join('.');
    const { actions, displayName } = catalog[integration]!;
    const found = Object.keys(actions).filter((action) => wanted === '*' || wanted === action);
    if (found.length === 0)
      throw new TypeError(`actions: the instance has no action ${pattern}. Use integration.action or integration.*`);
    for (const action of found) {
      const { description, schema } = actions[action]!;
      const shown = description || `${displayName}: ${action}`;
      chosen.set(`${integration}.${action}`, { integration, action, description: shown, schema });
    }
  }
  // A name must not depend on the order of the patterns or on the SDK: conversations that a program stored contain it.
  return [...chosen.keys()].sort().map((key) => chosen.get(key)!);
}

function newName(wanted: string, names: Set<string>): string {
  // Providers also accept hyphens, but OpenAI Agents replaces them, so that two names could become one.
  const valid = wanted.replace(/\W/g, '_');
  let name = valid.slice(0, MAX_NAME);
  for (let number = 2; names.has(name); number++) {
    const suffix = `_${number}`;
    name = valid.slice(0, MAX_NAME - suffix.length) + suffix;
  }
  names.add(name);
  return name;
}

interface Callee {
  name: string;
  target: Pick<ActionCall, 'integrationName' | 'actionName'>;
  how: Omit<ToolOptions, 'actions'>;
}

function caller<Catalog>(client: Drawbridge<Catalog>, { name, target, how }: Callee): AgentTool['call'] {
  const { onApproval, onApprovalRequired, pollMs, ...selector } = how;
  const approved = new ApprovedCalls();
  const run = async (input: object, signal?: AbortSignal): Promise<unknown> => {
    const call = { ...selector, ...target, input };
    if (onApproval === 'wait')
      return (await client.executeWithApproval(call, { onApprovalRequired, pollMs, signal })).output;
    const result = await approved.send(input, (idempotencyKey) =>
      client.actions.execute({ ...call, idempotencyKey }, { signal }),
    );
    if (result.success) return result.output;
    approved.add(input, result.approval.retry.idempotencyKey);
    await onApprovalRequired?.(result.approval);
    return approvalText(name, result.approval);
  };
  return (input, signal) =>
    run(input, signal).catch((error: unknown) => {
      const text = errorText(name, error);
      if (text === undefined) throw error;
      return text;
    });
}
