/**
 * Addresses of the networks between runs and the egress proxy: 198.18.0.0/15, which is reserved for benchmarks and never a public destination. The
 * proxy only serves clients in this range and never connects to it, regardless of EGRESS_ALLOW.
 */
export const SANDBOX_RANGE = '198.18.0.0/15';
export const PROXY_PORT = 3128;

const FIRST = 198 * 2 ** 24 + 18 * 2 ** 16;
const SIZE = 2 ** 17;
/** A /29 has six addresses: one for the gateway, which is not used, one for the proxy and one for the run. */
const SUBNET_SIZE = 8;
export const SUBNETS = SIZE / SUBNET_SIZE;

/** Returns the subnet with this number, from 0 to SUBNETS - 1. */
export function subnetOf(index: number): string {
  const address = FIRST + index * SUBNET_SIZE;
  const bytes = [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256);
  return `${bytes.join('.')}/29`;
}
