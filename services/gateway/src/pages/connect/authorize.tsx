import { ApiError } from '@drawbridge/contracts';
import { type Asked, type Onward, type PageAnswer, type PageKit } from '../kit/page-kit.js';
import { messagePage, OPENED } from './end-pages.js';
import { ENDING, readVisit, type Visit } from './visits.js';

const CALLBACK = '/connect/callback';
const MAX_QUERY = 8_000;
/** How a state begins. */
const SESSION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\.)/;

/**
 * Sends the browser to the provider. By a page, not by a redirect: browsers hold a form to where it may lead, and that would be to
 * every host over which a provider signs people in.
 */
export async function authorize({ clients, site }: PageKit, asked: Asked, visit: Visit): Promise<PageAnswer | Onward> {
  const { request, words } = asked;
  site.requireSameOrigin(request);
  const { token, secret } = visit;
  const shown = await clients.connectPages.showConnectPage({ token });
  if (shown.status !== 'PENDING') return { to: `/connect/${shown.sessionId}` };
  const redirectUri = site.address(request, CALLBACK);
  const { url } = await clients.connectPages.beginAuthorization({ token, secret, redirectUri });
  const title = words.connect.leading(shown.integrationDisplayName);
  const body = (
    <section class="card">
      <h1>{title}</h1>
      <a class="button primary" href={url}>
        {words.connect.continueWith(shown.integrationDisplayName)}
      </a>
    </section>
  );
  const brand = await clients.organizations.getBrand({ orgId: shown.orgId });
  const headers = { ...OPENED, 'Referrer-Policy': 'no-referrer', Refresh: `0; url=${url}` };
  return { title, body, brand, headers };
}

/** Where the provider leads back to. What it said leaves the address: the session's own page shows what came of it. */
export async function comeBack({ clients, site }: PageKit, asked: Asked): Promise<PageAnswer | Onward> {
  const { request, response, words } = asked;
  const query = new URL(request.originalUrl, 'http://us.invalid').search.slice(1, MAX_QUERY);
  const [sessionId = ''] = SESSION_ID.exec(new URLSearchParams(query).get('state') ?? '') ?? [];
  const visit = sessionId && readVisit(request, site, sessionId);
  if (!visit) return { ...messagePage(words.connect.elsewhere, asked), status: 403 };
  const { token, secret } = visit;
  const redirectUri = site.address(request, CALLBACK);
  response.set('Referrer-Policy', 'no-referrer');
  const { problem } = await clients.connectPages.finishAuthorization({ token, secret, redirectUri, query }, ENDING);
  const own = `/connect/${sessionId}`;
  if (!problem) return { to: own };
  const next = { to: own, label: words.connect.beginAgain };
  switch (problem.code) {
    case 'elsewhere':
      return { ...messagePage(words.connect.elsewhere, asked, next), status: 403 };
    case 'replaced':
      return { ...messagePage(words.connect.replaced, asked, next), status: 403 };
    case 'away':
      return { ...messagePage(words.connect.away, asked, next), status: 502 };
    default:
      throw new ApiError('INTERNAL', `Nothing is known of the problem ${problem.code}`);
  }
}
