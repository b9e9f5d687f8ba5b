import { type BatchApp, type BatchCall, type BatchRun } from '@drawbridge/contracts';
import { mailBody, plainName } from '@drawbridge/mail';

/** How a mail asks for a decision. */
export interface Asks {
  expiresAt: Date;
  link: string;
  /** Whether the link itself authorizes the decision, without a sign-in. */
  isHosted: boolean;
}

interface Call extends Asks {
  integrationName: string;
  actionName: string;
}

/** Returns the text of the mail that asks for a decision. Never includes the input: other people may read the mailbox. */
export function approvalMail({ integrationName, actionName, ...asks }: Call) {
  const what = plainName(`${integrationName}: ${actionName}`);
  return toMail(asks, { subject: `Approve ${what}?`, before: `A call waits for your yes or no: ${what}.` });
}

const MAX_SENTENCE = 400;
const MAX_APPS = 20;
const MAX_CALLS = 10;

/**
 * Returns the text of the mail about a run of Code Mode: what the program does, and its calls by application. The program is on the page
 * only, because it can contain input.
 */
export function batchRunMail({ run, ...asks }: Asks & { run: BatchRun }) {
  const { intentSummary, impactSummary, apps } = run;
  const summary = [intentSummary, impactSummary]
    .filter((text) => text !== '')
    .map((text) => plainName(text, MAX_SENTENCE));
  const before = [...summary, 'This program of an AI agent waits for your yes or no.'].join(' ');
  const others = apps.length - MAX_APPS;
  const lines = [...apps.slice(0, MAX_APPS).map(lineOf), ...(others > 0 ? [`and ${others} more applications`] : [])];
  return toMail(asks, { subject: 'Approve a program of an AI agent?', before, lines });
}

/** Names the calls that need this approval. */
function lineOf({ name, calls }: BatchApp): string {
  const shown = calls.slice(0, MAX_CALLS).map(nameOf);
  const others = calls.length - shown.length;
  return `${plainName(name)}: ${[...shown, ...(others > 0 ? [`and ${others} more`] : [])].join(', ')}`;
}

const MARKS = { this: ' (needs this approval)', another: ' (needs another approval)' };

function nameOf({ actionName, needs }: BatchCall): string {
  return plainName(actionName) + (needs ? MARKS[needs] : '');
}

function toMail({ expiresAt, link, isHosted }: Asks, said: { subject: string; before: string; lines?: string[] }) {
  const { subject, ...body } = said;
  const until = `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const warning = isHosted ? 'Anyone with this link can decide: do not share it. ' : '';
  const label = { text: 'See it and decide', html: 'See it and decide' };
  const after = `${warning}Opening the link decides nothing. It can be decided until ${until}.`;
  return { subject, ...mailBody({ language: 'en', ...body, link, label, after }) };
}
