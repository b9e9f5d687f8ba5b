import { dynamicTool, jsonSchema, type Tool } from 'ai';
import { type AgentTool, agentTools, type ToolOptions } from './agent-tools.js';
import { type Drawbridge } from './client.js';
import { type Catalog as BuiltIn } from './gen/catalog.js';

export { type ActionPattern, type ToolOptions } from './agent-tools.js';

/**
 * Returns actions as a ToolSet of the Vercel AI SDK: `generateText({ model, tools: await tools(client, options), … })`. Throws TypeError if the
 * instance does not have one of the actions.
 */
export async function tools<Catalog = BuiltIn>(
  client: Drawbridge<Catalog>,
  options: ToolOptions<Catalog>,
): Promise<Record<string, Tool<unknown, unknown>>> {
  const made = await agentTools(client, options);
  return Object.fromEntries(made.map((tool) => [tool.name, toTool(tool)]));
}

const toTool = ({ description, schema, call }: AgentTool): Tool<unknown, unknown> =>
  dynamicTool({
    description,
    inputSchema: jsonSchema(schema as Parameters<typeof jsonSchema>[0]),
    execute: (input, { abortSignal }) => call(input as object, abortSignal),
  });
