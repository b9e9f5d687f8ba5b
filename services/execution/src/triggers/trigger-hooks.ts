import { type JsonObject, type Registration, type TriggerStep } from '@drawbridge/piece-kit';
import {
  type HookCall,
  type HookRegistration,
  type TriggerHookServiceDefinition,
} from '@drawbridge/proto/drawbridge/execution/v1/trigger_hooks';
import { type Implementation } from '@drawbridge/rpc';
import { type Pipeline } from '../pipeline/pipeline.js';
import { goStep, pickConnection, type WentStep } from './run-trigger-step.js';

/** Implements the RPCs that run the steps of triggers that need a credential, such as subscribing and polling. */
export function triggerHooks(pipeline: Pipeline): Implementation<TriggerHookServiceDefinition> {
  const go = <Result>(call: HookCall | undefined, step: TriggerStep): Promise<WentStep<Result>> =>
    goStep<Result>(pipeline, requireCall(call), step);
  return {
    pickConnection: async ({ call }) => ({ connectionId: await pickConnection(pipeline, requireCall(call)) }),

    enableHook: async ({ call, ...hook }) => toMessage(await go(call, { kind: 'enable', ...hook })),

    async disableHook({ call, stateJson, ...hook }) {
      await go(call, { kind: 'disable', ...hook, state: fromState(stateJson) });
      return {};
    },

    async renewHook({ call, stateJson, ...hook }) {
      return toMessage(await go(call, { kind: 'renew', ...hook, state: fromState(stateJson) }));
    },

    async pollHook({ call, cursorJson, stateJson }) {
      const cursor = cursorJson === undefined ? undefined : JSON.parse(cursorJson);
      const state = stateJson === undefined ? undefined : fromState(stateJson);
      const { connectionId, result } = await go<object>(call, { kind: 'poll', cursor, state });
      return { connectionId, polledJson: JSON.stringify(result) };
    },

    async subscribeHook({ call }) {
      const { connectionId, result } = await go<{ routeKey: string }>(call, { kind: 'subscribe' });
      return { connectionId, routeKey: result.routeKey };
    },
  };
}

function requireCall(call: HookCall | undefined): HookCall {
  if (!call) throw new Error('A request to enable, renew, disable or poll a trigger must contain `call`');
  return call;
}

function fromState(stateJson: string): JsonObject {
  return JSON.parse(stateJson);
}

function toMessage({ connectionId, result }: WentStep<Registration>): HookRegistration {
  const { state, secret, renewAt } = result;
  return { connectionId, stateJson: JSON.stringify(state), secret, renewAt };
}
