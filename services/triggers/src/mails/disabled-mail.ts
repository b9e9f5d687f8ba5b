import { createHash } from 'node:crypto';
import { type EventOf } from '@drawbridge/events';
import { type Queryable, type Task } from '@drawbridge/jobs';
import { type ConfiguredMail, type MailBrand, mailWithLink, plainName } from '@drawbridge/mail';
import { findPiece } from '@drawbridge/pieces';
import { type MemberServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/members';
import { type OrganizationServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { type Client } from '@drawbridge/rpc';
import { type PoolClient } from 'pg';
import { type Disabled } from '../sources/disable-source.js';

/** The payload of an email job. It contains no address, because the user may leave the organization while the job waits. */
export type Told = Disabled & { orgId: string };

/**
 * Time, in milliseconds, in which a user receives at most one email about disabled triggers. The email describes the trigger that was disabled last.
 */
export const TOGETHER_MS = 10 * 60_000;

interface MailParts {
  members: Pick<Client<MemberServiceDefinition>, 'listAddresses'>;
  organizations: Pick<Client<OrganizationServiceDefinition>, 'getBrand'>;
  /** Undefined if email is not configured. */
  mail?: ConfiguredMail;
}

/**
 * Returns an event handler that enqueues emails to the owners of triggers that were disabled because of failures. Users who disable a trigger
 * themselves receive none.
 */
export function noticeDisabled(enqueue: (tx: Queryable, told: Told) => Promise<void>) {
  return async (events: EventOf<'triggerDisabled'>[], tx: PoolClient): Promise<void> => {
    for (const { orgId, payload } of events) {
      const { reason, ...disabled } = payload.value;
      if (reason === 'failures') await enqueue(tx, { ...disabled, orgId });
    }
  };
}

/** Sends the email, unless the owner has left the organization or the address of the owner is not verified. */
export function tellOwner({ members, organizations, mail }: MailParts): Task<Told> {
  return async ({ triggerSourceId, orgId, workspaceId: placeId, userId, ...which }) => {
    const { emails } = await members.listAddresses({ orgId, placeId, roles: [], userIds: [userId] });
    const [to] = emails;
    if (!mail || to === undefined) return;
    const id = createHash('sha256').update(`disabled ${triggerSourceId}`).digest('hex').slice(0, 32);
    const { baseUrl, language } = mail;
    const brand = await organizations.getBrand({ orgId });
    await mail.send({ id: `trigger.${id}`, to, ...disabledMail({ ...which, brand, baseUrl, language }) });
  };
}

type Said = Pick<Told, 'integrationName' | 'triggerName'> &
  Pick<ConfiguredMail, 'baseUrl' | 'language'> & { brand: MailBrand };

/** Builds the email to the owner of a trigger that was disabled because all of its callbacks failed. */
export function disabledMail({ integrationName, triggerName, brand, baseUrl, language }: Said) {
  const piece = findPiece(integrationName);
  const trigger = piece?.triggers?.[triggerName]?.displayName ?? triggerName;
  const words = WORDS[language](plainName(`${piece?.displayName ?? integrationName}: ${trigger}`));
  return mailWithLink({ ...words, language, brand, link: `${baseUrl}/docs/guides/triggers` });
}

const WORDS = {
  en: (what: string) => ({
    subject: `Disabled: ${what}`,
    before: `A trigger that you enabled is now disabled: ${what}. Its callback address accepted no event for five days.`,
    label: 'How to enable it again',
    after: 'Check your other triggers, too: GET /api/v1/triggers lists those that are still enabled.',
  }),
  de: (what: string) => ({
    subject: `Deaktiviert: ${what}`,
    before: `Ein Trigger, den Sie aktiviert haben, ist jetzt deaktiviert: ${what}. Seine Callback-Adresse hat fünf Tage lang kein Ereignis angenommen.`,
    label: 'So aktivieren Sie ihn wieder',
    after: 'Prüfen Sie auch Ihre anderen Trigger: GET /api/v1/triggers listet alle auf, die noch aktiv sind.',
  }),
};
