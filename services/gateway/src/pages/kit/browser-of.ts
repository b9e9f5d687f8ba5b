import { cutText } from '@drawbridge/contracts';
import { type Browser } from '@drawbridge/proto/drawbridge/members/v1/sessions';
import { type Request } from 'express';
import { clientNetwork } from '../../auth/client-network.js';

const MAX_USER_AGENT = 300;

/** From where somebody signs in. */
export function browserOf(request: Request): Browser {
  const { ip = '' } = request;
  return {
    address: ip,
    network: clientNetwork(ip),
    userAgent: cutText(request.get('user-agent') ?? '', MAX_USER_AGENT),
  };
}
