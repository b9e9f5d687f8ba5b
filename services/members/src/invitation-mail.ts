import { mailBody, plainName } from '@drawbridge/mail';

/** Builds the mail of an invitation. Names are user input: the mail shows them as text. */
export function invitationMail({
  organization,
  link,
  expiresAt,
}: {
  organization: string;
  link: string;
  expiresAt: Date;
}) {
  const name = plainName(organization);
  const until = expiresAt.toISOString().slice(0, 10);
  return {
    subject: `Join ${name} on Drawbridge`,
    ...mailBody({
      language: 'en',
      before: `You are invited to join ${name} on Drawbridge.`,
      link,
      label: { text: 'Accept', html: 'Accept the invitation' },
      after: `The invitation is for this email address and open until ${until}. If you do not know who sent it, you need not do anything.`,
    }),
  };
}
