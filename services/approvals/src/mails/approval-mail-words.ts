import { type MailLanguage } from '@drawbridge/mail';

const en = {
  call: (action: string, integration: string): string => `${action} in ${integration}`,
  subject: (what: string): string => `Approve: ${what}?`,
  before: (organization: string, what: string): string =>
    `${organization} needs your approval before this runs: ${what}.`,
  warning: 'Anyone with this link can decide: do not share it. ',
  label: 'Review and decide',
  after: (until: string): string => `Opening the link decides nothing. You can decide until ${until}.`,
  batch: {
    subject: 'Approve a program of an AI agent?',
    before: 'This program of an AI agent waits for your approval.',
    needs: { this: 'needs this approval', another: 'needs another approval' },
    moreCalls: (calls: number): string => `and ${calls} more`,
    moreApps: (apps: number): string => `and ${apps} more applications`,
  },
};

const de: typeof en = {
  call: (action, integration) => `${action} in ${integration}`,
  subject: (what) => `Genehmigen: ${what}?`,
  before: (organization, what) => `${organization} braucht Ihre Genehmigung, bevor dies ausgeführt wird: ${what}.`,
  warning: 'Wer diesen Link hat, kann entscheiden: Teilen Sie ihn nicht. ',
  label: 'Ansehen und entscheiden',
  after: (until) => `Das Öffnen des Links entscheidet nichts. Sie können bis ${until} entscheiden.`,
  batch: {
    subject: 'Ein Programm eines KI-Agenten genehmigen?',
    before: 'Dieses Programm eines KI-Agenten wartet auf Ihre Genehmigung.',
    needs: { this: 'braucht diese Genehmigung', another: 'braucht eine andere Genehmigung' },
    moreCalls: (calls) => `und ${calls} weitere`,
    moreApps: (apps) => `und ${apps} weitere Anwendungen`,
  },
};

/** The texts of emails that request a decision. */
export const WORDS: Record<MailLanguage, typeof en> = { en, de };
