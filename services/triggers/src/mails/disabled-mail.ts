import { mailBody, plainName } from '@drawbridge/mail';

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
