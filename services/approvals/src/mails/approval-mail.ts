import { mailBody, plainName } from '@drawbridge/mail';

interface Said {
  integrationName: string;
  actionName: string;
  expiresAt: Date;
  link: string;
  /** Whoever has the link may decide: no sign-in stands before it. */
  isHosted: boolean;
}

/** What the mail says by which somebody is asked. Never what would be sent: a mailbox is read by others. */
export function approvalMail({ integrationName, actionName, expiresAt, link, isHosted }: Said) {
  const what = plainName(`${integrationName}: ${actionName}`);
  const until = `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const warning = isHosted ? 'Whoever has the link may decide: keep it to yourself. ' : '';
  return {
    subject: `Approve ${what}?`,
    ...mailBody({
      language: 'en',
      before: `A call waits for your yes or no: ${what}.`,
      link,
      label: { text: 'See it and decide', html: 'See it and decide' },
      after: `${warning}Opening the link decides nothing. It can be decided until ${until}.`,
    }),
  };
}
