import { connect } from 'node:net';

export interface WireAnswer {
  status: number;
  headers: Headers;
  body: any;
}

type Part = string | Uint8Array | { from: string };

/** Sends raw bytes that no HTTP client would send. Returns the response when the connection closes. */
export function sendRaw(baseUrl: string, ...parts: Part[]): Promise<WireAnswer> {
  const { hostname, port } = new URL(baseUrl);
  const from = parts.find((part) => typeof part === 'object' && 'from' in part) as { from: string } | undefined;
  const bytes = parts.filter((part) => typeof part === 'string' || part instanceof Uint8Array);
  return new Promise((resolve, reject) => {
    let heard = '';
    const socket = connect({ port: Number(port), host: hostname, localAddress: from?.from });
    socket.on('connect', () => bytes.forEach((part) => socket.write(part)));
    socket.on('data', (chunk) => (heard += chunk.toString()));
    socket.on('close', () => resolve(toWireAnswer(heard)));
    socket.on('error', reject);
  });
}

export function toWireAnswer(heard: string): WireAnswer {
  const [head = '', ...rest] = heard.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const fields = lines.map((line): [string, string] => [line.split(':')[0]!, line.slice(line.indexOf(':') + 1)]);
  const text = rest.join('\r\n\r\n');
  return {
    status: Number(first.split(' ')[1]),
    headers: new Headers(fields),
    body: text.startsWith('{') ? JSON.parse(text) : text,
  };
}
