import { InterruptedError } from './command.js';

const MAX_CHARACTERS = 8_192;

/** Reads a secret: from a prompt that does not show it, or from stdin if that is no terminal. */
export function readSecret(prompt: string): Promise<string> {
  return process.stdin.isTTY ? typed(prompt) : piped();
}

/** Reads stdin to its end. */
export async function piped(limit = MAX_CHARACTERS): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > limit) throw new Error(`The text on stdin is longer than ${limit} bytes`);
  }
  return Buffer.concat(chunks).toString('utf8').trim();
}

/** Reads a line in raw mode, so that the terminal does not display it. The terminal then sends Ctrl+C as a character, which must be handled here. */
function typed(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  stdin.setRawMode(true);
  stderr.write(prompt);
  return new Promise<string>((resolve, reject) => {
    let secret = '';
    const end = (settle: () => void): void => {
      stdin.off('data', read);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write('\n');
      settle();
    };
    const read = (chunk: Buffer): void => {
      for (const character of chunk.toString('utf8')) {
        if (character === '\u0003') return end(() => reject(new InterruptedError('Interrupted')));
        if (['\r', '\n', '\u0004'].includes(character)) return end(() => resolve(secret.trim()));
        if (character === '\u007f' || character === '\b') secret = secret.slice(0, -1);
        else if (secret.length < MAX_CHARACTERS) secret += character;
      }
    };
    stdin.on('data', read);
    stdin.resume();
  });
}
