import { JobFailure } from '@drawbridge/jobs';
import { createTransport } from 'nodemailer';

/** One attempt ends within what a process is given to end. */
const ATTEMPT_MS = 15_000;
/** For each step of it. */
const STEP_MS = 10_000;

export interface Mail {
  /** The same in every attempt: who got it twice can tell. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Sends a mail, or fails with the JobFailure that says why and whether another attempt makes sense. */
export type SendMail = (mail: Mail) => Promise<void>;

/** Mail leaves here and nowhere else: to the server that the operator names, not by packages/egress, which guards what callers name. */
export function mailer(smtpUrl: string, from: string): SendMail {
  const transport = createTransport({
    ...serverOf(new URL(smtpUrl)),
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    dnsTimeout: STEP_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.replace(/^.*@/, '').replace(/>$/, '');
  return async ({ id, ...mail }) => {
    const signal = AbortSignal.timeout(ATTEMPT_MS);
    try {
      await transport.sendMail({ ...mail, from, messageId: `<${id}@${domain}>`, signal });
    } catch (error) {
      throw toFailure(error);
    }
  };
}

/** Mails hold links that sign in: they cross a network in TLS alone, unless the operator says otherwise; a password always. */
function serverOf({ protocol, hostname, port, username, password, searchParams }: URL) {
  const host = hostname.replace(/^\[|\]$/g, '');
  const secure = protocol === 'smtps:';
  const auth = username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : undefined;
  const requireTLS = !isLoopback(host) && searchParams.get('requireTLS') !== 'false';
  return { host, port: Number(port) || (secure ? 465 : 587), secure, auth, requireTLS };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host);
}

/** Codes alone: what a server says may quote what it was sent, the password too. */
function toFailure(error: unknown): JobFailure {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const words = [code, responseCode].filter((word) => word !== undefined && /^\w+$/.test(String(word)));
  // That address, for good. Any other refusal may be the operator's to mend.
  const isFinal = code === 'EENVELOPE' && Number(responseCode) >= 500;
  return new JobFailure(['The mail server did not take it', ...words].join(' '), { isFinal });
}
