import { once } from 'node:events';
import { type AddressInfo, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

/**
 * The server's behaviour: accepts emails, rejects them temporarily, does not respond, disconnects after it received an email, rejects the recipient,
 * or includes the received password in its error.
 */
export type Manner = 'takes' | 'refuses' | 'hangs' | 'drops' | 'knowsNobody' | 'echoes';

export interface Received {
  to: string[];
  from: string;
  /** The headers and body as received. */
  raw: string;
  /** The decoded text. */
  text: string;
}

export interface MailServer {
  /** `host:port` for a URL. */
  host: string;
  /** Accepted emails, and emails that were received before a disconnect. */
  received: Received[];
  /** Returns the number of connections so far. */
  attempts(): number;
  /** The passwords that the server received. */
  passwords: Set<string>;
  behave(manner: Manner): void;
  stop(): Promise<void>;
}

/** Starts an SMTP server on a free loopback port. It accepts any password and does not support TLS. */
export async function mailServer(): Promise<MailServer> {
  const received: Received[] = [];
  const passwords = new Set<string>();
  const sockets = new Set<Socket>();
  let manner: Manner = 'takes';
  let attempts = 0;

  const smtp = new SMTPServer({
    hideSTARTTLS: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    authOptional: true,
    disableReverseLookup: true,
    onConnect(_session, done) {
      attempts++;
      if (manner !== 'hangs') done(manner === 'refuses' ? refusal(421, 'Not now') : null);
    },
    onAuth({ username, password }, _session, done) {
      passwords.add(password ?? '');
      if (manner === 'echoes') return done(refusal(535, `Wrong: ${username} ${password}`));
      done(null, { user: username });
    },
    onRcptTo(_address, _session, done) {
      done(manner === 'knowsNobody' ? refusal(550, 'No such user') : null);
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString();
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        received.push({ raw, from, to: envelope.rcptTo.map(({ address }) => address), text: decoded(raw) });
        if (manner !== 'drops') return done();
        for (const socket of sockets) socket.destroy();
      });
    },
  });
  smtp.on('error', () => undefined); // ignores aborted clients
  smtp.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  return {
    host: `127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    received,
    passwords,
    attempts: () => attempts,
    behave: (next) => void (manner = next),
    async stop() {
      const closed = new Promise<void>((resolve) => smtp.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

const refusal = (responseCode: number, message: string): Error => Object.assign(new Error(message), { responseCode });

/** Decodes the parts of quoted-printable that the emails use. */
function decoded(raw: string): string {
  return raw
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
