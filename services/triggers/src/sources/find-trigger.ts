import { ApiError, choices } from '@drawbridge/contracts';
import {
  type AppWebhookTrigger,
  type NotifiedTrigger,
  routeKeys,
  type Trigger,
  type TriggerKind,
  type WebhookRequest,
  type WebhookTrigger,
} from '@drawbridge/piece-kit';
import { findPiece, integrationNotFound } from '@drawbridge/pieces';

/** Returns a trigger of a piece. Throws INTEGRATION_NOT_FOUND and TRIGGER_NOT_FOUND. */
export function requireTrigger(integrationName: string, triggerName: string): Trigger {
  const piece = findPiece(integrationName);
  // Uses the code that the API contract defines for testing a trigger. The contract defines none for enabling a trigger.
  if (!piece) throw integrationNotFound(integrationName);
  const { triggers = {} } = piece;
  const trigger = Object.hasOwn(triggers, triggerName) ? triggers[triggerName] : undefined;
  if (trigger) return trigger;
  const message = `${integrationName} has no trigger ${triggerName}.${choices(triggerName, Object.keys(triggers))}`;
  throw new ApiError('TRIGGER_NOT_FOUND', message);
}

/** The names of trigger kinds in the API. */
export const TRIGGER_TYPES = {
  webhook: 'WEBHOOK',
  polling: 'POLLING',
  'app-webhook': 'APP_WEBHOOK',
} as const satisfies Record<TriggerKind, string>;

/** A trigger that receives requests from providers. */
export type InboundTrigger = WebhookTrigger | AppWebhookTrigger | NotifiedTrigger;
/** A trigger that receives the requests to the single address of an app. */
export type AppTrigger = Extract<InboundTrigger, { kind: 'app-webhook' }>;

/** Finds a trigger that receives requests. Names come from callers, so the names of inherited properties such as `constructor` must not match. */
export function findInbound(integrationName: string, triggerName: string): InboundTrigger | undefined {
  const { triggers = {} } = findPiece(integrationName) ?? {};
  const found = Object.hasOwn(triggers, triggerName) ? triggers[triggerName] : undefined;
  return found?.kind === 'polling' ? undefined : found;
}

/** Returns the triggers that receive the requests to the single address of an app. */
export function appTriggers(integrationName: string): AppTrigger[] {
  const { triggers = {} } = findPiece(integrationName) ?? {};
  return Object.values(triggers).filter((trigger) => trigger.kind === 'app-webhook');
}

/** Returns the names of the triggers that do not read the request itself: each request only starts a poll. */
export function notifiedTriggers(integrationName: string): string[] {
  const { triggers = {} } = findPiece(integrationName) ?? {};
  return Object.keys(triggers).filter((name) => findInbound(integrationName, name)?.poll !== undefined);
}

/** Maximum number of accounts that one request to an app can concern, because each is searched for sources. */
export const MAX_ROUTES = 1_000;

/** The installations of an app that a request concerns. */
interface Routes {
  keys: string[];
  /** False if some trigger could not read the request. The request may then concern further installations. */
  isWhole: boolean;
}

/** Returns the route keys of the installations of an app that a request concerns. Throws if no trigger can read the request. */
export function routesOf(triggers: readonly AppTrigger[], request: WebhookRequest): Routes {
  const failures: unknown[] = [];
  const keys = triggers.flatMap((trigger): readonly string[] => {
    try {
      return routeKeys(trigger, request);
    } catch (error) {
      failures.push(error);
      return [];
    }
  });
  if (failures.length === triggers.length && failures.length > 0) throw failures[0];
  return { keys: [...new Set(keys)], isWhole: failures.length === 0 };
}
