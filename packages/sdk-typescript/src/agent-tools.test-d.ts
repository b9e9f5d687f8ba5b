// These lines are programs of callers, with the types of each framework.
import { type BaseChatModel } from '@langchain/core/language_models/chat_models';
import { Agent } from '@openai/agents';
import { generateText, type LanguageModel, type ToolSet } from 'ai';
import { type ActionPattern, tools as toolsOfAiSdk } from './ai-sdk.js';
import { type Drawbridge } from './index.js';
import { tools as toolsOfLangChain } from './langchain.js';
import { tools as toolsOfOpenAiAgents } from './openai-agents.js';

const actions = ['github.create_issue', 'slack.*'] as const;
const who = { workspaceId: 'w', endUserId: 'user-42' };

export async function programs(client: Drawbridge, model: LanguageModel, chat: BaseChatModel): Promise<void> {
  const set: ToolSet = await toolsOfAiSdk(client, { ...who, actions });
  await generateText({ model, tools: set, prompt: '' });
  await generateText({ model, tools: await toolsOfAiSdk(client, { actions, onApproval: 'wait' }), prompt: '' });
  chat.bindTools!(await toolsOfLangChain(client, { ...who, actions, connectionExternalId: 'acme-github' }));
  new Agent({ name: 'Support', tools: await toolsOfOpenAiAgents(client, { ...who, actions }) });

  // @ts-expect-error GitHub has no such action.
  await toolsOfAiSdk(client, { actions: ['github.create_isue'] });
  // @ts-expect-error The actions are missing.
  await toolsOfLangChain(client, who);
  // @ts-expect-error One key for all calls would run only the first.
  await toolsOfOpenAiAgents(client, { actions, idempotencyKey: 'k' });
}

export async function ownCatalogs(
  own: Drawbridge<{ erp: { book: { amount: number } } }>,
  untyped: Drawbridge<Record<string, Record<string, object>>>,
  read: ActionPattern<Record<string, Record<string, object>>>[],
): Promise<void> {
  await toolsOfAiSdk(own, { actions: ['erp.book', 'erp.*'] });
  await toolsOfAiSdk(untyped, { actions: read });
  // @ts-expect-error Only the integrations of the own catalog are there.
  await toolsOfAiSdk(own, { actions: ['github.*'] });
}
