import { type Portal } from '@drawbridge/proto/drawbridge/connections/v1/portal';
import { type Brand } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { type Router } from 'express';
import { type VNode } from 'preact';
import { secretCookie, type SecretCookie, setAmong } from '../auth/secret-cookies.js';
import { DisconnectBody, PortalBody, type Shape } from './connect-portal-body.js';
import { readForm, requireId } from './kit/form.js';
import {
  type Asked,
  messagePage,
  type Onward,
  type PageAnswer,
  type PageKit,
  type PageRoute,
  pageRoutes,
} from './kit/page-kit.js';
import { Notice } from './kit/parts.js';
import { enterApproval, findWaiting } from './portal-approvals.js';
import { type Words } from './words/en.js';
import { unless } from '../clients.js';

const HOME = '/connect/portal';
/** The path of the page of a portal link. Its group matches the id of the link. */
const LINK = `${HOME}/([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})`;

/**
 * Serves `/connect/portal?token=…`, the portal link of an end user. The token is moved from the URL to a cookie immediately, so that neither the
 * history nor a Referer header contains it. Each link has a separate page, `/connect/portal/<link>`, so that a browser with several links never acts
 * for another end user.
 */
export function connectPortalPages(kit: PageKit): Router {
  const inside =
    (show: Show): PageRoute[2] =>
    (asked) =>
      shown(kit, asked, { token: tokenOf(kit, asked), show });
  const at = (step: string): RegExp => new RegExp(`^${LINK}${step}$`);
  return pageRoutes(kit, [
    [
      'get',
      HOME,
      (asked) =>
        shown(kit, asked, {
          token: String(asked.request.query['token'] ?? ''),
          show: (entered) => enter(kit, entered),
        }),
    ],
    ['get', at(''), inside((entered) => listPage(kit, entered))],
    ['post', at('/approval'), inside((entered) => enterApproval(kit, entered))],
    ['get', at('/disconnect'), inside(disconnectPage)],
    ['post', at('/disconnect'), inside((entered) => disconnect(kit, entered))],
    ['post', at('/connect'), inside((entered) => connect(kit, entered))],
  ]);
}

const cookieOf = ({ site }: PageKit, { request }: Asked): SecretCookie =>
  secretCookie(site, 'portal-', String(request.params[0]).toLowerCase());

const tokenOf = (kit: PageKit, asked: Asked): string => cookieOf(kit, asked).read(asked.request) ?? '';

/** The request of an end user with a valid portal link, in a workspace that is not suspended. */
interface Entered {
  asked: Asked;
  token: string;
  /** The path of the page of this portal link. */
  home: string;
  portal: Portal;
  brand: Brand;
  /** The integrations that the end user can connect: those of the workspace, or the single integration of the link. */
  offered: string[];
  /** The display names and logos of integrations, by their names. */
  integrations: ReadonlyMap<string, Shape>;
}

type Show = (entered: Entered) => PageAnswer | Onward | Promise<PageAnswer | Onward>;

interface Visit {
  token: string;
  show: Show;
}

async function shown(kit: PageKit, asked: Asked, { token, show }: Visit): Promise<PageAnswer | Onward> {
  const { clients } = kit;
  const find = async () => {
    const portal = await clients.portals.showPortal({ token });
    const { orgId, workspaceId, integrationName: only } = portal;
    const [brand, { integrations }, { integrationNames }] = await Promise.all([
      clients.organizations.getBrand({ orgId }),
      clients.integrations.listIntegrationSummaries({}),
      clients.invocations.listOffers({ orgId, placeId: workspaceId }),
    ]);
    const offered = integrationNames.filter((name) => only === undefined || name === only);
    return { portal, brand, offered, integrations: new Map(integrations.map((one) => [one.name, one])) };
  };
  // The page does not reveal whether the link, or its workspace, is deleted or suspended.
  const found = await find().catch(unless('INVALID_TOKEN', 'NOT_FOUND', 'FORBIDDEN'));
  if (!found) return overPage(kit, asked);
  const entered = { ...found, asked, token, home: `${HOME}/${found.portal.id}` };
  const answer = async () => show(entered);
  return (await answer().catch(unless('INVALID_TOKEN'))) ?? overPage(kit, asked);
}

/** Returns the page for a link that is not valid. It does not mention other links in this browser. */
function overPage(kit: PageKit, asked: Asked): PageAnswer {
  const { request, response, words } = asked;
  if (request.params[0] !== undefined) cookieOf(kit, asked).clear(response);
  const { over: title, overLead: text } = words.portal;
  return messagePage({ title, text }, { status: 401 });
}

function enter({ site }: PageKit, { asked: { request, response }, token, home, portal }: Entered): Onward {
  response.set('Referrer-Policy', 'no-referrer');
  setAmong({ request, response, site }, 'portal-', { id: portal.id, secret: token });
  return { to: home };
}

async function listPage(kit: PageKit, entered: Entered): Promise<PageAnswer> {
  const { asked, home, portal, brand, offered, integrations } = entered;
  const { words, path, request } = asked;
  const notice = noticeOf(request.query, words);
  const connected = portal.connections.map((one) => one.connection?.integrationName);
  const offers = offered.filter((name) => !connected.includes(name));
  // While the approvals service is down, the portal shows only the connections.
  const waiting = await findWaiting(kit, entered).catch(unless('UNAVAILABLE', 'TIMEOUT'));
  const shown = { home, portal, waiting, offers, integrations, words, path, notice };
  const body = <PortalBody {...shown} />;
  return { title: words.portal.title, body, brand, isWide: true };
}

function noticeOf({ done, status }: Asked['request']['query'], { portal }: Words): VNode | undefined {
  if (done !== undefined) return <Notice kind="good">{portal.done}</Notice>;
  if (status === 'COMPLETED') return <Notice kind="good">{portal.isConnected}</Notice>;
  return status === 'FAILED' ? <Notice kind="bad">{portal.notConnected}</Notice> : undefined;
}

async function connect({ clients, site }: PageKit, { asked, token, home, offered }: Entered): Promise<Onward> {
  const { request } = asked;
  const form = await readForm(request, site);
  const [id, integrationName] = [form('id'), form('integration')];
  if (id === '' && !offered.includes(integrationName)) return { to: home };
  const wanted = id === '' ? { integrationName } : { connectionId: requireId(id) };
  const backTo = site.address(request, home);
  const started = await clients.portals.startConnecting({ token, ...wanted, backTo });
  return { to: `/connect?token=${started.token}` };
}

/** Asks for confirmation, or redirects to the list if the connection no longer exists. */
function disconnectPage({ asked, home, portal, brand, integrations }: Entered): PageAnswer | Onward {
  const { words, path, request } = asked;
  const found = portal.connections.find((one) => one.connection?.id === request.query['id'])?.connection;
  if (!found) return { to: home };
  const body = <DisconnectBody home={home} connection={found} integrations={integrations} words={words} path={path} />;
  return { title: words.portal.disconnect, body, brand };
}

async function disconnect({ clients, site }: PageKit, { asked, token, home }: Entered): Promise<Onward> {
  const form = await readForm(asked.request, site);
  const connectionId = requireId(form('id'));
  await clients.portals.disconnect({ token, connectionId }).catch(unless('NOT_FOUND')); // NOT_FOUND if a browser sends the form twice
  return { to: `${home}?done` };
}
