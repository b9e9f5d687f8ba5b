// The program of the egress proxy container: `node egress-proxy.mjs`. Reads the variables of packages/egress and SANDBOX_CLIENTS.
import { configuredEgress, EGRESS_VARIABLES } from '@drawbridge/egress';
import { readConfig, text } from '@drawbridge/rpc';
import { proxyServer } from './proxy-server.js';
import { PROXY_PORT, SANDBOX_RANGE } from './sandbox-range.js';

const config = readConfig(process.env, {
  ...EGRESS_VARIABLES,
  SANDBOX_CLIENTS: text({
    default: SANDBOX_RANGE,
    desc: 'CIDR of the runs that the egress proxy serves and never connects to.',
  }),
});
const egress = configuredEgress(config, { never: [config.SANDBOX_CLIENTS] });
const server = proxyServer(egress, { clients: config.SANDBOX_CLIENTS });
// Without a host, Node.js listens on IPv6 and IPv4, or on IPv4 only if the machine has no IPv6.
server.listen(PROXY_PORT, () => process.stdout.write('egress proxy ready\n'));
// In a container this is the process with id 1, for which the kernel ignores signals without a handler.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0));
