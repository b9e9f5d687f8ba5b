import { type Config, GATEWAY_VARIABLES, text, type Variables } from '@drawbridge/rpc';
import { createEgress, type Egress, type EgressOptions } from './egress.js';
import { parseOwnOrigins } from './own-origin.js';
import { parseOriginMap, readOriginMap, toAddress } from './origin-map.js';
import { parseAllowList } from './allow-list.js';
import { parseNameServers, systemResolve } from './system-resolve.js';

export const EGRESS_VARIABLES = {
  ...GATEWAY_VARIABLES,
  OWN_ORIGINS: {
    ...text({
      default: '',
      desc: 'Comma-separated list of further origins of the gateway, such as http://gateway:8080. Outgoing requests to these origins, to BASE_URL and to PORT on this machine fail.',
    }),
    check: (origins: string): unknown => parseOwnOrigins(origins),
  },
  ORIGIN_MAP: {
    ...text({
      default: '',
      desc: 'JSON object or file: maps the origin that a piece requests to the URL to which its requests are sent.',
    }),
    // The invalid part may be a credential in a URL.
    isSecret: true,
    check: parseOriginMap,
  },
  EGRESS_ALLOW: {
    ...text({ default: '', desc: 'Comma-separated list of private CIDRs and hosts that outgoing requests can reach.' }),
    check: (hosts: string): unknown => parseAllowList(hosts),
  },
  DNS_SERVERS: {
    ...text({
      default: '',
      desc: 'Comma-separated list of name servers, `address` or `address:port`. Default: the name servers of /etc/resolv.conf.',
    }),
    check: (servers: string): unknown => parseNameServers(servers),
  },
} satisfies Variables;

/** Returns a function that applies ORIGIN_MAP to a provider's URL that is opened in a browser, as egress applies it to outgoing requests. */
export function reachedAt(config: Pick<Config<typeof EGRESS_VARIABLES>, 'ORIGIN_MAP'>): (url: URL) => URL {
  const origins = readOriginMap(parseOriginMap(config.ORIGIN_MAP));
  return (url) => {
    const { origin, path } = toAddress(url, origins);
    return new URL(origin + path);
  };
}

export function configuredEgress(
  config: Config<typeof EGRESS_VARIABLES>,
  { never = [] }: Pick<EgressOptions, 'never'> = {},
): Egress {
  const servers = parseNameServers(config.DNS_SERVERS);
  return createEgress({
    originMap: parseOriginMap(config.ORIGIN_MAP),
    allow: parseAllowList(config.EGRESS_ALLOW),
    never,
    own: { baseUrl: config.BASE_URL, others: parseOwnOrigins(config.OWN_ORIGINS), port: config.PORT },
    resolve: systemResolve(servers.length > 0 ? { servers } : {}),
  });
}
