/** The texts about a run of Code Mode on the page of an approval. */
export const batchRunEn = {
  title: 'Run a program',
  lead: (organization: string) => `${organization} needs your approval for calls of a program that an AI agent wrote.`,
  ask: { approve: 'Approve this run?', reject: 'Reject this run?' },
  /** The texts of the statuses for which the text for a single call does not fit. */
  meaning: {
    pending: 'The calls that need this approval do not run until it is given.',
    approved: 'The program makes these calls once the agent continues it.',
    consumed: 'The program has used this approval. No other program can use it.',
    rejected: 'The program ends without these calls.',
    canceled: 'This approval is no longer needed. The program ends without these calls.',
    expired: 'No decision was made in time. The program ends without these calls.',
  },
  about: 'What the program does',
  calls: 'What the program can call',
  noCalls: 'No calls are listed.',
  countOf: (calls: number) => (calls === 1 ? '1 call' : `${calls} calls`),
  needs: { this: 'needs this approval', another: 'needs another approval' },
  more: (calls: number) =>
    calls === 1 ? 'One more call is not listed here.' : `${calls.toLocaleString('en')} more calls are not listed here.`,
  covers:
    'This approval covers only the calls that are marked “needs this approval”, in this run of this program. The input of a call is not known yet: a policy about amounts, recipients, domains or paths can still ask for another approval or block the call.',
  confidence: {
    exact: 'The program names each of its calls. The list is complete.',
    partial: 'The list may be incomplete. A call that is not listed can run if no policy requires an approval for it.',
    dynamic:
      'The calls cannot be predicted: the program chooses them while it runs. It can make each of these calls, or none, and any number of times.',
  },
  signals: 'Why the calls cannot be predicted',
  domains: 'Addresses in the program',
  storage: 'Storage in the program',
  request: 'About this request',
  program: 'The program',
  showProgram: 'Show or hide the program',
  noProgram: 'The program cannot be shown here.',
};
