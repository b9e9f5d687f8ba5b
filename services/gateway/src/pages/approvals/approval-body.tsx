import { makeVisible } from '@drawbridge/contracts';
import { type ApprovalPage } from '@drawbridge/proto/drawbridge/approvals/v1/pages';
import { type Approval } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { type Brand } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { type VNode } from 'preact';
import { Emblem } from '../kit/marks.js';
import { type Asked } from '../kit/page-kit.js';
import { Fact, ButtonLink, Section } from '../kit/parts.js';
import { When } from '../kit/when.js';
import { type Words } from '../words/en.js';
import { ApprovalInput } from './approval-input.js';
import { BatchCalls, BatchSummary, isBatchRun } from './batch-run.js';

/** An approval with all the data that its page shows. */
export interface Shown extends Omit<ApprovalPage, 'approval'> {
  approval: Approval;
  brand: Brand;
  /** The display name of the integration. `action` is that of the action, and `labels` contains those of the input fields. */
  integration: string;
  /** Empty for an integration that no longer exists. */
  logoUrl: string;
  action: string;
  labels: ReadonlyMap<string, string>;
}

interface Props extends Shown, Pick<Asked, 'words' | 'path'> {
  notice?: VNode;
  /** After the decision, a visitor with the hosted link sees only the outcome. */
  isBrief: boolean;
  /** True if the page does not refresh automatically. */
  isStill: boolean;
}

export type Facts = Omit<Props, 'notice' | 'isBrief' | 'isStill'>;

type Status = keyof Words['approval']['status'];

const LOOKS: Record<Status, string> = {
  pending: 'open',
  approved: '',
  consumed: '',
  rejected: 'bad',
  canceled: 'bad',
  expired: 'bad',
};

const statusOf = ({ status }: Approval): Status => status as Status;

export const homeOf = ({ id }: Approval): string => `/approvals/${id}`;

/** Shows a pending approval, or its outcome. */
export function ApprovalBody({ notice, isBrief, isStill, ...shown }: Props): VNode {
  const { approval, brand, mayDecide, words, path } = shown;
  const its = words.approval;
  const isPending = approval.status === 'pending';
  return (
    <>
      <div class="named">
        {!isBatchRun(approval) && <Emblem name={shown.integration} logo={shown.logoUrl} />}
        <div>
          <h1>{titleOf(shown, words)}</h1>
          <p class="lead">{(isBatchRun(approval) ? its.batch : its).lead(brand.name)}</p>
        </div>
      </div>
      {notice}
      {!isBrief && isBatchRun(approval) && <BatchSummary approval={approval} words={words} />}
      <Outcome {...shown} />
      {!isBrief && <What {...shown} />}
      {mayDecide && shown.tooLargeForLink && <p class="notice bad below">{its.tooLarge}</p>}
      {mayDecide && (
        <p class="choices sticky">
          {!shown.tooLargeForLink && (
            <a class="button primary" href={path(`${homeOf(approval)}/approve`)}>
              {its.approve}
            </a>
          )}
          <ButtonLink to={path(`${homeOf(approval)}/reject`)} label={its.reject} isDanger />
        </p>
      )}
      {isPending && (
        <p class="quiet below">
          {isStill ? '' : `${its.live} `}
          <a href={path(homeOf(approval) + (isStill ? '' : '?still'))}>{isStill ? its.look : its.still}</a>
        </p>
      )}
    </>
  );
}

/** Returns one sentence that describes the call, for the title of a page. */
export function titleOf({ approval, action, integration, ...shown }: Shown, { approval: its }: Words): string {
  if (isBatchRun(approval)) return its.batch.title;
  const { summary = action, account } = shown;
  const what = its.title(summary, integration);
  return account === undefined || account === integration ? what : its.as(what, makeVisible(account));
}

/** Shows everything that would run after an approval: the input of a call, or the predicted calls of a program. */
export function What(shown: Facts): VNode {
  const { approval, labels, words } = shown;
  if (!isBatchRun(approval))
    return (
      <>
        <Details {...shown} />
        <ApprovalInput approval={approval} labels={labels} words={words} />
      </>
    );
  return (
    <>
      <BatchCalls approval={approval} words={words} />
      <Details {...shown} />
    </>
  );
}

/** Shows the status, the decision and its reason. A reader who may not decide learns this before the details. */
function Outcome({ approval, brand, decidedByName, mayDecide, suspended, words }: Facts): VNode {
  const its = words.approval;
  const { decidedBy, decidedAt, decisionReason } = approval;
  const status = statusOf(approval);
  const who = { api_key: brand.name, end_user: its.endUser }[decidedBy?.type ?? ''] ?? decidedByName;
  return (
    <section class={status === 'pending' ? 'card state' : 'card'} aria-labelledby="status">
      <h2 id="status">
        <span class={`badge ${LOOKS[status]}`}>{its.status[status]}</span>
      </h2>
      <p>{(isBatchRun(approval) ? its.batch : its).meaning[status]}</p>
      {status === 'pending' && !mayDecide && <p>{suspended ? its.suspended : its.mayNot}</p>}
      {decidedBy && decidedAt !== undefined && (
        <p>
          {its.by(decidedBy.type, makeVisible(who ?? its.somebodyOf(brand.name)))} ·{' '}
          <When at={decidedAt} words={words} />
        </p>
      )}
      {decisionReason !== undefined && (
        <dl class="facts">
          <Fact name={its.because} value={decisionReason} />
        </dl>
      )}
    </section>
  );
}

/** Shows the account, the end user, the deadlines, and the reasons why approval is needed. */
function Details(shown: Facts): VNode {
  const { approval, integration, action, account, runsUntil, words } = shown;
  const its = words.approval;
  const { integrationAlias: alias, endUserId, source, createdAt, expiresAt, status, riskReasons } = approval;
  const isOneCall = !isBatchRun(approval);
  const when = (at: string): VNode => <When at={at} words={words} />;
  const facts: [string, string | VNode | undefined][] = [
    [
      its.action,
      isOneCall ? its.title(action, alias === undefined ? integration : `${integration} (${alias})`) : undefined,
    ],
    [its.account, isOneCall ? (account ?? its.noAccount) : undefined],
    [its.person, endUserId],
    [its.askedBy, its.sources[source] ?? source],
    [its.since, when(createdAt)],
    [its.until, status === 'pending' ? when(expiresAt) : undefined],
    [its.runsUntil, status === 'approved' && runsUntil !== undefined ? when(runsUntil) : undefined],
  ];
  return (
    <Section id="what" title={isOneCall ? its.what : its.batch.request}>
      <dl class="facts pairs">
        {facts.map(([name, value]) => value !== undefined && <Fact name={name} value={value} />)}
      </dl>
      <h2>{its.why}</h2>
      <ul>
        {riskReasons.map((reason) => (
          <li>{makeVisible(reason)}</li>
        ))}
      </ul>
    </Section>
  );
}
