import { hashToken, makeVisible } from '@drawbridge/contracts';
import { type ConsentIntegration } from '@drawbridge/proto/drawbridge/mcp/v1/oauth';
import { type Router } from 'express';
import { type VNode } from 'preact';
import { placeOf, queryOf, scopesToGive } from '../../mcp/oauth/authorization-request.js';
import {
  contentPolicy,
  type Onward,
  type PageAnswer,
  type PageKit,
  type PageRoute,
  pageRoutes,
} from '../kit/page-kit.js';
import { readForm } from '../kit/form.js';
import { Choices, ConsentBody } from './consent-body.js';
import { checkCode, codePage, sendCode, WhoBody } from './identify.js';
import { enter, type Entered, HERE } from './enter.js';
import { unless } from '../../clients.js';

/**
 * Serves `/oauth/authorize?client_id=…`, to which an OAuth client sends a user to request access to an MCP server. The request stays in the URL and
 * is read each time. Nothing is stored until the user allows access.
 */
export function authorizePages(kit: PageKit): Router {
  const inside =
    (show: Show): PageRoute[2] =>
    async (asked) => {
      const entered = await enter(kit, asked);
      return 'entered' in entered ? show(kit, entered.entered) : entered;
    };
  return pageRoutes(kit, [
    ['get', HERE, inside((_kit, entered) => showPage(kit, entered))],
    ['post', HERE, inside(decide)],
    ['post', `${HERE}/email`, inside(sendCode)],
    ['get', `${HERE}/code`, inside(async (_kit, entered) => codePage(entered))],
    ['post', `${HERE}/code`, inside(checkCode)],
  ]);
}

type Show = (kit: PageKit, entered: Entered) => Promise<PageAnswer | Onward>;

async function showPage(kit: PageKit, entered: Entered, isChanged = false): Promise<PageAnswer> {
  const { asked, brand, authorization, wanted, person } = entered;
  const { words, path } = asked;
  const title = makeVisible(words.authorize.title(wanted.client.name ?? words.authorize.unnamed));
  const isSignedIn = person.userId !== undefined;
  const isSomebody = isKnown(entered);
  const { emailedLinks: isMailed } = await kit.clients.sessions.listSignInWays({});
  const query = queryOf(asked.request);
  const who = <WhoBody {...{ isSignedIn, isSomebody, isMailed, query, words, path }} />;
  const mayAllow = isSomebody && authorization.refusal === '';
  const integrations = await toolsFor(kit, entered);
  const action = path(HERE + query);
  const seen = seenOf(entered, integrations);
  const you = authorization.endUserName ?? words.authorize.newPerson(person.email ?? person.name ?? '');
  const consent = (
    <ConsentBody
      title={title}
      wanted={wanted}
      authorization={authorization}
      place={placeOf(wanted.redirectUri)}
      scopes={scopesToGive(wanted, authorization)}
      you={mayAllow ? you : undefined}
      refusal={isSomebody ? authorization.refusal : ''}
      integrations={mayAllow ? integrations : undefined}
      isDecided={isSomebody}
      action={action}
      seen={seen}
      isChanged={isChanged}
      words={words}
    />
  );
  // A user who is not identified yet sees the sign-in form before the buttons, because only an identified user can allow access.
  const body = isSomebody ? [consent, who] : [consent, who, <DenialBody action={action} seen={seen} words={words} />];
  // The decision redirects to the client, which may redirect to any address, such as that of an app. Browsers apply `form-action` to all of them.
  return { title, body, brand, headers: { 'Content-Security-Policy': contentPolicy({ forms: 'any' }) } };
}

/** Returns whether the user is identified, by an account or by an email address. */
const isKnown = ({ authorization, person }: Entered): boolean =>
  person.userId !== undefined || authorization.provenEmail !== undefined;

/** Returns no tools for a user who is unknown or may not allow access. */
async function toolsFor(kit: PageKit, entered: Entered): Promise<ConsentIntegration[]> {
  const { authorization, person } = entered;
  if (!isKnown(entered) || authorization.refusal !== '') return [];
  const { integrations } = await kit.clients.mcpOAuth.listConsentTools({ serverId: authorization.serverId, person });
  return integrations;
}

function DenialBody(props: Omit<Parameters<typeof Choices>[0], 'mayAllow'>): VNode {
  return (
    <section class="card">
      <Choices mayAllow={false} {...props} />
    </section>
  );
}

/** Returns a hash of the content and the user of the page. The form contains it, so that a decision is valid only for what the user has seen. */
function seenOf({ authorization, wanted, person }: Entered, integrations: ConsentIntegration[]): string {
  const { clientId, name } = wanted.client;
  const { serverName, endUserName, provenEmail, refusal } = authorization;
  const who = [person.userId, person.email, provenEmail, endUserName, refusal];
  const what = [scopesToGive(wanted, authorization), integrations];
  return hashToken(JSON.stringify([clientId, name, serverName, ...what, ...who]));
}

async function decide(kit: PageKit, entered: Entered): Promise<PageAnswer | Onward> {
  const { asked, authorization, wanted, person } = entered;
  const form = await readForm(asked.request, kit.site);
  if (form('decision') !== 'allow') {
    const error_description = 'They did not allow it';
    return { away: wanted.answer({ error: 'access_denied', error_description }) };
  }
  const integrations = await toolsFor(kit, entered);
  if (form('seen') !== seenOf(entered, integrations))
    return { ...(await showPage(kit, entered, isKnown(entered))), status: 409 };
  // Each grant of any user is recorded in the audit log of the server's organization, so grants are rate-limited.
  await kit.limits.countAnonymous(asked.request.ip);
  const { clientId, name: clientName } = wanted.client;
  const { redirectUri, codeChallenge } = wanted;
  const said = { clientId, clientName, redirectUri, codeChallenge };
  const scopes = scopesToGive(wanted, authorization);
  const wants = { ...said, scopes, serverId: authorization.serverId, person };
  const answered = await kit.clients.mcpOAuth.authorize(wants).catch(unless('FORBIDDEN'));
  // If the mcp service denies access (FORBIDDEN), the page is displayed again with the reason.
  return answered
    ? { away: wanted.answer({ code: answered.code }) }
    : { ...(await showPage(kit, entered)), status: 403 };
}
