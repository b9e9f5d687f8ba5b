import { type SentMails } from '@drawbridge/mail';

/** Limits invitations, because each one sends a mail if mail is configured. */
export const INVITED: SentMails = {
  table: 'members.invitations',
  bounds: { pair: 5, address: 20, organization: 500 },
};
