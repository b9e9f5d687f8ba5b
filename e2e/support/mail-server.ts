import { once } from 'node:events';
import { type AddressInfo, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

/**
 * What the server does with who connects: takes mail, turns them away for now, says nothing, hangs up once it has the mail,
 * knows no such recipient, or shows everybody the password that it was given.
 */
export type Manner = 'takes' | 'refuses' | 'hangs' | 'drops' | 'knowsNobody' | 'echoes';

export interface Received {
  to: string[];
  from: string;
  /** Headers and body as they came. */
  raw: string;
  /** What stands in it for people, decoded. */
  text: string;
}

export interface MailServer {
  /** To be named in a URL. */
  host: string;
  /** Of the mails that were taken, and those before a hang-up. */
  received: Received[];
  /** Connections so far. */
  attempts(): number;
  /** The passwords that it was given. */
  passwords: Set<string>;
  behave(manner: Manner): void;
  stop(): Promise<void>;
}

/** An SMTP server on a free loopback port that takes any password, and knows no TLS. */
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
  smtp.on('error', () => undefined); // clients that were cut off
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

/** Quoted-printable, as far as it is used. */
function decoded(raw: string): string {
  return raw
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
