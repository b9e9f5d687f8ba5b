import { type SentMails } from '@drawbridge/mail';

/** An invitation is a mail where any is sent. */
export const INVITED: SentMails = {
  table: 'members.invitations',
  bounds: { pair: 5, address: 20, organization: 500 },
};
