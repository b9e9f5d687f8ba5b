import { type BatchApp, type BatchCall, type BatchRun } from '@drawbridge/contracts';
import { type MailBrand, type MailLanguage, mailWithLink, plainName } from '@drawbridge/mail';
import { WORDS } from './approval-mail-words.js';

/** The data of an email that requests a decision. */
export interface Asks {
  expiresAt: Date;
  link: string;
  /** True if the link authorizes the decision without a sign-in. */
  isHosted: boolean;
  brand: MailBrand;
  language: MailLanguage;
}

interface Call extends Asks {
  /** The display names of the integration and the action. */
  integration: string;
  action: string;
}

/** Builds the email that requests a decision. It never contains the input of the call, because other people may read the mailbox. */
export function approvalMail({ integration, action, ...asks }: Call) {
  const its = WORDS[asks.language];
  const what = plainName(its.call(action, integration), MAX_CALL);
  return toMail(asks, { subject: its.subject(what), before: its.before(plainName(asks.brand.name), what) });
}

const MAX_CALL = 160;
const MAX_SENTENCE = 400;
const MAX_APPS = 20;
const MAX_CALLS = 10;

/**
 * Builds the email about a Code Mode run: the purpose of the program, and its calls by application. The email does not contain the program, because
 * the program can contain input. Only the linked page displays it.
 */
export function batchRunMail({ run, ...asks }: Asks & { run: BatchRun }) {
  const { intentSummary, impactSummary, apps } = run;
  const its = WORDS[asks.language].batch;
  const summary = [intentSummary, impactSummary]
    .filter((text) => text !== '')
    .map((text) => plainName(text, MAX_SENTENCE));
  const others = apps.length - MAX_APPS;
  const shown = apps.slice(0, MAX_APPS).map((app) => lineOf(app, asks.language));
  const lines = [...shown, ...(others > 0 ? [its.moreApps(others)] : [])];
  return toMail(asks, { subject: its.subject, before: [...summary, its.before].join(' '), lines });
}

/** Lists the calls of an application, and which of them need an approval. */
function lineOf({ name, calls }: BatchApp, language: MailLanguage): string {
  const { moreCalls, needs } = WORDS[language].batch;
  const nameOf = (call: BatchCall): string =>
    plainName(call.actionName) + (call.needs ? ` (${needs[call.needs]})` : '');
  const shown = calls.slice(0, MAX_CALLS).map(nameOf);
  const others = calls.length - shown.length;
  return `${plainName(name)}: ${[...shown, ...(others > 0 ? [moreCalls(others)] : [])].join(', ')}`;
}

function toMail({ expiresAt, isHosted, ...asks }: Asks, said: { subject: string; before: string; lines?: string[] }) {
  const { warning, label, after } = WORDS[asks.language];
  const until = `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return mailWithLink({ ...asks, ...said, label, after: (isHosted ? warning : '') + after(until) });
}
