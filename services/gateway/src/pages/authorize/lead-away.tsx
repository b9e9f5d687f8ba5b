import { type Refusal } from '../../mcp/oauth/authorization-request.js';
import { isOnThisMachine, placeOf } from '../../mcp/oauth/redirects.js';
import { type Asked, type Onward, type PageAnswer } from '../kit/page-kit.js';

/**
 * Sends an error to the client. Anyone can register any redirect URI, so the person must click a link to it, unless it leads to their own machine
 * (RFC 9700, 4.11.2).
 */
export function leadAway({ words }: Asked, { redirectUri, away }: Refusal): PageAnswer | Onward {
  if (isOnThisMachine(redirectUri)) return { away };
  const its = words.authorize;
  const { title, text } = its.bad.asked;
  const { host, isLocal } = placeOf(redirectUri);
  const body = (
    <section class="card">
      <h1>{title}</h1>
      <p>{text}</p>
      <dl class="facts">
        <div>
          <dt>{its.goesTo}</dt>
          <dd>{isLocal ? its.onThisDevice(host) : host}</dd>
        </div>
      </dl>
      <a class="button" href={away} rel="noreferrer">
        {its.back}
      </a>
    </section>
  );
  return { title, body, status: 400 };
}
