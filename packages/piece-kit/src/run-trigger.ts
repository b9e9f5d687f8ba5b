import { type JsonObject, type JsonValue } from './json.js';
import { type OpenOptions, openPiece, type Piece } from './piece.js';
import { type Polled, type Registration, type Trigger, type TriggerContext } from './trigger.js';

interface Subscription {
  webhookUrl: string;
  secret: string;
}

/** One operation of a trigger that requires a credential, as plain data. */
export type TriggerStep =
  | ({ kind: 'enable' } & Subscription)
  | ({ kind: 'disable' | 'renew'; state: JsonObject } & Subscription)
  | { kind: 'poll'; cursor?: JsonValue; state?: JsonObject }
  | { kind: 'subscribe' };

export interface TriggerRun extends Omit<OpenOptions, 'isIdempotent'> {
  /** Must be valid for the `inputSchema` of the trigger's properties. */
  input: JsonObject;
}

export type StepResult = Registration | Polled | { routeKey: string } | Record<string, never>;

/**
 * Runs one step of a trigger. Throws ProviderError if the provider rejects the request or fails, InputError for an input that the provider cannot
 * use, the errors of `send`, and Error for a step that the trigger does not have.
 */
export async function runTrigger(
  piece: Piece,
  triggerName: string,
  step: TriggerStep,
  run: TriggerRun,
): Promise<StepResult> {
  const { input, credential: auth, signal } = run;
  const isIdempotent = step.kind === 'poll' || step.kind === 'subscribe';
  const http = openPiece(piece, { ...run, isIdempotent });
  return go(requireTrigger(piece, triggerName), step, { http, input, auth, signal });
}

function requireTrigger({ name, triggers = {} }: Piece, triggerName: string): Trigger {
  const trigger = Object.hasOwn(triggers, triggerName) ? triggers[triggerName] : undefined;
  if (!trigger) throw new Error(`${name} has no trigger ${triggerName}`);
  return trigger;
}

async function go(trigger: Trigger, step: TriggerStep, context: TriggerContext): Promise<StepResult> {
  if (step.kind === 'poll' && trigger.poll) return trigger.poll({ ...context, cursor: step.cursor, state: step.state });
  if (trigger.kind === 'app-webhook' && step.kind === 'subscribe') {
    return { routeKey: await trigger.subscribe(context) };
  }
  if (trigger.kind === 'webhook' && step.kind === 'enable') return trigger.enable({ ...context, ...step });
  if (trigger.kind === 'webhook' && step.kind === 'disable') {
    await trigger.disable({ ...context, ...step });
    return {};
  }
  if (trigger.kind === 'webhook' && step.kind === 'renew' && trigger.renew)
    return trigger.renew({ ...context, ...step });
  throw new Error(`A trigger of kind ${trigger.kind} cannot run ${step.kind}`);
}
