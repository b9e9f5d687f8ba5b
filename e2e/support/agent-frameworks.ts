import { AIMessage, ToolMessage } from '@langchain/core/messages';
import { fakeModel } from '@langchain/core/testing';
import { tools as aiSdkTools, type ToolOptions } from '@drawbridge/sdk/ai-sdk';
import { tools as langChainTools } from '@drawbridge/sdk/langchain';
import { tools as openAiAgentsTools } from '@drawbridge/sdk/openai-agents';
import { type Drawbridge } from '@drawbridge/sdk';
import { Agent, type Model, run, RunContext, setTracingDisabled, Usage } from '@openai/agents';
import { generateText, isStepCount } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { createAgent } from 'langchain';

/** A call that the model makes in one turn. */
export interface ModelCall {
  name: string;
  /** The arguments of the call. An object is sent as JSON. A string is sent unchanged, so that a test can send invalid JSON. */
  input: object | string;
}

export interface OfferedTool {
  name: string;
  description?: string;
  schema: unknown;
}

export interface AgentRun {
  /** The tools that the model was offered. */
  offered: OfferedTool[];
  /** The result of each call of the model: an output as JSON. */
  results: string[];
  /** The last text of the agent. */
  text: string;
}

export interface AgentWithTools {
  /** Runs an agent with the framework's own double of a model. It makes one call in each turn and then says `Done`. */
  run(calls: ModelCall[], signal?: AbortSignal): Promise<AgentRun>;
  /** Calls the first tool as the framework does, without an agent. */
  callTool(input: object): Promise<unknown>;
}

export interface AgentFramework {
  name: string;
  make(client: Drawbridge, options: ToolOptions): Promise<AgentWithTools>;
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

async function aiSdk(client: Drawbridge, options: ToolOptions): Promise<AgentWithTools> {
  const tools = await aiSdkTools(client, options);
  return {
    async run(calls, signal) {
      const model = aiSdkModel(calls);
      const settings = { model, tools, prompt: 'Go', stopWhen: isStepCount(9), abortSignal: signal };
      const { text, steps } = await generateText(settings);
      const offered = model.doGenerateCalls[0]!.tools!.flatMap((tool) =>
        tool.type === 'function' ? [{ ...tool, schema: tool.inputSchema }] : [],
      );
      const results = steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => asText(output)));
      return { offered, text, results };
    },
    callTool: async (input) => Object.values(tools)[0]!.execute!(input, { toolCallId: '1', messages: [] } as never),
  };
}

function aiSdkModel(calls: ModelCall[]): MockLanguageModelV4 {
  const inputTokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };
  const usage = { inputTokens, outputTokens: { total: 1, text: 1, reasoning: 0 } };
  const turn = <Part>(part: Part, unified: 'stop' | 'tool-calls') => ({
    ...{ content: [part], usage, warnings: [], finishReason: { unified, raw: undefined } },
  });
  const turns = calls.map(({ name, input }, at) => {
    const call = { toolCallId: `${at}`, toolName: name, input: asText(input) };
    return turn({ type: 'tool-call' as const, ...call }, 'tool-calls');
  });
  return new MockLanguageModelV4({ doGenerate: [...turns, turn({ type: 'text' as const, text: 'Done' }, 'stop')] });
}

async function langChain(client: Drawbridge, options: ToolOptions): Promise<AgentWithTools> {
  const tools = await langChainTools(client, options);
  return {
    async run(calls, signal) {
      const model = fakeModel();
      for (const { name, input } of calls) model.respondWithTools([{ name, args: input as object }]);
      model.respond(new AIMessage('Done'));
      const agent = createAgent({ model, tools });
      const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Go' }] }, { signal });
      const answers = messages.filter((message) => ToolMessage.isInstance(message));
      const offered = tools.map(({ name, description, schema }) => ({ name, description, schema }));
      const results = answers.map(({ content }) => asText(content));
      return { offered, results, text: asText(messages.at(-1)!.content) };
    },
    callTool: async (input) => tools[0]!.invoke(input as never),
  };
}

async function openAiAgents(client: Drawbridge, options: ToolOptions): Promise<AgentWithTools> {
  setTracingDisabled(true);
  const tools = await openAiAgentsTools(client, options);
  return {
    async run(calls, signal) {
      const model = openAiModel(calls);
      const { finalOutput, newItems } = await run(new Agent({ name: 'Agent', model, tools }), 'Go', { signal });
      const results = newItems.flatMap((item) => (item.type === 'tool_call_output_item' ? [asText(item.output)] : []));
      return { offered: model.offered, results, text: String(finalOutput) };
    },
    callTool: (input) => tools[0]!.invoke(new RunContext(), JSON.stringify(input)),
  };
}

function openAiModel(calls: ModelCall[]): Model & { offered: OfferedTool[] } {
  const turns = [...calls];
  return {
    offered: [],
    async getResponse({ tools }) {
      this.offered = tools.flatMap((tool) => (tool.type === 'function' ? [{ ...tool, schema: tool.parameters }] : []));
      const call = turns.shift();
      if (!call) {
        const content = [{ type: 'output_text' as const, text: 'Done' }];
        return { usage: new Usage(), output: [{ type: 'message', role: 'assistant', status: 'completed', content }] };
      }
      const { name, input } = call;
      const made = { callId: `${turns.length}`, name, arguments: asText(input), status: 'completed' as const };
      return { usage: new Usage(), output: [{ type: 'function_call', ...made }] };
    },
    getStreamedResponse() {
      throw new Error('The tests do not stream');
    },
  };
}

export const AGENT_FRAMEWORKS: AgentFramework[] = [
  { name: 'the Vercel AI SDK', make: aiSdk },
  { name: 'LangChain', make: langChain },
  { name: 'OpenAI Agents', make: openAiAgents },
];
