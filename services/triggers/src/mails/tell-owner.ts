import { createHash } from 'node:crypto';
import { type EventOf } from '@drawbridge/events';
import { type Queryable, type Task } from '@drawbridge/jobs';
import { type ConfiguredMail } from '@drawbridge/mail';
import { type MemberServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/members';
import { type Client } from '@drawbridge/rpc';
import { type PoolClient } from 'pg';
import { disabledMail } from './disabled-mail.js';

/** What the queue keeps of a mail: not where to, for who left while it waits is nobody's to write to. */
export interface Told {
  triggerSourceId: string;
  orgId: string;
  workspaceId: string;
  userId: string;
  integrationName: string;
  triggerName: string;
}

/** A person has one such mail in so many minutes, however many of theirs are disabled meanwhile: it is of the last. */
export const TOGETHER_MS = 10 * 60_000;

export interface MailParts {
  members: Pick<Client<MemberServiceDefinition>, 'listAddresses'>;
  /** Undefined where no mail is sent. */
  mail?: ConfiguredMail;
}

/** Triggers that were disabled because nothing arrived, for whoever had enabled them. Who disables one themselves knows. */
export function noticeDisabled(enqueue: (tx: Queryable, told: Told) => Promise<void>) {
  return async (events: EventOf<'triggerDisabled'>[], tx: PoolClient): Promise<void> => {
    for (const { orgId, payload } of events) {
      const { reason, ...disabled } = payload.value;
      if (reason === 'failures') await enqueue(tx, { ...disabled, orgId });
    }
  };
}

/** To nobody who has left the organization, or whose address is not proven. */
export function tellOwner({ members, mail }: MailParts): Task<Told> {
  return async ({ triggerSourceId, orgId, workspaceId: placeId, userId, ...which }) => {
    const { emails } = await members.listAddresses({ orgId, placeId, roles: [], userIds: [userId] });
    const [to] = emails;
    if (!mail || to === undefined) return;
    const id = createHash('sha256').update(`disabled ${triggerSourceId}`).digest('hex').slice(0, 32);
    await mail.send({ id: `trigger.${id}`, to, ...disabledMail({ ...which, baseUrl: mail.baseUrl }) });
  };
}
