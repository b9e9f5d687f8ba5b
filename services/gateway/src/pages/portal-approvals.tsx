import { type EndUserApproval } from '@drawbridge/proto/drawbridge/approvals/v1/pages';
import { type Portal } from '@drawbridge/proto/drawbridge/connections/v1/portal';
import { type VNode } from 'preact';
import { findPiece, keepToken } from './approvals/find-approval.js';
import { type Asked, type Onward, type PageKit } from './kit/page-kit.js';
import { Form, Section } from './kit/parts.js';
import { readForm } from './kit/form.js';
import { When } from './kit/when.js';

/** A short timeout for the list of approvals, because the rest of the portal page waits for it. */
const LIST = { timeoutMs: 3_000 };

/** A pending approval of the end user of the portal. */
export interface Waiting extends EndUserApproval {
  /** The display names of the action and its integration. */
  title: string;
}

interface Entered {
  asked: Asked;
  portal: Portal;
  home: string;
}

/** Returns the pending approvals of the end user. */
export async function findWaiting(kit: PageKit, { asked, portal }: Omit<Entered, 'home'>): Promise<Waiting[]> {
  const { orgId, workspaceId: placeId, id: linkId, endUserId, integrationName } = portal;
  const asks = { orgId, placeId, endUserId, integrationName, linkId };
  const { approvals } = await kit.clients.approvalPages.listForEndUser(asks, LIST);
  const names = [...new Set(approvals.map((one) => one.integrationName))];
  const pieces = new Map(await Promise.all(names.map(async (name) => [name, await findPiece(kit, name)] as const)));
  return approvals.map((one) => {
    const piece = pieces.get(one.integrationName);
    const action = piece?.actions[one.actionName]?.displayName ?? one.actionName;
    const its = asked.words.approval;
    const ofCall = its.title(action, piece?.displayName ?? one.integrationName);
    return { ...one, title: one.isBatchRun ? its.batch.title : ofCall };
  });
}

/** Redirects to the page of the approval, or back to the list if it is no longer pending. */
export async function enterApproval(kit: PageKit, { asked, portal, home }: Entered): Promise<Onward> {
  const form = await readForm(asked.request, kit.site);
  const found = (await findWaiting(kit, { asked, portal })).find(({ id }) => id === form('id'));
  return found ? keepToken(kit, asked, found) : { to: home };
}

interface Props extends Pick<Asked, 'words' | 'path'> {
  waiting: Waiting[];
  home: string;
}

export function WaitingApprovals({ waiting, home, words, path }: Props): VNode {
  const its = words.portal;
  return (
    <Section id="waiting" title={its.waiting}>
      <ul class="rows">
        {waiting.map(({ id, title, expiresAt }) => (
          <li>
            <div>
              <strong>{title}</strong>
              <span class="quiet">
                <When at={expiresAt} words={words} phrase={its.waitingUntil} />
              </span>
            </div>
            <Form action={path(`${home}/approval`)} hidden={{ id }}>
              <button type="submit" aria-label={its.lookAt(title)}>
                {its.look}
              </button>
            </Form>
          </li>
        ))}
      </ul>
    </Section>
  );
}
