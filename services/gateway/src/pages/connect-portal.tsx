import { ApiError } from '@drawbridge/contracts';
import { type Portal } from '@drawbridge/proto/drawbridge/connections/v1/portal';
import { type Brand } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { Router } from 'express';
import { type VNode } from 'preact';
import { DisconnectBody, PortalBody, PortalOver } from './connect-portal-body.js';
import { requireId } from './kit/id.js';
import { type Asked, type Onward, page, type PageAnswer, type PageKit } from './kit/page-kit.js';
import { Notice } from './kit/parts.js';
import { readForm } from './kit/read-form.js';
import { type Words } from './words/en.js';

const HOME = '/connect/portal';

/**
 * `/connect/portal?token=…`: where the link of an end user leads. The token goes into a cookie and out of the address at once: it
 * stands in no history, and no page names it to another.
 */
export function connectPortalPages(kit: PageKit): Router {
  const router = Router();
  const inside = (show: Show) => page(kit, (asked) => shown(kit, asked, { token: tokenOf(kit, asked), show }));
  router.get(
    HOME,
    page(kit, (asked) => {
      const { token } = asked.request.query;
      if (token === undefined) return shown(kit, asked, { token: tokenOf(kit, asked), show: listPage });
      return shown(kit, asked, { token: String(token), show: (entered) => enter(kit, entered) });
    }),
  );
  router.get(`${HOME}/disconnect`, inside(disconnectPage));
  router.post(
    `${HOME}/disconnect`,
    inside((entered) => disconnect(kit, entered)),
  );
  router.post(
    `${HOME}/connect`,
    inside((entered) => connect(kit, entered)),
  );
  return router;
}

const tokenOf = ({ portalCookie }: PageKit, { request }: Asked): string => portalCookie.read(request) ?? '';

/** A person who came by a link that works, in a workspace that does. */
interface Entered {
  asked: Asked;
  token: string;
  portal: Portal;
  brand: Brand;
  /** What the workspace offers, and the link shows. */
  offered: string[];
  /** What integrations are called, by their names. */
  titles: ReadonlyMap<string, string>;
}

type Show = (entered: Entered) => PageAnswer | Onward | Promise<PageAnswer | Onward>;

interface Visit {
  token: string;
  show: Show;
}

async function shown(kit: PageKit, asked: Asked, { token, show }: Visit): Promise<PageAnswer | Onward> {
  const { clients } = kit;
  const found = await unlessOver(async () => {
    const portal = await clients.portals.showPortal({ token });
    const { orgId, workspaceId, integrationName: only } = portal;
    const [brand, { integrations }, { integrationNames }] = await Promise.all([
      clients.organizations.getBrand({ orgId }),
      clients.integrations.listIntegrationSummaries({}),
      clients.invocations.listOffers({ orgId, placeId: workspaceId }),
    ]);
    const offered = integrationNames.filter((name) => only === undefined || name === only);
    return {
      portal,
      brand,
      offered,
      titles: new Map(integrations.map(({ name, displayName }) => [name, displayName])),
    };
  });
  return found ? show({ ...found, asked, token }) : overPage(kit, asked);
}

/** Undefined where the link, or the workspace behind it, is gone or suspended: of that a person need not know more. */
async function unlessOver<T>(ask: () => Promise<T>): Promise<T | undefined> {
  return ask().catch((error: unknown) => {
    if (error instanceof ApiError && ['INVALID_TOKEN', 'NOT_FOUND', 'FORBIDDEN'].includes(error.code)) return undefined;
    throw error;
  });
}

function overPage({ portalCookie }: PageKit, { response, words }: Asked): PageAnswer {
  portalCookie.clear(response);
  return { title: words.portal.over, body: <PortalOver words={words} />, status: 401 };
}

function enter({ portalCookie }: PageKit, { asked: { response }, token }: Entered): Onward {
  response.set('Referrer-Policy', 'no-referrer');
  portalCookie.set(response, token);
  return { to: HOME };
}

function listPage({ asked, portal, brand, offered, titles }: Entered): PageAnswer {
  const { words, path, request } = asked;
  const notice = noticeOf(request.query, words);
  const connected = portal.connections.map((one) => one.connection?.integrationName);
  const offers = offered.filter((name) => !connected.includes(name));
  const shown = { portal, offers, titles, words, path, notice };
  const body = <PortalBody {...shown} />;
  return { title: words.portal.title, body, brand, isWide: true };
}

function noticeOf({ done, status }: Asked['request']['query'], { portal }: Words): VNode | undefined {
  if (done !== undefined) return <Notice kind="good">{portal.done}</Notice>;
  if (status === 'COMPLETED') return <Notice kind="good">{portal.isConnected}</Notice>;
  return status === 'FAILED' ? <Notice kind="bad">{portal.notConnected}</Notice> : undefined;
}

async function connect({ clients, site }: PageKit, { asked, token, offered }: Entered): Promise<Onward> {
  const { request } = asked;
  const form = await readForm(request, site);
  const [id, integrationName] = [form('id'), form('integration')];
  if (id === '' && !offered.includes(integrationName)) return { to: HOME };
  const wanted = id === '' ? { integrationName } : { connectionId: requireId(id) };
  const backTo = site.address(request, HOME);
  const started = await clients.portals.startConnecting({ token, ...wanted, backTo });
  return { to: `/connect?token=${started.token}` };
}

/** What the address names, or the list where that is gone by now. */
function disconnectPage({ asked, portal, brand, titles }: Entered): PageAnswer | Onward {
  const { words, path, request } = asked;
  const found = portal.connections.find((one) => one.connection?.id === request.query['id'])?.connection;
  if (!found) return { to: HOME };
  const body = <DisconnectBody connection={found} titles={titles} words={words} path={path} />;
  return { title: words.portal.disconnect, body, brand };
}

async function disconnect({ clients, site }: PageKit, { asked, token }: Entered): Promise<Onward> {
  const form = await readForm(asked.request, site);
  const connectionId = requireId(form('id'));
  await clients.portals.disconnect({ token, connectionId }).catch((error: unknown) => {
    // Sent twice: it is what was asked for.
    if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') throw error;
  });
  return { to: `${HOME}?done` };
}
