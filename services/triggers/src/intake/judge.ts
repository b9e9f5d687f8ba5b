import { type HandshakeReply, type Proof, type WebhookRequest } from '@drawbridge/piece-kit';
import { type InboundTrigger } from './inbound-triggers.js';

/** What a third party that tries out the address is answered, or whether what was sent is the third party's. */
export type Verdict = { reply: HandshakeReply } | { isVerified: boolean };

/**
 * Asks the triggers that listen at an address. Whoever knows the address may say that a secret has changed: a handshake that brings one is
 * none.
 */
export function judge(triggers: readonly InboundTrigger[], request: WebhookRequest, proof: Proof): Verdict {
  for (const trigger of triggers) {
    const reply = trigger.handshake?.(request, proof);
    if (reply && reply.secret === undefined) return { reply };
  }
  return { isVerified: request.method === 'POST' && triggers.some((trigger) => trigger.verify(request, proof)) };
}
