import { type AppWebhookTrigger, type WebhookTrigger } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';

/** One that third parties send something. */
export type InboundTrigger = WebhookTrigger | AppWebhookTrigger;

/** Names come from callers: `constructor` is none. */
export function findInbound(integrationName: string, triggerName: string): InboundTrigger | undefined {
  const { triggers = {} } = findPiece(integrationName) ?? {};
  const found = Object.hasOwn(triggers, triggerName) ? triggers[triggerName] : undefined;
  return found?.kind === 'polling' ? undefined : found;
}

/** Those that hear of what is sent to the one address of the app. */
export function appTriggers(integrationName: string): AppWebhookTrigger[] {
  const { triggers = {} } = findPiece(integrationName) ?? {};
  return Object.values(triggers).filter((trigger) => trigger.kind === 'app-webhook');
}
