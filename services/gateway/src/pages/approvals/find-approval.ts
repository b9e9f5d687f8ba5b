import { type ApprovalPage } from '@drawbridge/proto/drawbridge/approvals/v1/pages';
import { secretCookie, setAmong } from '../../auth/secret-cookies.js';
import { contextOf } from '../../http/request-context.js';
import { type Asked, type Onward, type PageKit } from '../kit/page-kit.js';
import { type Shown } from './approval-body.js';
import { unless } from '../../clients.js';

/** An approval, and how the reader has access to it: by session, or by the token of a hosted link in a cookie. */
export interface Found {
  shown: Shown;
  /** Absent for access by session. */
  token?: string;
}

/** Returns the approval id (`apr_…`) in the path of a page. */
export const idOf = ({ request }: Pick<Asked, 'request'>): string => String(request.params[0]).toLowerCase();

/**
 * Prefers the session of a user who may decide to a hosted link, so that the decision is recorded with their name. Returns undefined if neither the
 * session nor a link in this browser gives access to the approval.
 */
export async function findShown(kit: PageKit, asked: Asked): Promise<Found | undefined> {
  const id = idOf(asked);
  const token = secretCookie(kit.site, 'approval-', id).read(asked.request);
  const own = isMember(asked) ? await kit.clients.approvalPages.showToPerson({ id }).catch(unlessNone) : undefined;
  const isTheirs = own?.mayDecide || own?.approval?.status !== 'pending';
  if (own && (isTheirs || token === undefined)) return { shown: await withNames(kit, own) };
  const linked = token === undefined ? undefined : await findByLink(kit, { id, token });
  return linked ?? (own && { shown: await withNames(kit, own) });
}

/** Returns undefined for a link that gives no access to this approval. */
export async function findByLink(kit: PageKit, link: { id: string; token: string }): Promise<Found | undefined> {
  const page = await kit.clients.approvalPages.showByLink(link).catch(unlessNone);
  return page && { shown: await withNames(kit, page), token: link.token };
}

const unlessNone = unless('NOT_FOUND', 'INVALID_TOKEN');

/** Returns whether the request has a session, also for a user without an organization. */
export const isSignedIn = ({ response }: Pick<Asked, 'response'>): boolean =>
  contextOf(response).caller?.sessionId !== undefined;

const isMember = (asked: Asked): boolean => isSignedIn(asked) && contextOf(asked.response).caller?.orgId !== '';

async function withNames(kit: PageKit, page: ApprovalPage): Promise<Shown> {
  const approval = page.approval!;
  const { integrationName, actionName, orgId } = approval;
  const [brand, piece] = await Promise.all([
    kit.clients.organizations.getBrand({ orgId }),
    findPiece(kit, integrationName),
  ]);
  const action = piece?.actions[actionName];
  const labels = new Map(Object.entries(action?.props ?? {}).map(([key, prop]) => [key, prop.displayName]));
  const names = { integration: piece?.displayName ?? integrationName, action: action?.displayName ?? actionName };
  return { ...page, approval, brand, labels, logoUrl: piece?.logoUrl ?? '', ...names };
}

/** Returns an integration, or undefined if it no longer exists. Pages then display its technical name. */
export async function findPiece({ clients }: PageKit, name: string) {
  return clients.integrations.getIntegration({ name }).catch(unless('INTEGRATION_NOT_FOUND'));
}

/** Moves the token of a link to a cookie, so that no later URL contains it. */
export function keepToken(
  { site }: PageKit,
  { request, response }: Pick<Asked, 'request' | 'response'>,
  { id, token }: { id: string; token: string },
): Onward {
  setAmong({ request, response, site }, 'approval-', { id, secret: token });
  return { to: `/approvals/${id}` };
}
