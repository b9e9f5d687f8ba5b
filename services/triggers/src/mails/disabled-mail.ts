import { createHash } from 'node:crypto';
import { type EventOf } from '@drawbridge/events';
import { type Queryable, type Task } from '@drawbridge/jobs';
import { type ConfiguredMail, mailBody, plainName } from '@drawbridge/mail';
import { type MemberServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/members';
import { type Client } from '@drawbridge/rpc';
import { type PoolClient } from 'pg';

/** The payload of a mail's job. It holds no address, because the user may leave the organization while the job waits. */
export interface Told {
  triggerSourceId: string;
  orgId: string;
  workspaceId: string;
  userId: string;
  integrationName: string;
  triggerName: string;
}

/** A user gets at most one such mail in this time. It names the trigger that was disabled last. */
export const TOGETHER_MS = 10 * 60_000;

interface MailParts {
  members: Pick<Client<MemberServiceDefinition>, 'listAddresses'>;
  /** Undefined if no mail is configured. */
  mail?: ConfiguredMail;
}

/** Enqueues mails to the owners of triggers that were disabled for their failures. Users who disable a trigger themselves get none. */
export function noticeDisabled(enqueue: (tx: Queryable, told: Told) => Promise<void>) {
  return async (events: EventOf<'triggerDisabled'>[], tx: PoolClient): Promise<void> => {
    for (const { orgId, payload } of events) {
      const { reason, ...disabled } = payload.value;
      if (reason === 'failures') await enqueue(tx, { ...disabled, orgId });
    }
  };
}

/** Sends the mail, unless the owner has left the organization or the address is not verified. */
export function tellOwner({ members, mail }: MailParts): Task<Told> {
  return async ({ triggerSourceId, orgId, workspaceId: placeId, userId, ...which }) => {
    const { emails } = await members.listAddresses({ orgId, placeId, roles: [], userIds: [userId] });
    const [to] = emails;
    if (!mail || to === undefined) return;
    const id = createHash('sha256').update(`disabled ${triggerSourceId}`).digest('hex').slice(0, 32);
    await mail.send({ id: `trigger.${id}`, to, ...disabledMail({ ...which, baseUrl: mail.baseUrl }) });
  };
}

interface Said {
  integrationName: string;
  triggerName: string;
  /** The public URL of the gateway. */
  baseUrl: string;
}

/** Builds the mail to the owner of a trigger that was disabled because none of its callbacks arrived. */
export function disabledMail({ integrationName, triggerName, baseUrl }: Said) {
  const what = plainName(`${integrationName}: ${triggerName}`);
  return {
    subject: `Disabled: ${what}`,
    ...mailBody({
      language: 'en',
      before: `A trigger that you had enabled is disabled: ${what}. None of its callbacks arrived for five days.`,
      link: `${baseUrl}/docs`,
      label: { text: 'How to enable it again', html: 'How to enable it again' },
      after: 'Others of yours may be, too: GET /api/v1/triggers lists what is still enabled.',
    }),
  };
}
