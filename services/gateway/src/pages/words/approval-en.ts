import { batchRunEn } from './batch-run-en.js';

/** The texts of the page of an approval. */
export const approvalEn = {
  title: (action: string, integration: string) => `${action} in ${integration}`,
  as: (what: string, account: string) => `${what} as ${account}`,
  lead: (organization: string) => `${organization} needs your approval before this action runs.`,
  /** The text of each status. */
  status: {
    pending: 'Waiting for a decision',
    approved: 'Approved',
    consumed: 'Approved and executed',
    rejected: 'Rejected',
    canceled: 'Canceled',
    expired: 'Expired',
  },
  meaning: {
    pending: 'Nothing runs until this is approved.',
    approved: 'It runs once, when the app retries the request.',
    consumed: 'It ran once and will not run again.',
    rejected: 'It will not run.',
    canceled: 'This approval is no longer needed. It will not run.',
    expired: 'No decision was made in time. It will not run.',
  },
  by: (how: string, who: string) =>
    how === 'hosted_link'
      ? 'Decided with the link to this page'
      : `Decided by ${how === 'api_key' ? 'an API key of ' : ''}${who}`,
  endUser: 'the person this is for',
  somebodyOf: (organization: string) => `a member of ${organization}`,
  because: 'Reason given',
  what: 'Details',
  action: 'Action',
  account: 'Account',
  noAccount: 'none',
  person: 'For',
  askedBy: 'Requested by',
  sources: {
    rest: 'an application, over the REST API',
    sdk: 'an application, with the SDK',
    playground: 'a person, in the playground',
    mcp_tools: 'an AI agent, with an MCP tool',
    mcp_code: 'an AI agent, with generated code',
    trigger: 'an automation, after an event',
  } as Record<string, string>,
  since: 'Requested',
  until: 'Expires',
  runsUntil: 'Approval ends',
  why: 'Why approval is needed',
  input: 'What will be sent',
  nothing: 'Nothing.',
  showAll: (characters: number) => `Show or hide all ${characters.toLocaleString('en')} characters`,
  truncated: 'This field cannot be shown in full here.',
  size: (bytes: number, sha256: string) => `The value has ${bytes.toLocaleString('en')} bytes. SHA-256: ${sha256}`,
  omitted: (fields: number) =>
    fields === 1
      ? 'One more field will be sent that cannot be shown here.'
      : `${fields.toLocaleString('en')} more fields will be sent that cannot be shown here.`,
  tooLarge:
    'With this link you can reject the request but not approve it, because this page cannot show the whole input. An approver who signs in can approve it.',
  hidden: (paths: string) => `Hidden here: ${paths}`,
  approve: 'Approve…',
  reject: 'Reject…',
  mayNot: 'You can see this request but not decide it. Owners, administrators and the approvers of its policy can.',
  suspended:
    'This request cannot be decided, because its workspace is suspended. An owner or administrator can resume the workspace.',
  live: 'Updates automatically every 30 seconds.',
  still: 'Pause',
  look: 'Check again',
  ask: {
    approve: { title: 'Approve this action?', submit: 'Approve' },
    reject: { title: 'Reject this action?', submit: 'Reject' },
  },
  reason: 'Reason',
  reasonHint: 'Optional. It is stored with the decision, and others can read it.',
  tooLong: 'Use 1,000 characters at most.',
  back: 'Back without a decision',
  late: 'A decision was already made. Nothing has changed.',
  batch: batchRunEn,
  over: {
    title: 'This link does not work',
    text: 'It is incomplete, or its request no longer exists. Ask for a new link.',
  },
  none: {
    title: 'Approval not found',
    text: 'It was deleted, can be decided only with its link, or belongs to another of your organizations. Switch to that organization in your account, then open this page again.',
  },
};
