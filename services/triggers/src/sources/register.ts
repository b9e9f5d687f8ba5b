import { type JsonObject } from '@drawbridge/piece-kit';
import { type Prisma, type Source } from '../gen/prisma/client.js';
import { HOOK_TIME, toHookCall } from '../hooks/hook-call.js';
import { requireKept, requireKeptText } from '../hooks/kept-sizes.js';
import { nextPoll } from '../polling/next-poll.js';
import { type SourceSecrets } from '../secrets/opened-secrets.js';
import { type SourceParts } from './parts.js';

/** The columns to store after a registration, and the provider's signing secret if it chose one. */
export interface Registered {
  columns: Pick<
    Prisma.SourceUncheckedUpdateInput,
    'state' | 'renewAt' | 'cursor' | 'pollAt' | 'lastPolledAt' | 'routeKey'
  >;
  providerSecret?: string;
}

/** Subscribes a webhook, finds the installation of an app, or sets the starting point of polling. Throws the errors of execution. */
export function register(
  { hooks }: Pick<SourceParts, 'hooks'>,
  { source, secrets }: { source: Source; secrets: SourceSecrets },
): Promise<Registered> {
  const call = toHookCall(source);
  switch (source.triggerType) {
    case 'WEBHOOK':
      return subscribeHook(hooks, { call, webhookUrl: source.webhookUrl ?? '', secret: secrets.hookSecret });
    case 'APP_WEBHOOK':
      return subscribeApp(hooks, call);
    case 'POLLING':
      return beginPolling(hooks, call, source.pollingMinutes ?? 0);
    default:
      throw new Error(`A trigger can not be ${source.triggerType}`);
  }
}

type Hooks = SourceParts['hooks'];
type Call = ReturnType<typeof toHookCall>;

async function subscribeHook(hooks: Hooks, asked: Parameters<Hooks['enableHook']>[0]): Promise<Registered> {
  const registration = await hooks.enableHook(asked, HOOK_TIME);
  requireKept(registration);
  const { stateJson, secret, renewAt } = registration;
  const state = JSON.parse(stateJson) as JsonObject as Prisma.InputJsonObject;
  return { columns: { state, renewAt: renewAt && new Date(renewAt) }, providerSecret: secret };
}

async function subscribeApp(hooks: Hooks, call: Call): Promise<Registered> {
  const { routeKey } = await hooks.subscribeHook({ call }, HOOK_TIME);
  requireKeptText(routeKey);
  return { columns: { routeKey } };
}

/** The first poll only sets the starting point; it has no events. */
async function beginPolling(hooks: Hooks, call: Call, minutes: number): Promise<Registered> {
  const { polledJson } = await hooks.pollHook({ call }, HOOK_TIME);
  const first = nextPoll({ cursor: null, failures: 0, minutes }, { polledJson });
  const cursor = JSON.parse(first.cursor ?? 'null') as Prisma.InputJsonValue;
  const now = Date.now();
  return { columns: { cursor, pollAt: new Date(now + first.inMs), lastPolledAt: new Date(now) } };
}
