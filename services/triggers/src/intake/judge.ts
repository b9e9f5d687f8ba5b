import { type HandshakeReply, type Proof, type WebhookRequest } from '@drawbridge/piece-kit';
import { type InboundTrigger } from './inbound-triggers.js';

/** The reply to a provider's handshake, or whether the request is authentic. */
export type Verdict = { reply: HandshakeReply } | { isVerified: boolean };

/**
 * Evaluates a request with the triggers that listen at an address. A handshake that brings a new secret is ignored, because anyone who knows the
 * address can send one.
 */
export function judge(triggers: readonly InboundTrigger[], request: WebhookRequest, proof: Proof): Verdict {
  for (const trigger of triggers) {
    const reply = trigger.handshake?.(request, proof);
    if (reply && reply.secret === undefined) return { reply };
  }
  return { isVerified: request.method === 'POST' && triggers.some((trigger) => trigger.verify(request, proof)) };
}
