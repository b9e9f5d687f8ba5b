import { mailBody, plainName } from '@drawbridge/mail';

interface Said {
  integrationName: string;
  actionName: string;
  expiresAt: Date;
  link: string;
  /** Whether the link itself authorizes the decision, without a sign-in. */
  isHosted: boolean;
}

/** Returns the text of the mail that asks for a decision. Never includes the input: other people may read the mailbox. */
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
