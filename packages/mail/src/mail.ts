import { JobFailure } from '@drawbridge/jobs';
import { createTransport } from 'nodemailer';

/** One attempt must end within a process's shutdown time. */
const ATTEMPT_MS = 15_000;
/** Limit of each step of an attempt. */
const STEP_MS = 10_000;

interface Mail {
  /** The same in every attempt, so that a recipient can recognize a duplicate. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Sends a mail. Throws a JobFailure that says why it failed and whether a retry makes sense. */
export type SendMail = (mail: Mail) => Promise<void>;

/** Sends all mail, to the server that the operator configured. Does not use packages/egress, which guards destinations that callers choose. */
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

/** Mails contain links that sign in, so TLS is required unless the operator disables it; with a password it cannot be disabled. */
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

/** Keeps codes only: a server's message may quote its input, even the password. */
function toFailure(error: unknown): JobFailure {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const words = [code, responseCode].filter((word) => word !== undefined && /^\w+$/.test(String(word)));
  // The address is refused permanently. The operator may be able to fix any other refusal.
  const isFinal = code === 'EENVELOPE' && Number(responseCode) >= 500;
  return new JobFailure(['The mail server refused the message', ...words].join(' '), { isFinal });
}
