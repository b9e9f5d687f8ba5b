import { JobFailure } from '@drawbridge/jobs';
import { createTransport } from 'nodemailer';

/** Time limit of an attempt. It must be shorter than the shutdown time of a process. */
const ATTEMPT_MS = 15_000;
/** Time limit of each step of an attempt. */
const STEP_MS = 10_000;

interface Mail {
  /** The id is the same in every attempt, so that a recipient can recognize a duplicate. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Sends an email. Throws a JobFailure that contains the reason and whether a retry makes sense. */
export type SendMail = (mail: Mail) => Promise<void>;

/**
 * Creates the function that sends all emails, through the server that the operator configured. It does not use packages/egress, which protects
 * against destinations that callers choose.
 */
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

/**
 * Returns the connection options of an SMTP server. Emails contain sign-in links, so TLS is required unless the operator disables it. TLS cannot be
 * disabled if the URL contains a password.
 */
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

/** Converts an error of the mail server. Retains only its codes, because a message of the server may quote its input, including the password. */
function toFailure(error: unknown): JobFailure {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const words = [code, responseCode].filter((word) => word !== undefined && /^\w+$/.test(String(word)));
  // The server rejected the recipient's address permanently. The operator may be able to fix any other rejection, so it is retried.
  const isFinal = code === 'EENVELOPE' && Number(responseCode) >= 500;
  return new JobFailure(['The mail server refused the message', ...words].join(' '), { isFinal });
}
