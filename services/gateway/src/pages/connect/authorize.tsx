import { type Asked, type Onward, type PageAnswer, type PageKit } from '../kit/page-kit.js';
import { OPENED } from './end-pages.js';
import { type Visit } from './visits.js';

export const CALLBACK = '/connect/callback';

/**
 * Sends the browser to the provider by a page and not by a redirect: browsers apply `form-action` to the redirects after a form as well, and it would
 * have to list every host over which a provider signs people in.
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
