// Exits with 0 if the service of this container is ready. Requests GET /readyz from the gateway and the all-in-one program, and calls grpc.health.v1
// on other services. It uses only Node.js, so that the image needs no probe program and no package.
import { connect } from 'node:http2';

const { SERVICE, PORT = '8080', GRPC_PORT = '50051' } = process.env;
const LISTENING = ['drawbridge', 'gateway'];
const LIMIT_MS = 2_500;

setTimeout(() => process.exit(1), LIMIT_MS);
const healthy = await (LISTENING.includes(SERVICE) ? isReady() : isServing()).catch(() => false);
process.exit(healthy ? 0 : 1);

async function isReady() {
  return (await fetch(`http://127.0.0.1:${PORT}/readyz`)).ok;
}

/** Calls grpc.health.v1 without a gRPC library: https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md */
async function isServing() {
  const session = connect(`http://127.0.0.1:${GRPC_PORT}`);
  session.on('error', () => process.exit(1));
  const call = session.request({
    ':method': 'POST',
    ':path': '/grpc.health.v1.Health/Check',
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  call.end(Buffer.alloc(5)); // an empty message: not compressed, length 0
  const answer = Buffer.concat(await call.toArray());
  return answer.subarray(5).equals(Buffer.of(0x08, 0x01)); // status: SERVING
}
