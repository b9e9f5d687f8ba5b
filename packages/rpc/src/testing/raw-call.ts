import { connect, type IncomingHttpHeaders } from 'node:http2';

export const GET_WORKSPACE = '/drawbridge.members.v1.WorkspaceService/GetWorkspace';
export const HEALTH = '/grpc.health.v1.Health/Check';

type Headers = Record<string, unknown>;

export interface Answer {
  headers: IncomingHttpHeaders;
  trailers: IncomingHttpHeaders;
  body: Buffer;
}

export const grpcStatus = ({ headers, trailers }: Answer): number =>
  Number(trailers['grpc-status'] ?? headers['grpc-status']);

/** Returns a gRPC message in its frame. */
export function framed(bytes: Buffer, { compressed = 0, length = bytes.length } = {}): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(compressed, 0);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, bytes]);
}

/** Sends these headers and bytes. Without `ends` the request stays open. Resolves when the server has closed its side of the stream. */
export function raw(
  port: number,
  headers: Headers,
  { body = Buffer.alloc(0), ends = true }: { body?: Buffer; ends?: boolean } = {},
): Promise<Answer> {
  const session = connect(`http://127.0.0.1:${port}`, { maxSessionMemory: 100 });
  return new Promise<Answer>((resolve, reject) => {
    const given = { ':method': 'POST', 'content-type': 'application/grpc', te: 'trailers', ...headers };
    session.on('error', reject);
    const stream = session.request(given as IncomingHttpHeaders, { endStream: false });
    const answer: Answer = { headers: {}, trailers: {}, body: Buffer.alloc(0) };
    stream.on('response', (its) => (answer.headers = its));
    stream.on('trailers', (its) => (answer.trailers = its));
    stream.on('data', (chunk: Buffer) => (answer.body = Buffer.concat([answer.body, chunk])));
    stream.on('end', () => resolve(answer));
    stream.on('close', () => resolve(answer));
    stream.on('error', () => resolve(answer));
    if (body.length > 0) stream.write(body);
    if (ends) stream.end();
  }).finally(() => session.destroy());
}
