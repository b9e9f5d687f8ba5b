// The program of the egress proxy container: `node egress-proxy.mjs`. Reads the variables of packages/egress.
import { configuredEgress, EGRESS_VARIABLES } from '@drawbridge/egress';
import { readConfig } from '@drawbridge/rpc';
import { proxyServer } from './proxy-server.js';
import { PROXY_PORT, SANDBOX_RANGE } from './sandbox-range.js';

const server = proxyServer(configuredEgress(readConfig(process.env, EGRESS_VARIABLES), { never: [SANDBOX_RANGE] }));
server.listen(PROXY_PORT, '0.0.0.0', () => process.stdout.write('egress proxy ready\n'));
// Process 1 ignores signals that it does not handle.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0));
