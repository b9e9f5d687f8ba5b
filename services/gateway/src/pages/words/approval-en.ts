/** What the page of an approval says. */
export const approvalEn = {
  title: (action: string, integration: string) => `${action} in ${integration}`,
  lead: (organization: string) => `${organization} asks for a person's yes before this is done.`,
  /** Of each status. */
  status: {
    pending: 'Waiting for a decision',
    approved: 'Approved',
    consumed: 'Approved and done',
    rejected: 'Rejected',
    canceled: 'Canceled',
    expired: 'Nobody decided in time',
  },
  meaning: {
    pending: 'Nothing is done until somebody approves it.',
    approved: 'It is done once, when it is asked for again.',
    consumed: 'It was done once, and is not done again.',
    rejected: 'It is not done.',
    canceled: 'Nobody need decide it any more. It is not done.',
    expired: 'It is not done.',
  },
  by: (how: string, who: string, date: string) =>
    how === 'hosted_link'
      ? `Decided by the link to this page, on ${date}.`
      : `Decided by ${how === 'api_key' ? 'a program of ' : ''}${who}, on ${date}.`,
  endUser: 'the person whom it is for',
  somebodyOf: (organization: string) => `somebody of ${organization}`,
  because: 'Reason given',
  what: 'What will be done',
  action: 'Action',
  account: 'With the account',
  noAccount: 'none',
  person: 'For',
  askedBy: 'Asked for by',
  sources: {
    rest: 'a program, over the REST API',
    sdk: 'a program, over the SDK',
    playground: 'a person, in the playground',
    mcp_tools: 'an AI agent, with an MCP tool',
    mcp_code: 'an AI agent, with code that it wrote',
    trigger: 'an automation, after an event',
  } as Record<string, string>,
  since: 'Since',
  until: 'To be decided by',
  runsUntil: 'May be done until',
  why: 'Why you are asked',
  input: 'What is sent',
  nothing: 'Nothing.',
  showAll: (characters: number) => `Show or hide all ${characters.toLocaleString('en')} characters`,
  truncated: 'This field cannot be shown in full here.',
  size: (bytes: number, sha256: string) => `The value has ${bytes.toLocaleString('en')} bytes. SHA-256: ${sha256}`,
  omitted: (fields: number) =>
    fields === 1
      ? 'One more field is sent and cannot be shown here.'
      : `${fields.toLocaleString('en')} more fields are sent and cannot be shown here.`,
  tooLarge:
    'This link can reject the request but not approve it, because the page cannot show all that is sent. An approver who signs in can approve it.',
  hidden: (paths: string) => `Hidden here: ${paths}`,
  approve: 'Approve…',
  reject: 'Reject…',
  mayNot: 'You may see this, but not decide it. It takes an owner, an administrator, or whom its policy names.',
  suspended:
    'It can not be decided now: the workspace that it belongs to is suspended. An owner or administrator can resume it.',
  live: 'This page looks every 30 seconds whether somebody else has decided.',
  still: 'Keep it still',
  look: 'Look again',
  ask: {
    approve: { title: 'Approve this?', submit: 'Approve' },
    reject: { title: 'Reject this?', submit: 'Reject' },
  },
  reason: 'Reason',
  reasonHint: 'You may leave it empty. It is kept with the decision, for others to read.',
  tooLong: 'Use 1,000 characters at most.',
  back: 'Back, without deciding',
  late: 'It was decided before: nothing has changed.',
  over: {
    title: 'This link does not work',
    text: 'It is not whole, or what it was about is gone. Ask whoever gave it to you for a new one.',
  },
  none: {
    title: 'There is no such approval here',
    text: 'It is gone, is decided by its link alone, or belongs to another organization of yours: choose that one in your account, then open this page again.',
  },
};
