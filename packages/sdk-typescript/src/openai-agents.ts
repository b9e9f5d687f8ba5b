import { type FunctionTool, tool as toTool } from '@openai/agents';
import { type AgentTool, agentTools, type ToolOptions } from './agent-tools.js';
import { type Drawbridge } from './client.js';
import { type Catalog as BuiltIn } from './gen/catalog.js';
import { outputText } from './tool-texts.js';

export { type ActionPattern, type ToolOptions } from './agent-tools.js';

/**
 * Returns actions as tools of OpenAI Agents: `new Agent({ name, tools: await tools(client, options) })`. Throws TypeError if the instance does not
 * have one of the actions.
 */
export async function tools<Catalog = BuiltIn>(
  client: Drawbridge<Catalog>,
  options: ToolOptions<Catalog>,
): Promise<FunctionTool[]> {
  return (await agentTools(client, options)).map(toFunctionTool);
}

const toFunctionTool = ({ name, description, schema, call }: AgentTool): FunctionTool =>
  toTool({
    name,
    description,
    parameters: schema as never,
    // A strict schema cannot have optional fields.
    strict: false,
    // By default the SDK passes every error to the model as text, even the error of a wrong API key.
    errorFunction: null,
    execute: async (input, _context, details) => outputText(await call(input as object, details?.signal)),
  });
