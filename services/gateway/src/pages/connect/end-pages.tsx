import { createHash } from 'node:crypto';
import { makeVisible } from '@drawbridge/contracts';
import { type ConnectPage } from '@drawbridge/proto/drawbridge/connections/v1/connect_pages';
import { contentPolicy, type PageAnswer } from '../kit/page-kit.js';
import { Ending } from '../kit/marks.js';
import { Notice } from '../kit/parts.js';
import { type Words } from '../words/en.js';
import { toOrigin, type Visit } from './visits.js';

/**
 * Posts the outcome to the page that opened this page, and closes this window if it shows nothing that the user must read. A browser delivers the
 * outcome only to the listed origins.
 */
const TELL = `(() => {
  const { outcome, closes } = document.getElementById('outcome').dataset;
  const { message, origins } = JSON.parse(outcome);
  if (window.opener) for (const origin of origins) window.opener.postMessage(message, origin);
  if (window.opener && origins.length > 0 && closes) setTimeout(() => window.close(), 1500);
})();`;
const POLICY = contentPolicy({ script: `'sha256-${createHash('sha256').update(TELL).digest('base64')}'` });

/** Shows the outcome of a session. Redirects if the session has a redirect URI, also without scripts. */
export function donePage(shown: ConnectPage, { opener }: Visit, { connect }: Words): PageAnswer {
  const { status, connectionId = null, integrationName, externalId, error = null } = shown;
  const isDone = status === 'COMPLETED';
  const redirect = isDone ? shown.successRedirectUri : shown.errorRedirectUri;
  const onward = redirect && withOutcome(redirect, { status, connection_id: connectionId, error });
  const origins = [...new Set([toOrigin(shown.successRedirectUri), opener].filter(Boolean))];
  const message = { type: 'svc-connect-result', status, connectionId, integrationName, externalId, error };
  // A page with an error stays open, unless the user has declined.
  const closes = !onward && (isDone || isDenied(error));
  const title = isDone ? connect.done(shown.integrationDisplayName) : connect.failed(shown.integrationDisplayName);
  const body = (
    <section class="card">
      <Ending isGood={isDone} />
      <h1>{title}</h1>
      {error && <Notice kind="bad">{isDenied(error) ? connect.denied : connect.refused}</Notice>}
      {shown.accountLabel && <p>{connect.connectedAs(makeVisible(shown.accountLabel))}</p>}
      <p>{onward ? connect.goingOn : isDone ? connect.close : connect.askAgain}</p>
      {onward && (
        <a class="button primary" href={onward} rel="noreferrer">
          {connect.goOn}
        </a>
      )}
      {error && <p class="quiet">{error}</p>}
      <div id="outcome" hidden data-outcome={JSON.stringify({ message, origins })} data-closes={closes ? 'yes' : ''} />
      {/* A constant text: the policy contains its hash. */}
      <script dangerouslySetInnerHTML={{ __html: TELL }} />
    </section>
  );
  const refresh: Record<string, string> = onward ? { Refresh: `0; url=${onward}` } : {};
  return { title, body, headers: { 'Content-Security-Policy': POLICY, ...refresh } };
}

const isDenied = (error: string | null): boolean => error !== null && error.startsWith('access_denied');

function withOutcome(uri: string, outcome: Record<string, string | null>): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(outcome)) if (value !== null) url.searchParams.set(name, value);
  return url.href;
}
