import { ApiError } from '@drawbridge/contracts';
import { type Piece, type Trigger, type TriggerKind } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';

export interface FoundTrigger {
  piece: Piece;
  trigger: Trigger;
}

/** Throws INTEGRATION_NOT_FOUND and TRIGGER_NOT_FOUND. */
export function requireTrigger(integrationName: string, triggerName: string): FoundTrigger {
  const piece = findPiece(integrationName);
  // Spec silent: the spec defines no code for this when enabling; testing uses this one.
  if (!piece) throw new ApiError('INTEGRATION_NOT_FOUND', `Integration ${integrationName} not found`);
  const { triggers = {} } = piece;
  const trigger = Object.hasOwn(triggers, triggerName) ? triggers[triggerName] : undefined;
  if (trigger) return { piece, trigger };
  const known = Object.keys(triggers).join(', ') || 'none';
  throw new ApiError('TRIGGER_NOT_FOUND', `${integrationName} has no trigger ${triggerName}; it has ${known}`);
}

/** The names that the API uses. */
export const TRIGGER_TYPES = {
  webhook: 'WEBHOOK',
  polling: 'POLLING',
  'app-webhook': 'APP_WEBHOOK',
} as const satisfies Record<TriggerKind, string>;
