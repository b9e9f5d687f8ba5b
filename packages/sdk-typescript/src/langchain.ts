import { type DynamicStructuredTool, tool as toTool } from '@langchain/core/tools';
import { type AgentTool, agentTools, type ToolOptions } from './agent-tools.js';
import { type Drawbridge } from './client.js';
import { type Catalog as BuiltIn } from './gen/catalog.js';
import { outputText } from './tool-texts.js';

export { type ActionPattern, type ToolOptions } from './agent-tools.js';

/**
 * Returns actions as tools of LangChain: `createAgent({ model, tools: await tools(client, options) })`. The model gets the output
 * as JSON, and the artifact of the ToolMessage is the output itself. Throws TypeError if the instance does not have one of the actions.
 */
export async function tools<Catalog = BuiltIn>(
  client: Drawbridge<Catalog>,
  options: ToolOptions<Catalog>,
): Promise<DynamicStructuredTool[]> {
  return (await agentTools(client, options)).map(toStructuredTool);
}

const toStructuredTool = ({ name, description, schema, call }: AgentTool): DynamicStructuredTool =>
  toTool(
    async (input, config) => {
      const result = await call(input as object, config?.signal);
      return [outputText(result), result];
    },
    { name, description, schema, responseFormat: 'content_and_artifact' },
  );
