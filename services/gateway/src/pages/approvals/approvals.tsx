import { ApiError, cutText } from '@drawbridge/contracts';
import { type Router } from 'express';
import { type VNode } from 'preact';
import { secretCookie } from '../../auth/secret-cookies.js';
import { type Asked, messagePage, type Onward, type PageAnswer, type PageKit, pageRoutes } from '../kit/page-kit.js';
import { Notice } from '../kit/parts.js';
import { readForm } from '../kit/form.js';
import { ApprovalBody, homeOf, titleOf } from './approval-body.js';
import { AskBody, askTitle, type Choice } from './ask-body.js';
import { findByLink, findShown, type Found, idOf, isSignedIn, keepToken } from './find-approval.js';
import { isLong } from './approval-input.js';
import { isBatchRun } from './batch-run.js';

/** The path of an approval's page. Its group matches the approval id. */
const APPROVAL = '/approvals/(apr_[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})';
const LOOK_AGAIN_SECONDS = 30;
/** Maximum length of the reason for a decision, in characters. Equals the limit of the API. */
const MAX_REASON = 1_000;
const UNNAMED = { 'Referrer-Policy': 'no-referrer' };

/**
 * Serves `/approvals/<id>` for signed-in users and `/approvals/<id>?token=…` for hosted links. The token of a hosted link is moved from the URL to a
 * cookie immediately. Opening either page decides nothing.
 */
export function approvalPages(kit: PageKit): Router {
  const home = new RegExp(`^${APPROVAL}$`);
  const choice = new RegExp(`^${APPROVAL}/(approve|reject)$`);
  return pageRoutes(kit, [
    ['get', home, (asked) => openPage(kit, asked)],
    ['get', choice, (asked) => found(kit, asked, (one) => askPage(asked, one))],
    ['post', choice, (asked) => submit(kit, asked)],
  ]);
}

async function openPage(kit: PageKit, asked: Asked): Promise<Answer> {
  const { token } = asked.request.query;
  return token === undefined ? found(kit, asked, (one) => statePage(asked, one)) : enter(kit, asked, String(token));
}

async function submit(kit: PageKit, asked: Asked): Promise<Answer> {
  const form = await readForm(asked.request, kit.site);
  const reason = form('reason').replaceAll('\r\n', '\n').trim();
  return found(kit, asked, (one) => decide(kit, asked, { ...one, reason }));
}

async function enter(kit: PageKit, asked: Asked, token: string): Promise<Onward | PageAnswer> {
  const link = { id: idOf(asked), token };
  if (!(await findByLink(kit, link))) return overPage(asked);
  asked.response.set({ ...UNNAMED, 'Cache-Control': 'no-store' });
  return keepToken(kit, asked, link);
}

type Answer = PageAnswer | Onward;

/**
 * Returns the response for an approval that the reader may see. Other signed-in users and invalid links get 404; visitors without a session are
 * redirected to sign-in.
 */
async function found(kit: PageKit, asked: Asked, answer: (one: Found) => Answer | Promise<Answer>): Promise<Answer> {
  const one = await findShown(kit, asked);
  if (one) return answer(one);
  if (isSignedIn(asked)) return nonePage(asked);
  const { request, response } = asked;
  const id = idOf(asked);
  const linked = secretCookie(kit.site, 'approval-', id);
  if (linked.read(request) !== undefined) {
    linked.clear(response);
    return overPage(asked);
  }
  kit.cookie.clear(response);
  return { to: `/sign-in?next=/approvals/${id}` };
}

interface Said {
  notice?: VNode;
  status?: number;
}

/** Returns the page of an approval. It refreshes automatically while the approval is pending, unless the reader paused it. */
function statePage({ request, words, path }: Asked, { shown, token }: Found, said: Said = {}): PageAnswer {
  const { approval, brand } = shown;
  const isPending = approval.status === 'pending';
  // A page with collapsed texts does not refresh automatically: the reload would collapse a text that the reader has opened.
  const canOpen = isBatchRun(approval) || Object.values(approval.inputPreview ?? {}).some(isLong);
  const isStill = request.query['still'] !== undefined || canOpen;
  const isBrief = token !== undefined && !isPending;
  const body = (
    <ApprovalBody {...shown} words={words} path={path} notice={said.notice} isBrief={isBrief} isStill={isStill} />
  );
  const again = isPending && !isStill && said.status === undefined;
  const headers: Record<string, string> = again ? { Refresh: String(LOOK_AGAIN_SECONDS) } : {};
  return { title: titleOf(shown, words), body, brand, headers, isWide: true, status: said.status };
}

function askPage(asked: Asked, { shown }: Found, typed: { reason?: string; problem?: string } = {}): Answer {
  const { request, words, path } = asked;
  const choice = choiceOf(request);
  if (!shown.mayDecide || isRefused(choice, shown)) return { to: homeOf(shown.approval) };
  const title = askTitle(choice, shown, words);
  const body = <AskBody {...shown} {...typed} choice={choice} words={words} path={path} />;
  return { title, body, brand: shown.brand, isWide: true, status: typed.problem === undefined ? 200 : 400 };
}

/** Decides once. A later decision gets 409, and the page shows the first decision. */
async function decide(kit: PageKit, asked: Asked, { reason, ...one }: Found & { reason: string }): Promise<Answer> {
  const { approval, mayDecide } = one.shown;
  const its = asked.words.approval;
  if (approval.status !== 'pending') return statePage(asked, one, { notice: late(its.late), status: 409 });
  if (!mayDecide) return statePage(asked, one, { status: 403 });
  if (cutText(reason, MAX_REASON) !== reason) return askPage(asked, one, { reason, problem: its.tooLong });
  const decision = await send(kit, choiceOf(asked.request), { ...one, reason }).catch(unlessNotShown);
  if (!decision) return statePage(asked, one, { status: 403 });
  if (!decision.wasDecided) return { to: homeOf(approval) };
  return found(kit, asked, (now) => statePage(asked, now, { notice: late(its.late), status: 409 }));
}

/** Returns undefined if a hosted link cannot approve the call, because its page does not show all of it. The page says so. Rethrows other errors. */
function unlessNotShown(error: unknown): undefined {
  if (error instanceof ApiError && error.details.reason === 'not_shown_in_full') return;
  throw error;
}

function send({ clients }: PageKit, choice: Choice, { shown, token, reason }: Found & { reason: string }) {
  const { id } = shown.approval;
  const note = { reason: reason === '' ? undefined : reason };
  const isYes = choice === 'approve';
  if (token === undefined) {
    return isYes ? clients.approvals.approveApproval({ id, note }) : clients.approvals.rejectApproval({ id, note });
  }
  const linked = { id, token, note };
  return isYes ? clients.approvalPages.approveByLink(linked) : clients.approvalPages.rejectByLink(linked);
}

const isRefused = (choice: Choice, { tooLargeForLink }: Found['shown']): boolean =>
  choice === 'approve' && tooLargeForLink;

const choiceOf = ({ params }: Asked['request']): Choice => (params[1] === 'approve' ? 'approve' : 'reject');

const late = (said: string): VNode => <Notice kind="bad">{said}</Notice>;

/** Returns the page for an approval that is not available. It does not mention other links in this browser. */
const overPage = ({ words }: Asked): PageAnswer => messagePage(words.approval.over, { status: 404, headers: UNNAMED });

function nonePage({ words, path }: Asked): PageAnswer {
  const link = (
    <p>
      <a href={path('/account')}>{words.errors.home}</a>
    </p>
  );
  return messagePage(words.approval.none, { status: 404, link });
}
