import { connect } from 'node:net';

/** What the wire says to bytes that no HTTP client would send, until the server closes. */
export function say(baseUrl: string, ...bytes: (string | Uint8Array)[]): Promise<WireAnswer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    let heard = '';
    const socket = connect(Number(port), hostname, () => bytes.forEach((part) => socket.write(part)));
    socket.on('data', (chunk) => (heard += chunk.toString()));
    socket.on('close', () => resolve(toAnswer(heard)));
    socket.on('error', reject);
  });
}

export interface WireAnswer {
  status: number;
  headers: Headers;
  body: any;
}

function toAnswer(heard: string): WireAnswer {
  const [head = '', ...body] = heard.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => [line.split(':')[0]!, line.slice(line.indexOf(':') + 1)]),
  );
  const text = body.join('\r\n\r\n');
  return { status: Number(first.split(' ')[1]), headers, body: text.startsWith('{') ? JSON.parse(text) : text };
}
