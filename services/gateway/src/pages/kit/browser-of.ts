import { cutText, hashToken } from '@drawbridge/contracts';
import { type Browser } from '@drawbridge/proto/drawbridge/members/v1/sessions';
import { clientNetwork } from '../../auth/client-network.js';
import { browserCookie, secretIn } from '../../auth/secret-cookies.js';
import { type Asked, type PageKit } from './page-kit.js';

const MAX_USER_AGENT = 300;

/** Returns the browser and the network of a sign-in. Sets the browser cookie. */
export function browserOf(
  { site }: Pick<PageKit, 'site'>,
  { request, response }: Pick<Asked, 'request' | 'response'>,
): Browser {
  const { ip = '' } = request;
  return {
    address: ip,
    network: clientNetwork(ip),
    userAgent: cutText(request.get('user-agent') ?? '', MAX_USER_AGENT),
    id: hashToken(secretIn(browserCookie(site), { request, response })),
  };
}
