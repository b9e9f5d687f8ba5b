import { type DynamicStructuredTool, tool as toTool } from '@langchain/core/tools';
import { agentTools, type ToolOptions } from './agent-tools.js';
import { type Drawbridge } from './client.js';
import { type Catalog as BuiltIn } from './gen/catalog.js';

export { type ActionPattern, type ToolOptions } from './agent-tools.js';

/**
 * Returns actions as tools of LangChain: `createAgent({ model, tools: await tools(client, options) })`. Throws TypeError if the instance does not
 * have one of the actions.
 */
export async function tools<Catalog = BuiltIn>(
  client: Drawbridge<Catalog>,
  options: ToolOptions<Catalog>,
): Promise<DynamicStructuredTool[]> {
  const made = await agentTools(client, options);
  return made.map(({ name, description, schema, call }) =>
    toTool((input, config) => call(input as object, config?.signal), { name, description, schema }),
  );
}
