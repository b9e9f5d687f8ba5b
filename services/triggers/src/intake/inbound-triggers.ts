import { type AppWebhookTrigger, type WebhookTrigger } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';

/** A trigger that receives requests from providers. */
export type InboundTrigger = WebhookTrigger | AppWebhookTrigger;

/** Names come from callers, so inherited ones such as `constructor` must not match. */
export function findInbound(integrationName: string, triggerName: string): InboundTrigger | undefined {
  const { triggers = {} } = findPiece(integrationName) ?? {};
  const found = Object.hasOwn(triggers, triggerName) ? triggers[triggerName] : undefined;
  return found?.kind === 'polling' ? undefined : found;
}

/** Returns the triggers that listen at the single address of the app. */
export function appTriggers(integrationName: string): AppWebhookTrigger[] {
  const { triggers = {} } = findPiece(integrationName) ?? {};
  return Object.values(triggers).filter((trigger) => trigger.kind === 'app-webhook');
}
